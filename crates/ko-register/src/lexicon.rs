//! Closed classes of words: what the analyzer without a dictionary knows by heart.

/// Particles, longest first, with their tags.
pub(crate) const PARTICLES: &[(&str, &str)] = &[
    ("으로부터", "JKB"),
    ("에서부터", "JKB"),
    ("에서는", "JKB"),
    ("에서도", "JKB"),
    ("에게서", "JKB"),
    ("이라도", "JX"),
    ("으로는", "JKB"),
    ("에게는", "JKB"),
    ("께서는", "JKS"),
    ("께서", "JKS"),
    ("에서", "JKB"),
    ("에게", "JKB"),
    ("한테", "JKB"),
    ("으로", "JKB"),
    ("부터", "JX"),
    ("까지", "JX"),
    ("처럼", "JKB"),
    ("보다", "JKB"),
    ("마다", "JX"),
    ("조차", "JX"),
    ("밖에", "JX"),
    ("이랑", "JKB"),
    ("하고", "JC"),
    ("에는", "JKB"),
    ("에도", "JKB"),
    ("은", "JX"),
    ("는", "JX"),
    ("이", "JKS"),
    ("가", "JKS"),
    ("을", "JKO"),
    ("를", "JKO"),
    ("에", "JKB"),
    ("께", "JKB"),
    ("의", "JKG"),
    ("와", "JC"),
    ("과", "JC"),
    ("랑", "JC"),
    ("로", "JKB"),
    ("도", "JX"),
    ("만", "JX"),
];

/// Words that are known whole, with their tags.
const WHOLE: &[(&[&str], &str)] = &[
    (
        &[
            "네",
            "예",
            "넵",
            "응",
            "아니요",
            "아뇨",
            "안녕",
            "그래",
            "야",
            "얘",
            "저기",
            "저기요",
            "여보세요",
            "음",
            "아",
            "오",
            "와",
        ],
        "IC",
    ),
    (
        &[
            "안",
            "못",
            "잘",
            "더",
            "좀",
            "왜",
            "다",
            "또",
            "너무",
            "정말",
            "진짜",
            "아주",
            "매우",
            "빨리",
            "어서",
            "얼른",
            "제발",
            "어떻게",
            "언제나",
            "같이",
            "함께",
            "많이",
            "조금",
            "이제",
            "아직",
            "벌써",
            "바로",
            "먼저",
            "다시",
            "자주",
            "가장",
            "제일",
            "혹시",
            "아마",
        ],
        "MAG",
    ),
    (
        &[
            "그리고",
            "그러나",
            "하지만",
            "그래서",
            "그런데",
            "근데",
            "그럼",
            "그러면",
            "그러니까",
            "또는",
            "혹은",
            "아니면",
        ],
        "MAJ",
    ),
    (&["이", "그", "저", "어느", "무슨", "어떤", "몇", "웬", "모든", "다른", "새"], "MM"),
    (&["수", "것", "거", "줄", "데", "때", "적", "듯", "중", "게", "건", "걸"], "NNB"),
];

/// Pronouns, on which particles may stand, longest first.
const PRONOUNS: &[&str] = &[
    "여러분",
    "저희",
    "너희",
    "너네",
    "우리",
    "당신",
    "그대",
    "자네",
    "누구",
    "무엇",
    "어디",
    "언제",
    "제게",
    "내게",
    "네게",
    "뭘",
    "뭐",
    "나",
    "너",
    "저",
    "내",
    "제",
    "네",
    "니",
    "난",
    "넌",
    "전",
    "날",
    "널",
    "누가",
    "얼마",
];

/// Syllables in which -어 hides and nouns seldom end.
pub(crate) const CONTRACTED: &[&str] = &[
    "해", "돼", "줘", "봐", "워", "려", "져", "쳐", "켜", "셔", "춰", "꿔", "겨", "둬", "놔", "써",
    "꺼", "커", "떠", "빼", "펴", "뻐", "퍼", "혀", "먹어", "있어", "없어", "같아", "같애", "봐바",
    "어바", "아바", "좋아", "알아", "않아", "몰라", "어때", "그래", "마",
];

/// Stems that stand behind another predicate.
pub(crate) const AUXILIARIES: &[&str] =
    &["않", "못하", "싶", "주", "줘", "봐", "마", "말", "버리", "있"];

/// Ends of common adjectives: in -어 they state.
pub(crate) const ADJECTIVES: &[&str] = &[
    "좋",
    "많",
    "적",
    "크",
    "작",
    "높",
    "낮",
    "길",
    "짧",
    "같",
    "있",
    "없",
    "싫",
    "쁘",
    "프",
    "맙",
    "렵",
    "겁",
    "롭",
    "답",
    "스럽",
    "괜찮",
    "그렇",
    "이렇",
    "어떻",
    "감사하",
    "미안하",
    "죄송하",
    "필요하",
    "중요하",
    "가능하",
    "행복하",
    "편하",
    "착하",
    "이상하",
    "피곤하",
    "심심하",
    "따뜻하",
    "시원하",
    "조용하",
    "유명하",
    "비슷하",
    "궁금하",
];

/// The known word that this one is, alone or with a particle: how many bytes it takes, and its tag.
pub(crate) fn closed_class(surface: &str) -> Option<(usize, &'static str)> {
    if let Some((_, tag)) = WHOLE.iter().find(|(words, _)| words.contains(&surface)) {
        return Some((surface.len(), tag));
    }
    let stands = |pronoun: &&&str| {
        surface
            .strip_prefix(**pronoun)
            .is_some_and(|rest| rest.is_empty() || PARTICLES.iter().any(|(text, _)| *text == rest))
    };
    PRONOUNS.iter().find(stands).map(|pronoun| (pronoun.len(), "NP"))
}

/// The pronoun that this word begins with, if what follows is no particle: 뭐|야, 어디|죠.
pub(crate) fn pronoun_before(surface: &str) -> Option<usize> {
    let begins = |pronoun: &&&str| pronoun.len() < surface.len() && surface.starts_with(**pronoun);
    PRONOUNS.iter().find(begins).map(|pronoun| pronoun.len())
}
