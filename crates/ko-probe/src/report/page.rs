//! The page of a report.

use super::{Cell, ProbeReport, percent};
use crate::findings::{Finding, property_of};
use ko_meta_eval::report::{
    Document, Entry, Figure, HeatCell, HeatMap, Language, Lines, Section, Table,
};

pub(super) fn document(report: &ProbeReport<'_>) -> Document {
    let say = |english, korean| report.language.say(english, korean);
    let titled = Document::new(report.title_text(), report.language).remark(say(
        "Balanced accuracy in percent: the mean recall of the classes. An asterisk marks the best of a task.",
        "균형 정확도(%), 곧 범주별 재현율의 평균입니다. 별표는 그 과제에서 가장 높은 값입니다.",
    ));
    let remarked = report.too_small().into_iter().fold(titled, Document::remark);
    remarked
        .section(
            Section::new(say("Scores", "점수"))
                .text(say(
                    "The map shows how far a score lies above guessing: 0 is one class for all, 1 everything right.",
                    "그림은 점수가 찍기보다 얼마나 높은지 보여 줍니다. 0은 한 가지 답만 고른 것, 1은 모두 맞힌 것입니다.",
                ))
                .figures(map(report))
                .table(scores(report)),
        )
        .section(
            Section::new(say("Layer by layer", "층별로"))
                .text(say(
                    "Layer 0 is the embeddings. A ring marks the best layer of each line.",
                    "0층은 임베딩입니다. 테두리는 각 선에서 가장 좋은 층입니다.",
                ))
                .figures(curves(report, &ACCURACY))
                .figures(rivals(report)),
        )
        .section(
            Section::new(say("Description length", "기술 길이"))
                .text(say(
                    "How many times fewer bits the labels cost by an online code than by a uniform one. Where classes are uneven, vectors that tell nothing have more than 1, too: compare with `random`.",
                    "온라인 부호로 적은 답이 균등 부호보다 몇 배 짧은지 보여 줍니다. 범주의 크기가 고르지 않으면 아무것도 알려 주지 않는 벡터도 1보다 큽니다. `random`과 견주십시오.",
                ))
                .figures(curves(report, &COMPRESSION))
                .table(lengths(report)),
        )
        .section(Section::new(say("Every probe", "프로브별 결과")).table(probes(report)))
        .section(
            Section::new(say("Class by class", "범주별로"))
                .text(say(
                    "Of an encoder with several layers, the one with the best mean.",
                    "여러 층을 살핀 인코더는 평균이 가장 높은 층만 보입니다.",
                ))
                .table(classes(report)),
        )
        .section(Section::new(say("How the vectors came about", "벡터의 출처")).table(signatures(report)))
}

/// Subjects × tasks: how much of the way from guessing to all right.
fn map(report: &ProbeReport<'_>) -> Option<Figure> {
    let findings = report.findings;
    let title = report.language.say("Above guessing", "찍기보다 높은 정도");
    let mut map = HeatMap::new("above-guessing", title, &findings.subjects, &findings.tasks);
    for (row, subject) in findings.subjects.iter().enumerate() {
        for (column, task) in findings.tasks.iter().enumerate() {
            let Some(finding) = findings.get(subject, task) else { continue };
            let above = |score: f64| (score - finding.chance) / (1.0 - finding.chance).max(1e-9);
            let interval = &finding.balanced_accuracy;
            let cell = HeatCell::new(above(interval.score))
                .interval((above(interval.low), above(interval.high)))
                .best(report.is_best(finding));
            map.cell(row, column, cell);
        }
    }
    map.draw()
}

