//! A study as a page.

use super::{Cases, JudgedOutput, SetStudy, Study, TestSet};
use crate::human::Criterion;
use ko_meta_eval::report::{
    Case, Document, Entry, Figure, HeatCell, HeatMap, Intervals, Language, Section, Table,
};

impl Study {
    /// The tables and figures of the paper, in a language.
    pub fn report(&self, language: Language) -> Document {
        let say = |english, korean| language.say(english, korean);
        let title = say(
            "Korean CommonGen: systems, people, metrics",
            "한국어 CommonGen: 시스템, 사람, 척도",
        );
        let mut document = Document::new(title, language)
            .lead(self.verdict(language))
            .remark(format!("{}: {}", say("Signature", "서명"), self.signature));
        for set in &self.sets {
            document = set.sections(language).into_iter().fold(document, Document::section);
        }
        document
            .section(
                Section::new(say("The data set (Table 1)", "데이터 세트(표 1)"))
                    .text(say(
                        "Length: mean per sentence. Additional morphemes: those of a sentence that are none of its concept set's. \
                         Unseen: how many of the different concepts, pairs and triples no training file has. Captions and dialogues: shares of the sentences whose \
                         origin is known. The two published training files have each other's name, and are counted as what they hold.",
                        "길이는 문장당 평균이다. 추가 형태소는 개념 집합에 없는 형태소이다. 처음 보는 것은 서로 다른 개념, 쌍, 세 쌍 가운데 학습 파일에 없는 것의 수이다. \
                         캡션과 대화는 출처를 아는 문장에서 차지하는 비율이다. 공개된 두 학습 파일은 이름이 서로 바뀌어 있어 실제 내용에 따라 세었다.",
                    ))
                    .table(self.data_table(language)),
            )
            .section(Section::new(say("How the scores came about", "점수의 출처")).table(self.signatures(language)))
    }

    fn verdict(&self, language: Language) -> String {
        let Some(set) = self.sets.first() else { return String::new() };
        let best = |of: &dyn Fn(&super::SystemStudy) -> Option<f64>| {
            let scored = set.systems.iter().filter_map(|system| Some((system, of(system)?)));
            scored.max_by(|a, b| a.1.total_cmp(&b.1))
        };
        let mut sentences = Vec::new();
        if let Some((system, score)) = best(&|system| system.scores.get(3).copied()) {
            sentences.push(match language {
                Language::English => format!("Best by ROUGE-L: {} ({score:.2}).", system.name),
                Language::Korean => {
                    format!("ROUGE-L이 가장 높은 시스템: {} ({score:.2}).", system.name)
                }
            });
        }
        if let Some((system, score)) = best(&|system| Some(system.human.as_ref()?.values().sum())) {
            sentences.push(match language {
                Language::English => {
                    format!("Best in the eyes of people: {} ({score:.3} of 8).", system.name)
                }
                Language::Korean => format!(
                    "사람이 가장 높이 평가한 시스템: {} (8점 가운데 {score:.3}).",
                    system.name
                ),
            });
        }
        let total = set.with_people.first().map(|map| {
            let totals =
                map.rows.iter().filter_map(|row| Some((row, map.get(row, "total")?.value)));
            totals.max_by(|a, b| a.1.total_cmp(&b.1))
        });
        if let Some(Some((metric, r))) = total {
            sentences.push(match language {
                Language::English => format!("Closest to people: {metric} (Pearson {r:.3})."),
                Language::Korean => format!("사람과 가장 가까운 척도: {metric} (피어슨 {r:.3})."),
            });
        }
        sentences.join(" ")
    }

