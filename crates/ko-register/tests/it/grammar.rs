//! Sentences with the grammar that a reader sees in them, in the tags of three sources: MeCab-ko's (fused
//! surfaces, written `했/VV&EP`), Sejong's and KAIST's.

use ko_register::{Grammar, Mood, Morph, SpeechLevel, Tense, sentences};

/// `아이/NNG+는/JX 갔/VV&EP+다/EF+./SF`: eojeols apart, morphemes joined by `+`, fused tags by `&`.
fn morphs(text: &str) -> Vec<Morph> {
    let eojeols = text.split(' ').enumerate();
    eojeols
        .flat_map(|(number, eojeol)| {
            eojeol.split('+').map(move |morph| {
                let (form, tags) = morph.rsplit_once('/').unwrap();
                Morph::new(form, &tags.replace('&', "+"), number)
            })
        })
        .collect()
}

fn grammar(text: &str) -> Grammar {
    Grammar::of(&morphs(text))
}

fn level(text: &str) -> Option<SpeechLevel> {
    grammar(text).speech_level.map(|answer| answer.value)
}

fn mood(text: &str) -> Option<Mood> {
    grammar(text).mood.map(|answer| answer.value)
}

fn tense(text: &str) -> Option<Tense> {
    grammar(text).tense.map(|answer| answer.value)
}

#[test]
fn the_papers_examples_come_out_as_printed() {
    // 아이는 한참 동안 아무 말도 못 했다.
    let negated =
        grammar("아이/NNG+는/JX 한참/NNG 동안/NNG 아무/MM 말/NNG+도/JX 못/MAG 했/VV&EP+다/EF+./SF");
    assert_eq!(negated.negated().unwrap().to_string(), "못/MAG");
    // 선생님이 부르시는구나.
    let subject = grammar("선생/NNG+님/XSN+이/JKS 부르/VV+시/EP+는구나/EF+./SF");
    assert_eq!(subject.honours_subject().unwrap().to_string(), "시/EP");
    assert!(subject.honours_object().is_none());
    // 선생님께 편지를 드렸다.
    let object = grammar("선생/NNG+님/XSN+께/JKB 편지/NNG+를/JKO 드렸/VV&EP+다/EF+./SF");
    assert_eq!(object.honours_object().unwrap().to_string(), "께/JKB 드렸/VV+EP");
    assert!(object.honours_subject().is_none());
    // 당신 생각이 맞아요. 당신 생각이 맞습니다.
    assert_eq!(level("당신/NP 생각/NNG+이/JKS 맞/VV+아요/EF+./SF"), Some(SpeechLevel::Haeyo));
    assert_eq!(level("당신/NP 생각/NNG+이/JKS 맞/VV+습니다/EF+./SF"), Some(SpeechLevel::Hapsyo));
    // 그게 언제나 그가 하는 식이지.
    let usual = "그게/NP&JKS 언제나/MAG 그/NP+가/JKS 하/VV+는/ETM 식/NNB+이/VCP+지/EF+./SF";
    assert_eq!(tense(usual), Some(Tense::NonPast));
    // 관교에 맛집 있으면 좀 알려줘.
    let request = "관교/NNG+에/JKB 맛집/NNG 있/VV+으면/EC 좀/MAG 알려/VV&EC+줘/VX&EF+./SF";
    assert_eq!(mood(request), Some(Mood::Imperative));
    // 그럼 재즈는 어때요?
    assert_eq!(mood("그럼/MAJ 재즈/NNG+는/JX 어때요/VA&EF+?/SF"), Some(Mood::Interrogative));
}

