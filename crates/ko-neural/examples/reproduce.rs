use ko_neural::train::{Training, train_sts};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let data = std::path::PathBuf::from(&a[2]);
    let out = std::path::PathBuf::from(&a[3]);
    let home = ko_eval_core::home().join("albert-kor-base");
    match a[1].as_str() {
        "sts" => {
            let train = ko_neural::read::sts_tsv(data.join("korsts/sts-train.tsv")).unwrap();
            let dev = ko_neural::read::sts_tsv(data.join("korsts/sts-dev.tsv")).unwrap();
            let n: usize = a.get(4).map_or(usize::MAX, |n| n.parse().unwrap());
            let train = &train[..train.len().min(n)];
            let dev = &dev[..dev.len().min(n)];
            std::fs::create_dir_all(&out).unwrap();
            let t = Training::builder()
                .batch(8)
                .learning_rate(4e-5)
                .threads(2)
                .log(out.join("log.jsonl"))
                .checkpoint(out.join("checkpoint"), 60)
                .build()
                .unwrap();
            println!("{:?}", train_sts(&home, train, dev, &out, &t));
        }
        _ => {}
    }
}