    fn data_table(&self, language: Language) -> Table {
        let columns: [&str; 21] = match language {
            Language::English => [
                "file",
                "concept sets",
                "≤ 3",
                "4",
                "5",
                "6",
                "≥ 7",
                "sentences",
                "length, words",
                "length, morphemes",
                "additional morphemes",
                "captions %",
                "dialogues %",
                "concepts",
                "pairs",
                "triples",
                "unseen concepts",
                "unseen pairs",
                "unseen triples",
                "unseen pairs %",
                "unseen triples %",
            ],
            Language::Korean => [
                "파일",
                "개념 집합",
                "≤ 3",
                "4",
                "5",
                "6",
                "≥ 7",
                "문장",
                "길이(어절)",
                "길이(형태소)",
                "추가 형태소",
                "캡션 %",
                "대화 %",
                "개념",
                "쌍",
                "세 쌍",
                "처음 보는 개념",
                "처음 보는 쌍",
                "처음 보는 세 쌍",
                "처음 보는 쌍 %",
                "처음 보는 세 쌍 %",
            ],
        };
        let heading = language.say("The data set", "데이터 세트");
        let mut table = Table::new("table-1-data", heading, columns);
        for file in &self.data {
            let (counts, unseen) = (&file.statistics, file.unseen);
            let rate =
                |rate: Option<f64>| rate.map_or_else(Entry::empty, |rate| Entry::number(rate, 2));
            let count = |count: Option<usize>| count.map_or_else(Entry::empty, Entry::count);
            let mut row = vec![Entry::text(&file.name), Entry::count(counts.sets)];
            row.extend(counts.sizes.map(Entry::count));
            row.extend([
                Entry::count(counts.references),
                Entry::number(counts.words, 2),
                Entry::number(file.morphemes.length, 2),
                Entry::number(file.morphemes.additional, 2),
                rate(file.origins.caption_rate()),
                rate(file.origins.dialogue_rate()),
                Entry::count(counts.concepts),
                Entry::count(counts.pairs),
                Entry::count(counts.triples),
                count(unseen.map(|u| u.concepts.unseen)),
                count(unseen.map(|u| u.pairs.unseen)),
                count(unseen.map(|u| u.triples.unseen)),
                rate(unseen.map(|u| u.pairs.percent())),
                rate(unseen.map(|u| u.triples.percent())),
            ]);
            table.row(row);
        }
        table
    }

    fn signatures(&self, language: Language) -> Table {
        let columns = [language.say("metric", "척도"), language.say("signature", "서명")];
        let heading = language.say("How the scores came about", "점수의 출처");
        let mut table = Table::new("signatures", heading, columns);
        for metric in self.sets.first().map_or(&[][..], |set| &set.metrics) {
            table.row([Entry::text(&metric.name), Entry::prose(metric.signature.to_string())]);
        }
        table
    }
}

