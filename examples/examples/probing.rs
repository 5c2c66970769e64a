//! What does a sentence embedding know? A probe learns one property of sentences from their vectors alone.

use ko_eval::{
    Result,
    probe::{Experiment, ProbeReport, Subject, embedders, senteval},
};

const WORDS: [&str; 7] = ["봄에는", "꽃이", "언덕", "위에", "가득", "피고", "진다"];
const PARTS: [&str; 10] = ["tr", "tr", "tr", "tr", "tr", "tr", "va", "te", "te", "te"];

fn main() -> Result<()> {
    // Sentences under the number of their words, in SentEval's form: part, label, sentence.
    let lines: String = (0..300)
        .map(|number| {
            let length = 2 + number / 10 % 5;
            let words: Vec<_> = (0..length).map(|place| WORDS[(number + place * 3) % 7]).collect();
            format!("{}\t{length}\t{} {number}.\n", PARTS[number % 10], words.join(" "))
        })
        .collect();
    let data = [senteval::read("SentLen", "lengths.txt", std::io::Cursor::new(lines))?];
    let subject = |name| Ok::<_, ko_eval::Error>(Subject::new(name, embedders::by_name(name)?));
    let subjects = [subject("jamo")?, subject("ngrams:dim=32")?];
    let findings = Experiment::new().run(&subjects, &data, &())?;
    println!("{}", ProbeReport::new(&findings).text());
    Ok(())
}