#[test]
fn six_levels_in_three_tag_sets() {
    use SpeechLevel::*;
    let cases = [
        ("가/VV+ㅂ니다/EF+./SF", Hapsyo),
        ("갑니다/VV&EF+./SF", Hapsyo),
        ("가/pvg+ㅂ니까/ef+?/sf", Hapsyo),
        ("하/VV+ᆸ니다/EF+./SF", Hapsyo), // a conjoining ㅂ
        ("가/VV+십시오/EP&EF+./SF", Hapsyo),
        ("탑/NNG+니다/VCP&EF+./SF", Hapsyo), // an analyzer's slip
        ("키워요/VV&EF+./SF", Haeyo),
        ("가/pvg+지/ef+요/jxf+./sf", Haeyo),
        ("저/NP+도/JX+요/JX+?/SF", Haeyo),
        ("힘든/VA&ETM+가요/NNG+?/SF", Haeyo),
        ("책/NNG+이/VCP+에요/EF+,/SP 친구/NNG+!/SF", Haeyo),
        ("네/IC+./SF", Haeyo),
        ("하/VV+겠/EP+소/EF+./SF", Hao),
        ("갑시다/VV&EF+./SF", Hao),
        ("오/VV+게/EF+./SF", Hage),
        ("가/VV+세/EF+./SF", Hage),
        ("간다/VV&EF+./SF", Haera),
        ("먹/pvg+었/ep+다/ef+./sf", Haera),
        ("가/VV+니/EF+?/SF", Haera),
        ("해/VV&EF+?/SF", Hae),
        ("거/NNB+야/VCP&EF+./SF", Hae),
        ("만나/VV&EC+./SF", Hae),
        ("좋/VA+네/EF+ㅋㅋㅋ/IC", Hae),
        ("괜찮/VA+으셔/EP&EF+?/SF", Hae),
    ];
    for (text, expected) in cases {
        assert_eq!(level(text), Some(expected), "{text}");
    }
    assert_eq!(grammar("좋/VA+네/EF+./SF").second_level, Some(Hage));
    for none in ["서울/NNP+의/JKG 봄/NNG", "좋/VA+음/ETN+./SF", "./SF"] {
        assert_eq!(level(none), None, "{none}");
    }
    assert_eq!(Grammar::of(&[]).speech_level, None);
}

#[test]
fn moods() {
    use Mood::*;
    let cases = [
        ("가/VV+아라/EF+./SF", Imperative),
        ("가/VV+라/EF+!/SF", Imperative),
        ("봄/NNG+이/VCP+라/EF+./SF", Declarative),
        ("가/pvg+리라/ef+./sf", Declarative),
        ("앉/VV+으세요/EF+./SF", Imperative),
        ("앉/VV+으세요/EF+?/SF", Interrogative),
        ("선생님/NNG+은/JX 바쁘/VA+세요/EP&EF+./SF", Declarative),
        ("선생님/NNG+이/JKS 오/VV+세요/EP&EF+./SF", Declarative),
        ("안녕/NNG+하/XSV+세요/EP&EF+./SF", Declarative),
        ("하/VV+지/EC 마세요/VX&EP&EF+./SF", Imperative),
        ("도와/VV&EC 주/VX+셨/EP&EP+어요/EF+./SF", Declarative),
        ("집/NNG+에/JKB 가/VV+자/EF+./SF", Propositive),
        ("비/NNG+가/JKS 오/VV+는구나/EF+!/SF", Exclamative),
        ("어디/NP 가/VV+아/EF", Interrogative),
        ("누구/NP+나/JX 알/VV+아/EF", Declarative),
        ("비/NNG+가/JKS 오/VV+나요/EF+./SF", Interrogative),
        ("바람/NNG+이/JKS 불/VV+더라고요/EF+./SF", Declarative),
    ];
    for (text, expected) in cases {
        assert_eq!(mood(text), Some(expected), "{text}");
    }
}

#[test]
fn tense_looks_at_the_whole_main_predicate_and_nowhere_else() {
    use Tense::*;
    let cases = [
        ("가/VV+았/EP+다/EF+./SF", Past),
        ("하/xsv+ㅆ/ep+다/ef+./sf", Past),
        ("갔/VV&EP+을/ETM 것/NNB+이/VCP+다/EF+./SF", Past),
        ("먹/VV+지/EC 않/VX+았/EP+다/EF+./SF", Past),
        ("갔/VV&EP+지만/EC 모르/VV+ㄴ다/EF+./SF", NonPast),
        ("가/VV+겠/EP+다/EF+./SF", NonPast),
        ("있/VA+다/EF+./SF", NonPast),
        ("쓰/VV+시/EP+ㄴ다/EF+./SF", NonPast),
    ];
    for (text, expected) in cases {
        assert_eq!(tense(text), Some(expected), "{text}");
    }
    assert_eq!(tense("서울/NNP+의/JKG 봄/NNG"), None);
}

