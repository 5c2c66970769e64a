//! 한국어.

/// Each text in English, and in Korean: headings and words of tables, notes, hints.
pub(super) const TEXTS: &[(&str, &str)] = &[
    // Headings
    ("metric", "지표"),
    ("unit", "단위"),
    ("system", "시스템"),
    ("segment", "문장"),
    ("score", "점수"),
    ("low", "하한"),
    ("high", "상한"),
    ("scale", "범위"),
    ("signature", "서명"),
    ("p", "p값"),
    ("what", "항목"),
    ("state", "상태"),
    ("details", "자세히"),
    ("method", "방법"),
    ("layer", "층"),
    ("pearson", "피어슨"),
    ("kendall", "켄들"),
    ("accuracy", "정확도"),
    ("precision", "정밀도"),
    ("recall", "재현율"),
    ("task", "과제"),
    ("subject", "대상"),
    ("balanced accuracy", "균형 정확도"),
    ("deviation", "표준 편차"),
    ("bits", "비트"),
    ("compression", "압축률"),
    ("broken trees left out: {0}", "손상된 구문 트리 {0}개를 제외했습니다"),
    ("{0} has no sentence", "{0}: 쓸 문장이 없습니다"),
    ("figure", "수치"),
    ("value", "값"),
    ("expected", "기대값"),
    ("holds", "충족"),
    ("steps", "단계"),
    ("final loss", "마지막 손실"),
    ("best score", "최고 점수"),
    ("seconds", "초"),
    ("model", "모델"),
    ("sentences", "문장 수"),
    ("set", "묶음"),
    ("macro F1", "매크로 F1"),
    ("right", "맞음"),
    ("found", "찾음"),
    ("there", "있음(정답)"),
    ("what it is", "설명"),
    // Tone
    ("line", "줄"),
    ("level", "등급"),
    ("polite", "존대"),
    ("mood", "서법"),
    ("tense", "시제"),
    ("polarity", "긍부정"),
    ("honours", "높임"),
    ("sentence", "문장"),
    ("none", "없음"),
    ("yes", "예"),
    ("no", "아니요"),
    ("declarative", "평서"),
    ("interrogative", "의문"),
    ("imperative", "명령"),
    ("propositive", "청유"),
    ("exclamative", "감탄"),
    ("past", "과거"),
    ("non-past", "비과거"),
    ("affirmative", "긍정"),
    ("negative", "부정"),
    ("honours: both", "주·객체"),
    ("honours: subject", "주체"),
    ("honours: object", "객체"),
    ("politeness", "존대 여부"),
    ("raises", "높임"),
    ("familiar", "낮춤"),
    (
        "slip of {0}: {1} where {2} is expected, characters {3} to {4}: {5}",
        "{0}이(가) 흔들림: {2} 자리에 {1}, {3}–{4}번째 글자: {5}",
    ),
    ("change {0} ({1})", "고칠 말: {0} ({1})"),
    ("{0}: {1} polite, {2} plain, {3} without a level", "{0}: 존대 {1}, 반말 {2}, 등급 없음 {3}"),
    ("{0} in {1}", "{1}에서 {0}"),
    ("{0} text", "글 {0}편"),
    ("{0} texts", "글 {0}편"),
    ("{0} sentence", "문장 {0}개"),
    ("{0} sentences", "문장 {0}개"),
    ("{0} slip", "흔들린 곳 {0}군데"),
    ("{0} slips", "흔들린 곳 {0}군데"),
    // Words
    ("corpus", "전체"),
    ("hint", "힌트"),
    ("equals {0}", "기준: {0}"),
    ("ready", "있음"),
    ("missing", "없음"),
    ("best at {0} level: {1} ({2})", "{0} 수준에서 가장 잘 일치: {1} ({2})"),
    ("report: {0}", "보고서: {0}"),
    ("people", "사람"),
    ("test", "평가 세트"),
    ("kappa, mean of the systems", "κ, 시스템 평균"),
    ("kappa, all ratings together", "κ, 모든 평가"),
    (
        "{0} sentences to rate: {1}; do not give key.csv to the raters",
        "평가할 문장 {0}개: {1}. 정답 대응표(key.csv)는 평가자에게 주지 마십시오",
    ),
    ("{0} concept sets to write for: {1}", "문장을 쓸 개념 집합 {0}개: {1}"),
    ("{0} concept sets: {1}", "개념 집합 {0}개: {1}"),
    ("{0} pairs: {1}", "쌍 {0}개: {1}"),
    ("{0} sentences: {1}", "문장 {0}개: {1}"),
    (
        "Korean CommonGen: which unit agrees with people?",
        "한국어 CommonGen: 어떤 단위가 사람과 일치하는가?",
    ),
    ("ratings: {0}", "평가 {0}개"),
    ("dropped, {0}: {1}", "버림, {0}: {1}"),
    ("among the judge's first", "평가자의 처음 몇 개"),
    ("the judge's ratings do not vary", "평가자의 점수가 모두 같음"),
    ("outlier", "이상치"),
    ("quality control", "품질 점검 문항"),
    ("mean over all tasks", "모든 과제의 평균"),
    ("How metrics agree with people: {0}", "지표와 사람 평가의 일치: {0}"),
    // Notes
    (
        "Upper and lower case differ here; sacreBLEU's TER ignores case by default: `ter:case=lower`.",
        "여기서는 대소문자를 구별합니다. sacreBLEU의 TER는 기본적으로 구별하지 않습니다: `ter:case=lower`.",
    ),
    ("At least one hypothesis is empty.", "비어 있는 가설 문장이 있습니다."),
    ("At least one segment has only empty references.", "참조가 모두 비어 있는 문장이 있습니다."),
    (
        "The reference implementation gives no value here; this one is the metric's documented value.",
        "기준 구현은 여기서 값을 내지 못합니다. 이 값은 지표 문서에 정해 둔 값입니다.",
    ),
    (
        "Read the metric's documentation before quoting this value.",
        "이 값을 인용하기 전에 지표의 문서를 읽어 보십시오.",
    ),
    // Hints
    ("did you mean `{0}`?", "혹시 `{0}` 아닌가요?"),
    (
        "`--encoding cp949` reads it; `iconv -f CP949 -t UTF-8` converts it",
        "`--encoding cp949`로 읽거나, `iconv -f CP949 -t UTF-8`로 바꾸십시오",
    ),
    (
        "`--encoding utf-16` reads it; `iconv -f UTF-16 -t UTF-8` converts it",
        "`--encoding utf-16`으로 읽거나, `iconv -f UTF-16 -t UTF-8`로 바꾸십시오",
    ),
    (
        "BLEU-4 on words agrees least with people; `-u char -m bleu:order=2` agrees best",
        "어절 단위 BLEU-4는 사람의 평가와 가장 덜 일치합니다. `-u char -m bleu:order=2`가 가장 잘 일치합니다",
    ),
    // The demo
    (
        "Samples and reports go to {0}; every line can be repeated.",
        "표본과 보고서는 {0}에 둡니다. 모든 명령을 그대로 다시 해 볼 수 있습니다.",
    ),
    ("Open the report in a browser.", "보고서는 브라우저로 여십시오."),
    (
        "Next: `ko-eval score --help`, `ko-eval metrics`, `ko-eval units`; `ko-eval doctor` tells what is installed.",
        "다음: `ko-eval score --help`, `ko-eval metrics`, `ko-eval units`. 무엇이 설치되어 있는지는 `ko-eval doctor`가 알려 줍니다.",
    ),
    ("1. One sentence, several units", "1. 한 문장, 여러 단위"),
    ("What a metric counts decides what it can see.", "지표는 자신이 세는 것만 볼 수 있습니다."),
    ("2. A score is an estimate", "2. 점수는 추정값입니다"),
    (
        "16 outputs of one system against two references each, with 95 % intervals.",
        "한 시스템의 출력 16개를 참조 두 개씩과 비교하고 95 % 신뢰 구간을 구합니다.",
    ),
    ("3. Which of two systems is better?", "3. 두 시스템 가운데 어느 쪽이 나은가?"),
    (
        "`blunt` says the same as `good`, but to nobody's grandmother. A paired test on the same segments.",
        "`blunt`는 `good`과 뜻이 같지만 높임말을 쓰지 않습니다. 같은 문장으로 대응 표본 검정을 합니다.",
    ),
    ("4. Only the honorifics differ", "4. 높임말만 다를 때"),
    (
        "The right meaning without honorifics, and the wrong place with all of them: which is worse?",
        "뜻은 맞지만 높임말이 없는 문장과 높임말은 맞지만 장소가 틀린 문장, 어느 쪽이 더 나쁜가?",
    ),
    ("reference", "참조"),
    ("prefers", "선택"),
    (
        "Whatever counts pieces prefers B, which sends the teacher to another place: honorifics change more letters than a noun.",
        "조각을 세는 지표는 모두 장소가 틀린 B를 고릅니다. 높임말은 명사 하나보다 더 많은 글자를 바꾸기 때문입니다.",
    ),
    (
        "`register` and `honorifics` tell what is wrong with A, and nothing about B; `kosmic-grammar` (0 to 5) weighs both.",
        "`register`와 `honorifics`는 A의 말투만 보고 B의 뜻은 보지 않습니다. `kosmic-grammar`(0~5)는 둘을 함께 봅니다.",
    ),
    ("The parts of a score:", "점수를 이루는 부분:"),
    ("5. Korean CommonGen: re-ranking", "5. 한국어 CommonGen: 재순위화"),
    (
        "Of a model's candidates the one that uses most concepts wins, whatever the model prefers.",
        "모델이 무엇을 선호하든, 개념을 가장 많이 쓴 후보를 고릅니다.",
    ),
    ("uses {0} of {1}", "개념 {1}개 중 {0}개"),
    ("6. What does a sentence vector know?", "6. 문장 벡터는 무엇을 아는가?"),
    (
        "A toy: 240 built sentences, polite or not, and embedders that need no model. 50 is chance; `probe build` makes the nine real tasks from a treebank, `probe run --model FOLDER` asks a transformer.",
        "연습용: 만들어 낸 문장 240개(존대, 비존대)와 모델이 필요 없는 임베더입니다. 50이 우연 수준입니다. `probe build`는 트리뱅크로 실제 과제 아홉 개를 만들고, `probe run --model FOLDER`는 트랜스포머를 조사합니다.",
    ),
    ("7. Which metric agrees with people?", "7. 어떤 지표가 사람과 일치하는가?"),
    (
        "Three systems, judged by hand; the report is a page with tables and pictures.",
        "사람이 평가한 세 시스템입니다. 보고서는 표와 그림이 있는 웹 페이지입니다.",
    ),
];