/// What the column with the names of subjects is called.
fn subject(report: &ProbeReport<'_>) -> &'static str {
    report.language.say("subject", "대상")
}

fn scores(report: &ProbeReport<'_>) -> Table {
    let mut rows = report.grid().into_iter();
    let columns = rows.next().unwrap_or_default();
    let heading = report.language.say("Balanced accuracy", "균형 정확도");
    // Every column can be sorted by, so every one needs a name; the terminal's first has none.
    let names = columns.iter().skip(1).map(Cell::text);
    let columns = std::iter::once(subject(report).to_owned()).chain(names);
    let mut table = Table::new("scores", heading, columns);
    for row in rows {
        table.row(row.iter().map(|cell| match cell {
            Cell::Name(name) => Entry::text(name),
            Cell::Score { score, .. } => Entry::shown_as(*score, cell.text()),
        }));
    }
    table
}

/// What is drawn by layer: the start of the file's name, what it is called, and the value.
struct Measure {
    name: &'static str,
    title: (&'static str, &'static str),
    of: fn(&Finding) -> Option<f64>,
}

const ACCURACY: Measure = Measure {
    name: "layers",
    title: ("balanced accuracy in percent", "균형 정확도(%)"),
    of: |finding| Some(finding.balanced_accuracy.score * 100.0),
};

const COMPRESSION: Measure =
    Measure { name: "compression", title: ("compression", "압축률"), of: Finding::compression };

/// For each encoder with several layers: the tasks of each property, and the means of the properties.
fn curves(report: &ProbeReport<'_>, measure: &Measure) -> Vec<Figure> {
    let (findings, language) = (report.findings, report.language);
    let mut figures = Vec::new();
    for (place, (encoder, layers)) in findings.layered().into_iter().enumerate() {
        let measured = language.say(measure.title.0, measure.title.1);
        let start = |what: &str| {
            let name = format!("{}-{}-{what}", measure.name, place + 1);
            let axis = language.say("layer", "층");
            move |title: &str| Lines::new(name, format!("{encoder}, {title}: {measured}"), axis)
        };
        let mut means = start("means")(language.say("means", "평균"));
        for property in findings.properties() {
            let shown = report.mean_name(Some(property));
            let mut lines = start(property.name())(shown);
            let tasks = || findings.tasks.iter().filter(|t| property_of(t) == Some(property));
            for task in tasks() {
                let point = |(layer, subject): &(usize, &str)| {
                    Some((*layer as f64, (measure.of)(findings.get(subject, task)?)?))
                };
                lines.line(task, layers.iter().filter_map(point));
            }
            figures.extend(lines.draw());
            let mean = |(layer, subject): &(usize, &str)| {
                let values = tasks().filter_map(|t| (measure.of)(findings.get(subject, t)?));
                Some((*layer as f64, crate::findings::mean(values)?))
            };
            means.line(shown, layers.iter().filter_map(mean));
        }
        let of_all = |(layer, subject): &(usize, &str)| {
            let values =
                findings.tasks.iter().filter_map(|t| (measure.of)(findings.get(subject, t)?));
            Some((*layer as f64, crate::findings::mean(values)?))
        };
        means.line(report.mean_name(None), layers.iter().filter_map(of_all));
        if findings.tasks.len() > 1 {
            figures.extend(means.draw());
        }
    }
    figures
}

/// Where several encoders have layers: the mean over all tasks, and each task, an encoder a line.
fn rivals(report: &ProbeReport<'_>) -> Vec<Figure> {
    let (findings, language) = (report.findings, report.language);
    let encoders = findings.layered();
    if encoders.len() < 2 {
        return Vec::new();
    }
    let asked = std::iter::once(None).chain(findings.tasks.iter().map(Some));
    let figure = |task: Option<&String>| {
        let what = task.map_or(report.mean_name(None), String::as_str);
        let title = format!("{what}: {}", language.say(ACCURACY.title.0, ACCURACY.title.1));
        let name = format!("encoders-{}", task.map_or("mean", String::as_str));
        let mut lines = Lines::new(name, title, language.say("layer", "층"));
        for (encoder, layers) in &encoders {
            let value = |subject: &str| match task {
                Some(task) => findings.get(subject, task).map(|f| f.balanced_accuracy.score),
                None => findings.mean(subject, None),
            };
            let point =
                |(layer, subject): &(usize, &str)| Some((*layer as f64, value(subject)? * 100.0));
            lines.line(encoder, layers.iter().filter_map(point));
        }
        lines.draw()
    };
    asked.filter_map(figure).collect()
}

/// Subjects × tasks: kilobits and compression.
fn lengths(report: &ProbeReport<'_>) -> Table {
    let findings = report.findings;
    let heading = report.language.say("Bits (compression)", "비트(압축률)");
    let columns = std::iter::once(subject(report)).chain(findings.tasks.iter().map(String::as_str));
    let mut table = Table::new("description-length", heading, columns);
    for subject in &findings.subjects {
        let cells: Vec<Entry> = findings
            .tasks
            .iter()
            .map(|task| {
                let finding = findings.get(subject, task);
                let found = finding.and_then(|f| Some((f, f.bits()?, f.compression()?)));
                found.map_or_else(Entry::empty, |(finding, bits, compression)| {
                    let spread = finding.bits_deviation();
                    let spread = spread.map_or_else(String::new, |d| format!(" ±{d:.0}"));
                    Entry::shown_as(bits, format!("{bits:.0}{spread} ({compression:.2})"))
                })
            })
            .collect();
        if findings.findings.iter().any(|f| f.subject == *subject && f.bits().is_some()) {
            table.row(std::iter::once(Entry::text(subject)).chain(cells));
        }
    }
    table
}

/// What a row of [`probes`] holds, in English and in Korean.
const PROBE: [(&str, &str); 16] = [
    ("task", "과제"),
    ("subject", "대상"),
    ("balanced accuracy", "균형 정확도"),
    ("95 % interval", "95 % 신뢰 구간"),
    ("deviation of seeds", "시드 간 표준 편차"),
    ("accuracy", "정확도"),
    ("majority", "다수 범주"),
    ("control", "대조(무작위 답)"),
    ("selectivity", "선택성"),
    ("bits", "비트"),
    ("compression", "압축률"),
    ("learnt from", "학습 문장"),
    ("chosen on", "검증 문장"),
    ("judged on", "평가 문장"),
    ("penalty", "벌점"),
    ("epochs", "반복"),
];

fn probes(report: &ProbeReport<'_>) -> Table {
    let language = report.language;
    let columns = PROBE.map(|(english, korean)| language.say(english, korean));
    let mut table = Table::new("probes", language.say("Every probe", "프로브별 결과"), columns);
    for finding in &report.findings.findings {
        let interval = &finding.balanced_accuracy;
        let share = |value: f64| Entry::shown_as(value, percent(value));
        let optional = |value: Option<f64>| value.map_or_else(Entry::empty, share);
        let number = |value: Option<f64>, decimals| {
            value.map_or_else(Entry::empty, |value| Entry::number(value, decimals))
        };
        let [train, dev, test] = finding.sizes.map(Entry::count);
        table.row([
            Entry::text(&finding.task),
            Entry::text(&finding.subject),
            share(interval.score),
            Entry::text(format!("{}–{}", percent(interval.low), percent(interval.high))),
            optional(finding.deviation()),
            share(finding.accuracy),
            share(finding.majority_accuracy),
            optional(finding.control),
            optional(finding.selectivity()),
            number(finding.bits(), 0),
            number(finding.compression(), 2),
            train,
            dev,
            test,
            Entry::shown_as(f64::from(finding.penalty), finding.penalty.to_string()),
            Entry::count(finding.epochs),
        ]);
    }
    table
}

/// Recalls, and what a class is most often taken for.
fn classes(report: &ProbeReport<'_>) -> Table {
    let (findings, language) = (report.findings, report.language);
    let columns = match language {
        Language::English => {
            ["task", "subject", "class", "sentences", "recall", "most often taken for"]
        }
        Language::Korean => ["과제", "대상", "범주", "문장", "재현율", "가장 자주 혼동한 범주"],
    };
    let heading = language.say("Recall by class", "범주별 재현율");
    let mut table = Table::new("classes", heading, columns);
    let best_layers: Vec<&str> = findings
        .layered()
        .into_iter()
        .filter_map(|(_, layers)| {
            let mean = |subject: &str| findings.mean(subject, None).unwrap_or(0.0);
            let better = |a: &(usize, &str), b: &(usize, &str)| mean(a.1).total_cmp(&mean(b.1));
            layers.into_iter().max_by(better).map(|(_, subject)| subject)
        })
        .collect();
    let several = |encoder: &str| findings.layered().iter().any(|(name, _)| *name == encoder);
    for finding in &findings.findings {
        if several(&finding.encoder) && !best_layers.contains(&finding.subject.as_str()) {
            continue;
        }
        for (place, (class, row)) in finding.classes.iter().zip(&finding.confusion).enumerate() {
            let others = row.iter().zip(&finding.classes).enumerate();
            let wrong = others.filter(|(other, (count, _))| *other != place && **count > 0);
            let taken =
                wrong.max_by_key(|(other, (count, _))| (**count, std::cmp::Reverse(*other)));
            table.row([
                Entry::text(&finding.task),
                Entry::text(&finding.subject),
                Entry::text(&class.class),
                Entry::count(usize::try_from(class.examples).unwrap_or(usize::MAX)),
                Entry::shown_as(class.recall, percent(class.recall)),
                taken.map_or_else(Entry::empty, |(_, (_, taken))| Entry::text(&taken.class)),
            ]);
        }
    }
    table
}

fn signatures(report: &ProbeReport<'_>) -> Table {
    let language = report.language;
    let columns = [subject(report), language.say("signature", "서명")];
    let mut table = Table::new("signatures", language.say("Signatures", "서명"), columns);
    for subject in &report.findings.subjects {
        let finding = report.findings.findings.iter().find(|f| f.subject == *subject);
        if let Some(finding) = finding {
            table.row([Entry::text(subject), Entry::prose(finding.signature.to_string())]);
        }
    }
    table
}
