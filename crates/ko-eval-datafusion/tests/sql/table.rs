//! A table of pairs, in any number of partitions and in any order, and what a query answers.

use datafusion::{
    arrow::{
        array::{
            ArrayRef, AsArray, Float64Array, Int64Array, ListBuilder, RecordBatch, StringArray,
            StringBuilder,
        },
        datatypes::{DataType, Field, Float64Type, Schema},
    },
    datasource::MemTable,
    error::Result,
    prelude::{SessionConfig, SessionContext},
};
use ko_eval::{OwnedSegment, Segment};
use std::{future::Future, sync::Arc};

/// A row: its system, and the segment.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) system: &'static str,
    pub(crate) hypothesis: String,
    pub(crate) references: Vec<String>,
    pub(crate) source: String,
}

impl Row {
    pub(crate) fn segment(&self) -> OwnedSegment {
        let segment = OwnedSegment::new(self.hypothesis.clone(), self.references.clone());
        segment.unwrap().with_source(self.source.clone())
    }
}

const SENTENCES: &[&str] = &[
    "나는 어제 시장에서 사과를 샀다.",
    "선생님께서 교실에 들어오셨습니다.",
    "비가 오면 우리는 집에서 책을 읽어요.",
    "그 사람은 무슨 일이 있어도 약속을 지킨다.",
    "한글은 1443년에 만들어졌다고 한다.",
    "이 기차는 오후 세 시에 부산에 도착합니다.",
    "동생이 그린 그림을 벽에 걸어 두었어.",
    "AI 모델의 성능은 데이터에 달려 있다(정말로!).",
    "할머니, 진지 잡수셨어요?",
    "\u{1102}\u{1161}\u{11ab} 괜찮아 😀 ㅋㅋ",
    "바람이 불고, 눈이 내리고, 길이 얼었다.",
    "밥을 먹었다",
];

/// Pairs of our own: repeated, shortened, reordered, empty, with one to three references each.
pub(crate) fn pairs(count: usize) -> Vec<Row> {
    let row = |number: usize| {
        let reference = SENTENCES[number % SENTENCES.len()];
        let words: Vec<&str> = reference.split(' ').collect();
        let hypothesis = match number % 7 {
            0 => reference.to_owned(),
            1 => words[..words.len().div_ceil(2)].join(" "),
            2 => words.iter().rev().copied().collect::<Vec<_>>().join(" "),
            3 => format!("{reference} {}", SENTENCES[(number * 5 + 1) % SENTENCES.len()]),
            4 => reference.replace("다.", "어요."),
            5 if number % 35 == 5 => String::new(),
            _ => format!("{number}번째 {reference}"),
        };
        let others =
            (0..number % 3).map(|more| SENTENCES[(number + more * 3 + 1) % SENTENCES.len()]);
        Row {
            system: ["가", "나", "다"][number % 11 % 3],
            hypothesis,
            references: std::iter::once(reference).chain(others).map(str::to_owned).collect(),
            source: format!("{reference} {}", SENTENCES[(number + 4) % SENTENCES.len()]),
        }
    };
    (0..count).map(row).collect()
}

/// The same rows in another order, which is the same each time.
pub(crate) fn shuffled(rows: &[Row], seed: usize) -> Vec<Row> {
    let mut keyed: Vec<(usize, &Row)> = rows
        .iter()
        .enumerate()
        .map(|(number, row)| ((number + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7, row))
        .collect();
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, row)| row.clone()).collect()
}

/// What `corpus_score` of the rows is, by this metric over this unit.
pub(crate) fn expected(metric: &str, unit: &str, rows: &[Row]) -> f64 {
    let owned: Vec<OwnedSegment> = rows.iter().map(Row::segment).collect();
    let segments: Vec<Segment<'_>> = owned.iter().map(OwnedSegment::as_segment).collect();
    ko_eval::metric(metric, unit).unwrap().corpus_score(&segments).unwrap().score.value
}

pub(crate) fn batch(rows: &[Row]) -> RecordBatch {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for row in rows {
        row.references.iter().for_each(|reference| lists.values().append_value(reference));
        lists.append(true);
    }
    let text = |of: fn(&Row) -> &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(rows.iter().map(of)))
    };
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..rows.len() as i64));
    let columns = [
        ("system", text(|row| row.system)),
        ("hyp", text(|row| &row.hypothesis)),
        ("ref", text(|row| &row.references[0])),
        ("refs", Arc::new(lists.finish()) as ArrayRef),
        ("src", text(|row| &row.source)),
        ("id", ids),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

/// A session that knows our functions, with so many partitions and small batches.
pub(crate) fn session(partitions: usize) -> SessionContext {
    let config = SessionConfig::new().with_target_partitions(partitions).with_batch_size(16);
    let mut context = SessionContext::new_with_config(config);
    ko_eval_datafusion::register_all(&mut context).unwrap();
    context
}

/// The same with the rows as table `pairs`.
pub(crate) fn with_pairs(rows: &[Row], partitions: usize) -> SessionContext {
    let context = session(partitions);
    let parts = rows.chunks(rows.len().div_ceil(partitions).max(1));
    // Several batches in each partition.
    let parts: Vec<Vec<RecordBatch>> =
        parts.map(|part| part.chunks(13).map(batch).collect()).collect();
    let schema = batch(rows).schema();
    context.register_table("pairs", Arc::new(MemTable::try_new(schema, parts).unwrap())).unwrap();
    context
}

/// A table of one column of texts.
pub(crate) fn with_texts(name: &str, texts: ArrayRef) -> SessionContext {
    let context = session(1);
    let schema = Schema::new(vec![Field::new(name, texts.data_type().clone(), true)]);
    let batch = RecordBatch::try_new(Arc::new(schema), vec![texts]).unwrap();
    context.register_batch("texts", batch).unwrap();
    context
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap().block_on(work)
}

/// The rows that a query answers, as one batch.
pub(crate) fn ask(context: &SessionContext, sql: &str) -> Result<RecordBatch> {
    block_on(async {
        let frame = context.sql(sql).await?;
        let schema = Arc::new(frame.schema().as_arrow().clone());
        let batches = frame.collect().await?;
        let schema = batches.first().map_or(schema, |batch| batch.schema());
        Ok(datafusion::arrow::compute::concat_batches(&schema, &batches)?)
    })
}

/// What planning a query complains about.
pub(crate) fn complaint(context: &SessionContext, sql: &str) -> String {
    let planned = block_on(async {
        let frame = context.sql(sql).await?;
        // The optimizer is part of planning; nothing is executed.
        frame.into_optimized_plan().map(|_| ())
    });
    match planned {
        Ok(()) => panic!("planned: {sql}"),
        Err(error) => error.to_string(),
    }
}

/// A column of numbers.
pub(crate) fn numbers(batch: &RecordBatch, name: &str) -> Vec<Option<f64>> {
    let column = batch.column_by_name(name).unwrap_or_else(|| panic!("{name}"));
    let column: &Float64Array = column.as_primitive::<Float64Type>();
    column.iter().collect()
}

/// The single number that a query answers.
pub(crate) fn number(context: &SessionContext, sql: &str) -> Option<f64> {
    let batch = ask(context, sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    assert_eq!((batch.num_rows(), batch.num_columns()), (1, 1), "{sql}");
    match batch.column(0).data_type() {
        DataType::Float64 => batch.column(0).as_primitive::<Float64Type>().iter().next().unwrap(),
        other => panic!("{sql}: {other}"),
    }
}
