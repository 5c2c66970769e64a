//! Parquet files with changed bytes: an error, or an answer; never a panic.

use crate::table::{batch, pairs};
use datafusion::{
    parquet::{
        arrow::ArrowWriter,
        file::{
            metadata::{ParquetMetaDataReader, ParquetMetaDataWriter},
            properties::WriterProperties,
        },
    },
    prelude::SessionConfig,
};
use ko_eval_datafusion::files::{self, ParquetColumns, ParquetSegments, Query};
use ko_eval_testing::cases;
use std::fs;

/// A small file with several row groups and pages, dictionaries and lists.
fn file() -> Vec<u8> {
    let mut bytes = Vec::new();
    let pairs = batch(&pairs(24));
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(10))
        .set_data_page_row_count_limit(4)
        .build();
    let mut writer = ArrowWriter::try_new(&mut bytes, pairs.schema(), Some(properties)).unwrap();
    writer.write(&pairs).unwrap();
    writer.close().unwrap();
    bytes
}

/// Numbers that look like chance and are the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// One to three changes: a byte, a piece left out, a piece doubled, the end cut off.
fn damaged(whole: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..=chance.below(3) {
        let (at, len) = (chance.below(bytes.len()), bytes.len());
        let end = len.min(at + 1 + chance.below(40));
        match chance.below(9) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let piece = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, piece));
            }
            2 => bytes.truncate(at.max(1)),
            _ => bytes[at] = chance.below(256) as u8,
        }
    }
    bytes
}

fn columns() -> ParquetColumns {
    let references = vec!["refs".to_owned(), "ref".to_owned()];
    ParquetColumns { hypothesis: "hyp".into(), references, source: Some("src".into()) }
}

#[test]
fn damaged_files_are_errors_or_answers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pairs.parquet");
    let whole = file();
    let mut chance = Chance(18);
    let (mut refused, mut read, mut answered) = (0, 0, 0);
    let rounds = cases(150, 3000);
    for number in 0..rounds {
        fs::write(&path, damaged(&whole, &mut chance)).unwrap();
        let segments = ParquetSegments::open(&path, columns())
            .and_then(Iterator::collect::<ko_eval::Result<Vec<_>>>);
        match segments {
            Ok(_) => read += 1,
            Err(error) => {
                assert!(error.to_string().contains("pairs.parquet"), "{error}");
                refused += 1;
            }
        }
        // Through the engine each takes longer.
        if number % 15 == 0 {
            let sql = format!(
                "SELECT system, ko_chrf(hyp, refs, 'char'), ko_corpus_ci('bleu', 'word', hyp, ref, src, id, 5), \
                 count(ko_score('ter', 'word', hyp, refs)) FROM '{}' GROUP BY system",
                path.display()
            );
            let answer = files::block_on(async {
                let session = files::session(SessionConfig::new().with_target_partitions(2))?;
                Query::plan(&session, &sql).await?.collect(|_| {}).await
            });
            answered += usize::from(answer.unwrap().is_ok());
        }
    }
    let [least_refused, least_read, least_answered] = [6, 15, 300].map(|part| rounds / part);
    assert!(
        refused > least_refused && read > least_read && answered > least_answered,
        "{refused} {read} {answered}"
    );
}

/// A footer as Thrift's compact protocol writes it: the version, one column that is a group of `children`, no rows, and `row_groups` of them,
/// none of which is there.
fn announcing(children: i32, row_groups: i32) -> Vec<u8> {
    let varint = |number: u32| {
        let septets = (0..5).map(move |place| (number >> (7 * place)) as u8 & 0x7f);
        let mut bytes: Vec<u8> = septets.collect();
        bytes[..4].iter_mut().for_each(|byte| *byte |= 0x80);
        bytes
    };
    let children = varint((children.cast_unsigned() << 1) ^ (children >> 31).cast_unsigned());
    let footer = [
        &[0x15, 2, 0x19, 0x1c, 0x48, 1, b'm', 0x15],
        children.as_slice(),
        &[0, 0x16, 0, 0x19, 0xfc],
        &varint(row_groups.cast_unsigned()),
        &[0],
    ]
    .concat();
    [b"PAR1", footer.as_slice(), &(footer.len() as u32).to_le_bytes(), b"PAR1"].concat()
}

/// Room for what a file announces may not be there, and then the process ends.
#[test]
fn what_is_announced_must_fit_into_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.parquet");
    for (bytes, expected) in [
        (announcing(0, i32::MAX), "a list of 2147483647, where 1 bytes are left"),
        (announcing(i32::MAX, 0), "a group of 2147483647 columns among 1"),
        (announcing(-1, 0), "a group of -1 columns among 1"),
    ] {
        fs::write(&path, bytes).unwrap();
        let error = ParquetSegments::open(&path, columns()).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("bomb.parquet"), "{error}");
        let error = files::parquet_columns(&path).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        let error = files::block_on(async {
            let session = files::session(SessionConfig::new())?;
            Query::plan(&session, &format!("SELECT * FROM '{}'", path.display())).await
        });
        let error = error.unwrap().unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("bomb.parquet"), "{error}");
    }
}

/// Rows are added up before the first one is read.
#[test]
fn rows_that_cannot_be_counted_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let mut bytes = file();
    fs::write(&path, &bytes).unwrap();
    let opened = fs::File::open(&path).unwrap();
    let footer = ParquetMetaDataReader::new().parse_and_finish(&opened).unwrap();
    let mut builder = footer.into_builder();
    for group in builder.take_row_groups() {
        let group = group.into_builder().set_num_rows(-1).build().unwrap();
        builder = builder.add_row_group(group);
    }
    ParquetMetaDataWriter::new(&mut bytes, &builder.build()).finish().unwrap();
    fs::write(&path, bytes).unwrap();
    let error = ParquetSegments::open(&path, columns()).unwrap_err().to_string();
    assert!(error.contains("a row group of -1 rows") && error.contains("rows.parquet"), "{error}");
}

#[test]
fn files_are_read_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pairs.parquet");
    fs::write(&path, file()).unwrap();
    let rows = pairs(24);
    let only = ParquetColumns { references: vec!["refs".to_owned()], ..columns() };
    let found: Vec<_> = ParquetSegments::open(&path, only).unwrap().map(Result::unwrap).collect();
    assert_eq!(found.len(), 24);
    for ((number, segment), (place, row)) in found.iter().zip(rows.iter().enumerate()) {
        assert_eq!((*number, segment), (place + 1, &row.segment()));
    }
    let lacking = ParquetColumns { hypothesis: "output".into(), ..columns() };
    let error = ParquetSegments::open(&path, lacking).unwrap_err().to_string();
    assert!(error.contains("no column `output`; there are `system`, `hyp`"), "{error}");
    let wrong = ParquetColumns { hypothesis: "id".into(), ..columns() };
    let error = ParquetSegments::open(&path, wrong).unwrap_err().to_string();
    assert!(error.contains("the column `id` holds Int64, not texts"), "{error}");
}