/// The help of the commands.
pub(super) const HELP: &[(&str, &str)] = &[
    ("How good is this Korean text?", "이 한국어 문장은 얼마나 좋은가?"),
    (
        "Evaluate all systems of a folder: the tables and figures of the paper, as a report",
        "폴더의 모든 시스템 평가: 논문의 표와 그림을 보고서로",
    ),
    (
        "Sheets for crowd work: rating sentences, writing references",
        "사람에게 맡길 일: 문장 평가지와 참조 문장 작성지",
    ),
    ("Print help (see more with '--help')", "도움말을 보여 줍니다 (더 자세히: '--help')"),
    ("Print help (see a summary with '-h')", "도움말을 보여 줍니다 (짧게: '-h')"),
    ("Print version", "버전을 보여 줍니다"),
    (
        "Print this message or the help of the given subcommand(s)",
        "이 도움말이나 하위 명령의 도움말을 보여 줍니다",
    ),
    (
        "Language of tables, notes and help [default: as LC_ALL, LC_MESSAGES or LANG say, else en]",
        "표, 알림, 도움말의 언어 [기본값: LC_ALL, LC_MESSAGES, LANG에 따르고, 없으면 en]",
    ),
    (
        "Fetch nothing: what is missing is an error [env: KO_EVAL_OFFLINE=1]",
        "아무것도 내려받지 않습니다. 없는 것은 오류로 알립니다 [환경 변수: KO_EVAL_OFFLINE=1]",
    ),
    (
        "Device of metrics over models that name none: auto, cpu, cuda, cuda:N or mps [default: auto]",
        "따로 정하지 않은 모델 지표를 돌릴 장치: auto, cpu, cuda, cuda:N, mps [기본값: auto]",
    ),
    (
        "Precision of matrix products in metrics over models that name none: f32, bf16 or f16 [default: f32]",
        "따로 정하지 않은 모델 지표의 곱셈에 쓸 수의 정밀도: f32, bf16, f16 [기본값: f32]",
    ),
    // Commands
    (
        "Show on bundled samples what there is: units, scores, comparisons, honorifics, re-ranking, a probe, a report",
        "내장된 표본으로 단위, 점수, 비교, 높임말, 재순위화, 프로빙, 보고서를 보여 줍니다",
    ),
    (
        "Fetch, verify and install what is too large for the command: dictionaries, analyzers, libtorch, a model",
        "명령에 담기에는 큰 것(사전, 분석기, libtorch, 모델)을 받아 검증하고 설치합니다",
    ),
    (
        "Convert a dictionary to the form that the unit `mecab` reads",
        "사전을 단위 `mecab`이 읽는 형식으로 바꿉니다",
    ),
    #[cfg(feature = "sql")]
    (
        "Ask Parquet, CSV and JSON lines in SQL, with every metric as a function",
        "Parquet, CSV, JSON lines 파일을 SQL로 묻습니다. 모든 지표를 함수로 씁니다",
    ),
    #[cfg(feature = "sql")]
    (
        "Pairs in Parquet files, all parts of one system; --columns says which columns are what",
        "Parquet 파일의 문장 쌍. 모두 한 시스템의 부분이며, 어느 열이 무엇인지는 --columns로 정합니다",
    ),
    ("Score hypotheses against references", "가설 문장을 참조 문장과 비교해 점수를 매깁니다"),
    ("Compare systems with paired significance tests", "시스템들을 대응 표본 검정으로 비교합니다"),
    (
        "Show the scores of runs that `compare --save` kept, and whether the last one dropped",
        "`compare --save`로 보관한 점수를 보여 주고, 마지막 점수가 떨어졌는지 알려 줍니다",
    ),
    (
        "Tell why a segment has its scores: what met what, and the formula that makes each score",
        "한 문장이 왜 그 점수를 받았는지 설명합니다: 무엇이 무엇과 맞았고 점수가 어떤 식으로 나왔는지",
    ),
    ("Cut text into units, a line at a time", "글을 한 줄씩 단위로 쪼갭니다"),
    (
        "Learn a subword vocabulary, cut text by it, put it together again",
        "서브워드 어휘를 학습하고, 그것으로 글을 쪼개고, 다시 잇습니다",
    ),
    (
        "Tell speech level and honorifics of texts, and where the tone slips",
        "글의 상대 높임과 높임말을 판정하고, 말투가 흔들리는 곳을 찾습니다",
    ),
    (
        "Find out which metric agrees with people, on which unit",
        "어떤 지표가 어떤 단위에서 사람의 평가와 일치하는지 알아봅니다",
    ),
    (
        "Korean CommonGen: build the data set, generate, re-rank candidates, score systems",
        "한국어 CommonGen: 데이터 구축, 생성, 후보 재순위화, 시스템 채점",
    ),
    (
        "What does a sentence embedding know about Korean?",
        "문장 임베딩은 한국어에 대해 무엇을 아는가?",
    ),
    (
        "Find the layer of a model whose BERTScore agrees best with people, or its baseline (to score: `score -m bertscore:MODEL`)",
        "BERTScore가 사람의 평가와 가장 잘 일치하는 모델의 층이나 기준값을 찾습니다 (채점은 `score -m bertscore:MODEL`)",
    ),
    (
        "Tune KOSMIC's weights, judge it as its paper does (to score: `score -m kosmic:sts=A,fic=B,csl=C`)",
        "KOSMIC의 가중치를 조정하고, 논문의 방식대로 평가합니다 (채점은 `score -m kosmic:sts=A,fic=B,csl=C`)",
    ),
    (
        "Write a table of pairs from corpora of one meaning in two tones, for `train csl`, `kosmic --tune`, `--evaluate` and `--evaluate-tone`",
        "같은 뜻을 두 말투로 쓴 말뭉치로 문장 쌍의 표를 만듭니다. `train csl`, `kosmic --tune`, `--evaluate`, `--evaluate-tone`에 씁니다",
    ),
    (
        "Write a table of sentences with their tones from such corpora, for `train fic`",
        "그런 말뭉치로 말투가 붙은 문장의 표를 만듭니다. `train fic`에 씁니다",
    ),
    (
        "StyleKQC: a table with the columns act and sentence; repeatable",
        "StyleKQC: act와 sentence 열이 있는 표. 여러 번 쓸 수 있습니다",
    ),
    (
        "paraKQC: act, topic and sentence per line; the grammar reads the tone off the endings; repeatable",
        "paraKQC: 줄마다 act, topic, 문장. 말투는 문법이 어미에서 읽습니다. 여러 번 쓸 수 있습니다",
    ),
    (
        "SmileStyle: a table with a column per style; repeatable",
        "SmileStyle: 문체마다 열이 하나인 표. 여러 번 쓸 수 있습니다",
    ),
    ("SmileStyle's columns that are formal", "SmileStyle에서 존댓말인 열"),
    ("SmileStyle's columns that are informal", "SmileStyle에서 반말인 열"),
    (
        "Two files of the same sentences, one formal, the other informal, as IWSLT's formality has them; repeatable",
        "같은 문장을 존댓말과 반말로 쓴 두 파일 (IWSLT formality의 형식). 여러 번 쓸 수 있습니다",
    ),
    (
        "Take every N-th group of sentences of one meaning",
        "뜻이 같은 문장 묶음을 N개마다 하나씩 씁니다",
    ),
    (
        "Change the sentences as they stand in other texts: with and without a mark at the end, cut, one after the other. For training; the meaning of a pair does not stay",
        "문장을 다른 글에서처럼 바꿉니다: 끝에 부호가 있거나 없게, 앞을 자르고, 이어 붙여서. 학습용이며 쌍의 뜻은 유지되지 않습니다",
    ),
    (
        "Number of pairs from each corpus: evenly of one meaning or two, in one tone or two",
        "말뭉치마다 만들 쌍의 수: 뜻이 같거나 다른 쌍, 말투가 같거나 다른 쌍을 고르게",
    ),
    ("File to write the table to, separated by tabs", "표를 쓸 파일 (탭으로 구분)"),
    ("A vector per text", "글마다 벡터 하나를 만듭니다"),
    (
        "Find named entities in texts by a model, or tell how well it finds them",
        "모델로 글에서 개체명을 찾거나, 얼마나 잘 찾는지 잽니다",
    ),
    (
        "Label texts by a model, or tell how well it labels them",
        "모델로 글에 분류 표지를 붙이거나, 얼마나 잘 붙이는지 잽니다",
    ),
    (
        "Folder of the model, as `ko-eval train tagger` or transformers writes it",
        "모델 폴더. `ko-eval train tagger`나 transformers가 쓴 것",
    ),
    (
        "Folder of the model, as `ko-eval train classifier` or transformers writes it",
        "모델 폴더. `ko-eval train classifier`나 transformers가 쓴 것",
    ),
    (
        "How tags are read as entities: conll (seqeval's default) or iob2 (seqeval's strict mode)",
        "태그를 개체명으로 읽는 방식: conll(seqeval 기본) 또는 iob2(seqeval strict)",
    ),
    (
        "Compare with this file in the form of KLUE-NER (a character, a tab and its tag per line) instead: precision, recall and F1 of entities",
        "글 대신 KLUE-NER 형식(줄마다 글자, 탭, 태그)의 이 파일과 비교합니다: 개체명의 정밀도, 재현율, F1",
    ),
    (
        "Output format: text marks entities as in `<민수:PS>`, json counts characters from 0",
        "출력 형식: text는 개체명을 `<민수:PS>`처럼 표시하고, json은 글자를 0부터 셉니다",
    ),
    (
        "Compare with this table instead: accuracy and macro F1 of every set of labels",
        "글 대신 이 표와 비교합니다: 표지 묶음마다 정확도와 매크로 F1",
    ),
    ("Column of the texts", "글이 있는 열"),
    (
        "Column of the labels of a set; repeatable, in the order of the model's sets",
        "한 묶음의 표지가 있는 열. 모델의 묶음 순서대로 여러 번 쓸 수 있습니다",
    ),
    (
        "Output format: text prints the labels before each text, the likeliest or by the threshold of the folder; json all probabilities",
        "출력 형식: text는 글 앞에 표지를 씁니다. 가장 그럴듯한 것, 또는 폴더의 임계값에 따른 것입니다. json은 모든 확률을 씁니다",
    ),
    (
        "File with one text per line; `-` reads standard input",
        "한 줄에 글 하나인 파일. `-`는 표준 입력",
    ),
    (
        "Train a tagger of tokens, on characters with tags as KLUE-NER has them",
        "토큰 태거를 학습합니다. KLUE-NER처럼 글자마다 태그가 있는 데이터를 씁니다",
    ),
    (
        "Train a classifier of texts, on a table with a column of texts and one of labels, or several",
        "글 분류기를 학습합니다. 글이 있는 열과 표지가 있는 열(여럿도 됨)로 된 표를 씁니다",
    ),
    (
        "Write texts by a model or by a program of your own: candidates with scores for each prompt",
        "모델이나 자신의 프로그램으로 글을 씁니다: 프롬프트마다 점수가 붙은 후보들",
    ),
    (
        "Summarize documents by a model or by a program of your own",
        "모델이나 자신의 프로그램으로 문서를 요약합니다",
    ),
    (
        "Train the models of KOSMIC and RDASS, sentence embedders, generators, taggers and classifiers",
        "KOSMIC과 RDASS의 모델, 문장 임베더, 생성 모델, 태거, 분류기를 학습합니다",
    ),
    ("Merge the statistics of shards into scores", "나누어 잰 통계를 합쳐 점수를 냅니다"),
    (
        "List the metrics, their parameters and the implementations they equal",
        "지표와 매개변수, 값이 같은 기준 구현을 보여 줍니다",
    ),
    (
        "List the units and their parameters, or the tags of those that tag",
        "단위와 매개변수, 또는 분석기들의 품사 태그를 보여 줍니다",
    ),
    (
        "Tell what is installed, where, and how to get what is missing",
        "무엇이 어디에 설치되어 있고, 없는 것은 어떻게 구하는지 알려 줍니다",
    ),
    ("Print a completion script for a shell", "셸 자동 완성 스크립트를 출력합니다"),
    (
        "Print the manual page, or write a page per command to a folder",
        "매뉴얼 페이지를 출력하거나, 명령마다 한 장씩 폴더에 씁니다",
    ),
    // What is read
    (
        "Reference files beside --hyp, hypothesis files beside --ref, or files of pairs",
        "--hyp와 함께라면 참조 파일, --ref와 함께라면 가설 파일, 아니면 쌍으로 된 파일",
    ),
    (
        "Pairs in one file: JSON lines of `{\"hyp\": \"…\", \"refs\": [\"…\"], \"src\": \"…\"}`, JSON with lists of `predictions` and `references`, or a .tsv or .csv file with a header; `-` reads standard input",
        "가설과 참조가 함께 든 파일: 줄마다 `{\"hyp\": \"…\", \"refs\": [\"…\"], \"src\": \"…\"}`인 JSON, `predictions`와 `references` 목록이 있는 JSON, 또는 머리글이 있는 .tsv, .csv 파일. `-`는 표준 입력",
    ),
    (
        "Hypotheses, one per line; repeat it for several systems; `-` reads standard input",
        "가설 문장, 한 줄에 하나. 시스템이 여럿이면 여러 번 씁니다. `-`는 표준 입력",
    ),
    (
        "References, one per line; repeat it for several references",
        "참조 문장, 한 줄에 하나. 참조가 여럿이면 여러 번 씁니다",
    ),
    (
        "Sources, one per line: the documents of summaries, the originals of translations",
        "원문, 한 줄에 하나: 요약의 원문, 번역의 원문",
    ),
    (
        "Which columns of a .tsv or .csv file, or keys of JSON, are what: hyp=NAME,ref=NAME,src=NAME; `ref` may be there more than once. Numbers count columns from 1 in a file without a header line [default: the usual names]",
        ".tsv, .csv 파일의 열이나 JSON의 키: hyp=이름,ref=이름,src=이름. `ref`는 여러 번 쓸 수 있습니다. 머리글이 없는 파일에서는 1부터 센 열 번호 [기본값: 흔히 쓰는 이름]",
    ),
    (
        "Whether the cells of a .tsv file may stand in quotes, as those of a .csv file do [default: as its header line has them]",
        ".tsv 파일의 칸이 .csv 파일처럼 따옴표로 묶여 있는지 [기본값: 머리글을 보고 판단]",
    ),
    (
        "Encoding of the text that is read: utf-8, cp949 (EUC-KR), utf-16 or another label of the Encoding Standard",
        "읽을 글의 인코딩: utf-8, cp949(EUC-KR), utf-16, 또는 Encoding Standard의 다른 이름",
    ),
    // What is measured
    (
        "A metric, as NAME[:key=value,…]; repeatable (see `ko-eval metrics`) [default: bleu with the order that agrees best with people on the unit (1 for words, 2 for morphemes and characters, 5 for jamo), and chrf]",
        "지표, 이름[:키=값,…]. 여러 번 쓸 수 있습니다 (`ko-eval metrics` 참고) [기본값: 그 단위에서 사람의 평가와 가장 잘 일치하는 차수의 bleu(어절 1, 형태소와 음절 2, 자모 5)와 chrf]",
    ),
    (
        "A unit, as NAME[:key=value,…]; repeatable (see `ko-eval units`). Metrics over models have none",
        "단위, 이름[:키=값,…]. 여러 번 쓸 수 있습니다 (`ko-eval units` 참고). 모델을 쓰는 지표에는 없습니다",
    ),
    (
        "Score what a signature of sacreBLEU 2.x describes (metric, unit and settings), as in \"nrefs:1|case:mixed|eff:no|tok:ko-mecab|smooth:exp|version:2.6.0\"; repeatable. What cannot be honoured is an error",
        "sacreBLEU 2.x 서명이 가리키는 대로(지표, 단위, 설정) 채점합니다. 예: \"nrefs:1|case:mixed|eff:no|tok:ko-mecab|smooth:exp|version:2.6.0\". 여러 번 쓸 수 있고, 따를 수 없는 서명은 오류입니다",
    ),
    (
        "Also the line that sacreBLEU prints, with its own signature, where the metric and the unit are sacreBLEU's",
        "지표와 단위가 sacreBLEU의 것이면 sacreBLEU가 출력하는 줄도 서명과 함께 보여 줍니다",
    ),
    ("Also the score of every segment", "문장마다의 점수도 보여 줍니다"),
    (
        "Also a 95 % confidence interval by bootstrap resampling",
        "부트스트랩으로 구한 95 % 신뢰 구간도 보여 줍니다",
    ),
    ("How many resamples --ci draws", "--ci의 재표집 횟수"),
    ("Random seed", "난수 시드"),
    (
        "Write the statistics there as well, for `ko-eval merge`",
        "`ko-eval merge`에 쓸 통계를 이 파일에도 씁니다",
    ),
    (
        "Print only the scores, one per line, in full precision",
        "점수만 한 줄에 하나씩, 모든 자릿수로 출력합니다",
    ),
    (
        "How the figures are written [default: as the extension of --output says, else table]",
        "출력 형식 [기본값: --output의 확장자에 따르고, 없으면 table]",
    ),
    (
        "Write to this file instead of standard output; .json, .csv, .tsv and .md choose the format",
        "표준 출력 대신 이 파일에 씁니다. .json, .csv, .tsv, .md는 형식도 정합니다",
    ),
    // compare
    (
        "References, one per line; a file for each of a segment",
        "참조 문장, 한 줄에 하나. 참조마다 파일 하나",
    ),
    (
        "The baseline's output, one segment per line; NAME=FILE gives it a name",
        "기준 시스템의 출력, 한 줄에 한 문장. 이름=파일로 이름을 붙입니다",
    ),
    (
        "Another system's output, likewise; repeatable. Only --save can do without",
        "다른 시스템의 출력, 같은 방식으로. 여러 번 쓸 수 있습니다. --save만 할 때는 없어도 됩니다",
    ),
    ("The paired test", "대응 표본 검정"),
    (
        "How many resamples [default: 1000 for bootstrap, 10000 for randomization]",
        "재표집 횟수 [기본값: bootstrap 1000, randomization 10000]",
    ),
    // tokenize
    (
        "Unit to split the text into, as NAME[:key=value,…] (see `ko-eval units`)",
        "글을 쪼갤 단위, 이름[:키=값,…] (`ko-eval units` 참고)",
    ),
    ("Show every available unit side by side", "쓸 수 있는 모든 단위를 나란히 보여 줍니다"),
    (
        "Print part-of-speech tags, as `form/TAG` (see `ko-eval units` for the units that have them)",
        "품사 태그를 `form/TAG` 꼴로 출력합니다 (태그가 있는 단위는 `ko-eval units` 참고)",
    ),
    (
        "Turn off MeCab-ko's penalty for morphemes after white space",
        "공백 뒤 형태소에 주는 MeCab-ko의 벌점을 끕니다",
    ),
    ("Output format", "출력 형식"),
    ("File to read line by line; `-` reads standard input", "한 줄씩 읽을 파일. `-`는 표준 입력"),
    // tone
    (
        "The register that was asked for: polite, plain, or a level such as 해요체. Slips are measured from it; left out, from the level that most sentences of a text have",
        "바라는 말투: polite(존대), plain(반말), 또는 해요체 같은 등급. 여기서 벗어난 곳을 찾습니다. 없으면 글에서 가장 많이 쓰인 등급이 기준입니다",
    ),
    ("Tell which words carry the wrong level", "어떤 말이 등급을 어겼는지 보여 줍니다"),
    (
        "The texts, one per line, of any number of sentences; `-` is standard input",
        "글, 한 줄에 하나(문장 수는 상관없음). `-`는 표준 입력",
    ),
];