#[test]
fn negation_of_the_main_clause_only() {
    let negated = [
        ("안/MAG 갔/VV&EP+어/EF+./SF", "안/MAG"),
        ("먹/VV+지/EC+는/JX 않/VX+았/EP+다/EF+./SF", "않/VX"),
        ("먹/VV+지/EC 마/VX&EC", "마/VX+EC"),
        ("갈/VV&ETM 수/NNB+가/JKS 없/VA+을/ETM 것/NNB+이/VCP+다/EF+./SF", "없/VA"),
        ("몰라/VV&EF+./SF", "몰라/VV+EF"),
        ("사실/NNG+이/JKC 아니/VCN+에요/EF+./SF", "아니/VCN"),
        ("사실/ncn+이/jcc 아니/paa+다/ef+./sf", "아니/VA"),
        ("재미없/VA+어/EF+./SF", "재미없/VA"),
        ("노래/NNG+를/JKO 못하/VV+ㄴ다/EF+./SF", "못하/VV"),
        ("싶지/VX&EC 않다/VX&EF+./SF", "않다/VX+EF"),
        ("뭐/NP+라/EC 안/MAG 함/VV&ETN+./SF", "안/MAG"),
    ];
    for (text, evidence) in negated {
        let grammar = grammar(text);
        assert_eq!(grammar.negated().map(ToString::to_string).as_deref(), Some(evidence), "{text}");
    }
    for text in [
        "안/MAG 먹/VV+고/EC 갔/VV&EP+다/EF+./SF",
        "좋/VA+잖아/EF+./SF",
        "울/VV+고/EC 말/VX+았/EP+다/EF+./SF",
        "말/NNG+하/XSV+았/EP+다/EF+./SF",
        "없/VA+는/ETM 사람/NNG+이/JKS 많/VA+다/EF+./SF",
    ] {
        assert_eq!(grammar(text).negated(), None, "{text}");
    }
}

#[test]
fn honorification() {
    // 물을 마셨다 has a 시 in its stem; 책을 사셨다 honours.
    assert!(grammar("물/NNG+을/JKO 마셨/VV&EP+다/EF+./SF").honours_subject().is_none());
    assert!(grammar("책/NNG+을/JKO 사셨/VV&EP&EP+다/EF+./SF").honours_subject().is_some());
    assert!(grammar("댁/NNG+에/JKB 계셔/VV&EF+./SF").honours_subject().is_some());
    assert!(grammar("진지/NNG 잡수/VV+시/EP+었/EP+어요/EF+?/SF").honours_subject().is_some());
    assert!(grammar("편찮/VA+으시/EP+다/EF+./SF").honours_subject().is_some());
    assert!(grammar("어머니/NNG+를/JKO 뵀/VV&EP+다/EF+./SF").honours_object().is_some());
    assert!(grammar("할머니/ncn+께/jca 갔/pvg+다/ef+./sf").honours_object().is_some());
    assert!(grammar("진지/NNG+하/XSA+게/EC 듣/VV+는다/EF+./SF").honours_subject().is_none());
    assert!(grammar("친구/NNG+에게/JKB 주/VV+었/EP+다/EF+./SF").honours_object().is_none());
}

#[test]
fn texts_fall_into_sentences() {
    let text = morphs("안녕/NNG+하/XSV+세요/EP&EF+./SF 정말/MAG+?/SF+!/SF 네/IC+./SF+\"/SS 끝/NNG");
    let pieces: Vec<_> = sentences(&text).map(|s| s.len()).collect();
    assert_eq!(pieces, [4, 3, 3, 1]);
}
