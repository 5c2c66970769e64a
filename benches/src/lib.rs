//! Sample sentences that the benches share, written for this project.

/// Korean sentences of about sixteen words.
pub const SENTENCES: &[&str] = &[
    "어제 저녁에 우리는 오래된 시장 골목에서 따뜻한 국밥을 한 그릇씩 먹고 강가를 천천히 걸어서 집으로 돌아왔다.",
    "선생님께서는 우리 반 학생들이 지난주에 제출한 보고서를 하나하나 꼼꼼히 읽으시고 다음 주까지 다시 고쳐 오라고 말씀하셨습니다.",
    "비가 갑자기 쏟아지는 바람에 넓은 공원에 나와 있던 사람들이 모두 길 건너 가까운 카페로 급히 뛰어 들어갔어요.",
    "올해 새로 나온 번역 프로그램은 아직도 높임말을 제대로 구분하지 못해서 회사에서 보내는 메일에 그대로 쓰기에는 조금 부족하다.",
    "시골에 계신 할머니가 직접 만들어 주신 김치찌개는 이 세상에서 가장 맛있는 음식이라고 어린 동생은 언제나 자랑하곤 했다.",
    "이번 연구에서는 한국어 문장의 의미와 말투를 함께 살피는 새로운 자동 평가 방법을 제안하고 여러 가지 실험으로 확인하였다.",
    "날씨가 좋은 주말마다 아버지와 함께 자전거를 타고 긴 강변을 달리면 한 주일 동안 쌓인 피로가 말끔히 사라진다.",
    "아침에 지하철이 고장 나는 바람에 중요한 회의에 늦었지만 다행히 모두가 조금 더 기다려 주어서 발표를 무사히 마쳤습니다.",
];

/// Pairs of a sentence and one that shares much of it, as a translation shares with its reference.
pub fn pairs() -> Vec<(String, String)> {
    SENTENCES
        .iter()
        .map(|sentence| {
            let mut words: Vec<&str> = sentence.split(' ').collect();
            let last = words.len() - 2;
            words.swap(1, 3);
            words.remove(last);
            (words.join(" "), (*sentence).to_owned())
        })
        .collect()
}