impl SetStudy {
    /// What a file's name ends in, so that both tests stand beside each other.
    fn suffix(&self) -> &'static str {
        match self.set {
            TestSet::Original => "",
            TestSet::Reformulated => "-reformulated",
        }
    }

    fn title(&self, language: Language) -> &'static str {
        match self.set {
            TestSet::Original => language.say("Test", "평가"),
            TestSet::Reformulated => language.say("Reformulated test", "재구성 평가"),
        }
    }

    fn sections(&self, language: Language) -> Vec<Section> {
        let say = |english, korean| language.say(english, korean);
        let of = |english: &str, korean: &str| {
            format!("{}: {}", self.title(language), language.say(english, korean))
        };
        let [scores, ratings] = match self.set {
            TestSet::Original => [
                say("scores (Table 2)", "점수(표 2)"),
                say("what people say (Table 5)", "사람의 평가(표 5)"),
            ],
            TestSet::Reformulated => [
                say("scores (Table 7)", "점수(표 7)"),
                say("what people say (Table 8)", "사람의 평가(표 8)"),
            ],
        };
        let titled = |text: &str| format!("{}: {text}", self.title(language));
        vec![
            Section::new(titled(scores))
                .text(say(
                    "p3 and p4 are what the paper calls BLEU 3 and 4: n-gram precisions. Its ROUGE weighs recall. What the names commonly mean stands beside \
                     them. People: each reference against the others of its concept set, so against one fewer than a system.",
                    "p3과 p4는 논문이 BLEU 3, BLEU 4라고 부른 n-그램 정밀도이다. 논문의 ROUGE는 재현율에 무게를 둔다. 그 이름이 흔히 뜻하는 척도를 옆에 두었다. \
                     사람: 참조 문장 하나를 같은 개념 집합의 나머지 참조와 견준 것으로, 시스템보다 참조가 하나 적다.",
                ))
                .table(self.scores(language))
                .table(self.seeds(language)),
            Section::new(titled(ratings))
                .text(say(
                    "Ratings from 0 to 2: the mean of all raters and sentences. κ is the mean of the systems' Fleiss' κ, as the paper prints it; that of all \
                     ratings together stands below.",
                    "0점부터 2점까지, 모든 평가자와 문장의 평균이다. κ는 논문처럼 시스템별 플라이스 κ의 평균이고, 모든 평가를 합친 κ는 그 아래에 있다.",
                ))
                .figures(self.ratings_figure(language))
                .table(self.ratings(language)),
            Section::new(of("metrics and people (Figure 4)", "척도와 사람(그림 4)"))
                .text(say(
                    "Segment scores of all rated systems, pooled, with each criterion and with the total of all four; below each coefficient the probability of \
                     such a one by chance. Whiskers: 95 % by bootstrap over concept sets.",
                    "평가된 모든 시스템의 문장 점수를 모아 각 기준 및 네 기준의 합과 견주었다. 계수 아래는 우연히 그런 값이 나올 확률이다. 수염은 개념 집합을 단위로 한 \
                     부트스트랩 95 % 구간이다.",
                ))
                .figures(self.total_figure(language))
                .figures(self.with_people.iter().filter_map(|map| {
                    let columns: Vec<String> =
                        map.columns.iter().map(|name| criterion_in(name, language)).collect();
                    let name = format!("people-{}{}", map.correlation, self.suffix());
                    let title = format!("{} {}", map.correlation.title(), say("with people", "사람과의 상관"));
                    map.draw(&name, &title, &columns)
                })),
            Section::new(of("metrics with each other (Figure 3)", "척도끼리(그림 3)"))
                .text(say(
                    "The same segment scores with each other.",
                    "같은 문장 점수를 척도끼리 견주었다.",
                ))
                .figures(self.between_metrics.iter().filter_map(|map| {
                    let name = format!("metrics-{}{}", map.correlation, self.suffix());
                    let title = format!("{} {}", map.correlation.title(), say("between metrics", "척도 사이"));
                    map.draw(&name, &title, &map.columns)
                })),
            Section::new(of("cases (Figure 5)", "사례(그림 5)"))
                .text(say(
                    "Outputs that people and metrics like best and least, and those on which they differ most. A percentage is the share of all outputs that the metric ranks \
                     below this one.",
                    "사람과 척도가 모두 가장 좋게, 또는 가장 나쁘게 본 출력과 둘이 가장 어긋난 출력이다. 백분율은 그 척도가 이 출력보다 낮게 본 출력의 비율이다.",
                ))
                .cases(self.cases(language)),
        ]
    }

    fn scores(&self, language: Language) -> Table {
        let name = format!("scores{}", self.suffix());
        let columns = std::iter::once(language.say("system", "시스템").to_owned())
            .chain(self.metrics.iter().map(|metric| metric.name.clone()));
        let mut table = Table::new(name, language.say("Scores", "점수"), columns);
        for system in &self.systems {
            table.row(
                std::iter::once(Entry::text(&system.name))
                    .chain(system.scores.iter().map(|s| score(*s))),
            );
        }
        if let Some(people) = &self.people {
            let name = language.say("people", "사람");
            table.row(
                std::iter::once(Entry::text(name)).chain(people.scores.iter().map(|s| score(*s))),
            );
        }
        table
    }

    /// The paper's Table 6.
    fn seeds(&self, language: Language) -> Table {
        let name = format!("seeds{}", self.suffix());
        let first =
            [language.say("system", "시스템"), language.say("seeds", "시드 수")].map(str::to_owned);
        let columns =
            first.into_iter().chain(self.metrics.iter().map(|metric| metric.name.clone()));
        let heading = language.say(
            "Over seeds (Table 6): mean ± standard deviation",
            "시드별(표 6): 평균 ± 표준 편차",
        );
        let mut table = Table::new(name, heading, columns).note(
            language.say("The sample standard deviation (n − 1).", "표본 표준 편차(n − 1)이다."),
        );
        for system in &self.systems {
            let Some(spread) = &system.spread else { continue };
            let values = system.scores.iter().zip(spread).map(|(mean, deviation)| {
                Entry::shown_as(*mean, format!("{mean:.2} ± {deviation:.2}"))
            });
            table.row(
                [Entry::text(&system.name), Entry::count(system.runs)].into_iter().chain(values),
            );
        }
        table
    }

    fn ratings(&self, language: Language) -> Table {
        let name = format!("ratings{}", self.suffix());
        let columns = std::iter::once(language.say("system", "시스템").to_owned()).chain(
            Criterion::ALL.iter().map(|criterion| criterion_in(criterion.as_str(), language)),
        );
        let mut table = Table::new(name, language.say("Ratings", "평가"), columns);
        for system in &self.systems {
            let Some(human) = &system.human else { continue };
            let means = Criterion::ALL
                .iter()
                .map(|criterion| Entry::coefficient(human.get(criterion).copied()));
            table.row(std::iter::once(Entry::text(&system.name)).chain(means));
        }
        if !self.agreement.is_empty() {
            let mut row = |name: &str, of: &dyn Fn(&Criterion) -> Option<f64>| {
                let values = Criterion::ALL.iter().map(|criterion| match of(criterion) {
                    Some(kappa) => Entry::number(kappa, 4),
                    None => Entry::empty(),
                });
                table.row(std::iter::once(Entry::text(name)).chain(values));
            };
            row(language.say("κ, mean of the systems", "κ, 시스템 평균"), &|c| {
                Some(self.agreement.get(c)?.mean)
            });
            row(language.say("κ, all ratings together", "κ, 모든 평가"), &|c| {
                Some(self.agreement.get(c)?.pooled.value)
            });
        }
        table
    }

    fn ratings_figure(&self, language: Language) -> Option<Figure> {
        let rated: Vec<_> = self.systems.iter().filter(|system| system.human.is_some()).collect();
        let columns = Criterion::ALL.iter().map(|c| criterion_in(c.as_str(), language));
        let title = language.say("Mean rating, 0 to 2", "평균 점수, 0–2");
        let rows = rated.iter().map(|system| &system.name);
        let mut map = HeatMap::new(format!("ratings{}", self.suffix()), title, rows, columns);
        for (column, criterion) in Criterion::ALL.iter().enumerate() {
            let of = |system: &super::SystemStudy| system.human.as_ref()?.get(criterion).copied();
            let best =
                rated.iter().filter_map(|system| of(system)).fold(f64::NEG_INFINITY, f64::max);
            for (row, system) in rated.iter().enumerate() {
                if let Some(mean) = of(system) {
                    map.cell(
                        row,
                        column,
                        HeatCell::new(mean).best(mean == best && rated.len() > 1),
                    );
                }
            }
        }
        map.draw()
    }

    /// Pearson with the total, the metrics that agree best first.
    fn total_figure(&self, language: Language) -> Option<Figure> {
        let map = self.with_people.first()?;
        let title = language.say(
            "Pearson r with the total, 95 % intervals",
            "네 기준의 합과의 피어슨 r, 95 % 신뢰 구간",
        );
        let mut figure = Intervals::new(format!("total{}", self.suffix()), title, [""]);
        let mut rows: Vec<_> = map
            .rows
            .iter()
            .zip(&self.intervals)
            .filter_map(|(name, ends)| Some((name, map.get(name, "total")?.value, *ends)))
            .collect();
        rows.sort_by(|a, b| b.1.total_cmp(&a.1));
        for (name, value, ends) in rows {
            figure.dot(name, 0, value, ends);
        }
        figure.draw()
    }

    fn cases(&self, language: Language) -> Vec<Case> {
        let Cases { best, worst, people_alone, metrics_alone } = &self.cases;
        let kinds = [
            (language.say("liked by all", "모두 좋게 봄"), best),
            (language.say("liked by none", "모두 나쁘게 봄"), worst),
            (language.say("liked by people alone", "사람만 좋게 봄"), people_alone),
            (language.say("liked by metrics alone", "척도만 좋게 봄"), metrics_alone),
        ];
        let case = |kind: &str, output: &JudgedOutput| Case {
            title: format!("{kind} · {}, {}", output.system, output.segment),
            text: output.output.clone(),
            beside: std::iter::once((
                language.say("concepts", "개념").to_owned(),
                output.concepts.join(" · "),
            ))
            .chain(
                output
                    .references
                    .iter()
                    .map(|text| (language.say("reference", "참조").to_owned(), text.clone())),
            )
            .collect(),
            figures: std::iter::once((
                language.say("people", "사람").to_owned(),
                format!("{:.2}", output.total),
                "/ 8".to_owned(),
            ))
            .chain(self.metrics.iter().zip(output.scores.iter().zip(&output.ranks)).map(
                |(metric, (score, rank))| {
                    (metric.name.clone(), format!("{score:.2}"), format!("{:.0} %", 100.0 * rank))
                },
            ))
            .collect(),
        };
        kinds
            .iter()
            .flat_map(|(kind, outputs)| outputs.iter().map(move |output| case(kind, output)))
            .collect()
    }
}

/// Percentages with two decimals, shares with four.
fn score(value: f64) -> Entry {
    Entry::number(value, if value.abs() > 1.5 { 2 } else { 4 })
}

/// A criterion's name.
pub(crate) fn criterion_in(name: &str, language: Language) -> String {
    match (language, name) {
        (Language::Korean, "grammar") => "문법".into(),
        (Language::Korean, "commonsense") => "상식".into(),
        (Language::Korean, "factuality") => "사실성".into(),
        (Language::Korean, "fluency") => "유창성".into(),
        (Language::Korean, "total") => "합계".into(),
        _ => name.to_owned(),
    }
}
