//! Pairs in Parquet, damaged: an error that names the file, or segments whose texts are there.
//!
//! DataFusion takes a quarter of an hour to compile like this, and the reader needs three names of it beside Arrow and Parquet. So its own
//! source is compiled here, over the very same Arrow and Parquet, with those names given by this file.
#![no_main]
// The reader's modules hold more than is tried.
#![allow(dead_code)]

extern crate self as datafusion;

use arrow_array::{
    ArrayRef, FixedSizeListArray, Int64Array, LargeStringArray, ListArray, RecordBatch,
    StringArray, StringViewArray,
    builder::{FixedSizeListBuilder, ListBuilder, StringBuilder, StringDictionaryBuilder},
    types::Int32Type,
};
use columns::{ParquetColumns, ParquetSegments, parquet_columns};
use ko_eval_fuzz::{Folder, damaged};
use libfuzzer_sys::fuzz_target;
use parquet::{
    arrow::ArrowWriter,
    basic::{Compression, Encoding},
    file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion},
};
use std::{
    panic,
    sync::{Arc, LazyLock},
};

pub mod arrow {
    pub mod array {
        pub use arrow_array::{cast::AsArray, *};
    }
    pub mod compute {
        pub use arrow_cast::cast;
    }
    pub mod datatypes {
        pub use arrow_schema::*;
    }
}
pub use parquet;
pub mod common {
    macro_rules! exec_err {
        ($($what:tt)*) => { Err(arrow_schema::ArrowError::ComputeError(format!($($what)*))) };
    }
    pub(crate) use exec_err;
}
pub mod error {
    pub type Result<T> = std::result::Result<T, arrow_schema::ArrowError>;
}
mod metrics {
    pub(crate) fn external(error: ko_eval::Error) -> arrow_schema::ArrowError {
        arrow_schema::ArrowError::ExternalError(Box::new(error))
    }
}
#[path = "../../crates/ko-eval-datafusion/src/files/parquet.rs"]
mod columns;
#[path = "../../crates/ko-eval-datafusion/src/files/definition.rs"]
mod definition;
#[path = "../../crates/ko-eval-datafusion/src/files/delta.rs"]
mod delta;
#[path = "../../crates/ko-eval-datafusion/src/files/plausible.rs"]
mod plausible;
#[path = "../../crates/ko-eval-datafusion/src/texts.rs"]
mod texts;
#[path = "../../crates/ko-eval-datafusion/src/files/thrift.rs"]
mod thrift;

const TEXTS: [&str; 4] = ["나는 밥을 먹었다.", "비가 온다", "", "비가 온다"];

fn lists() -> ListArray {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for (number, text) in TEXTS.iter().enumerate() {
        (0..=number % 2).for_each(|_| lists.values().append_value(text));
        lists.append(true);
    }
    lists.finish()
}

fn pairs() -> FixedSizeListArray {
    let mut lists = FixedSizeListBuilder::new(StringBuilder::new(), 2);
    for text in TEXTS {
        [text, "눈"].iter().for_each(|text| lists.values().append_value(text));
        lists.append(true);
    }
    lists.finish()
}

/// Each way in which texts are held, each way in which they are written.
static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut repeated = StringDictionaryBuilder::<Int32Type>::new();
    TEXTS.iter().for_each(|text| repeated.append_value(text));
    let all = || TEXTS.iter().copied();
    let table = |hyp: ArrayRef, one: ArrayRef, refs: ArrayRef| {
        let id: ArrayRef = Arc::new(Int64Array::from_iter_values(0..TEXTS.len() as i64));
        let src: ArrayRef = Arc::new(StringViewArray::from_iter_values(all()));
        let columns = [("hyp", hyp), ("ref", one), ("refs", refs), ("src", src), ("id", id)];
        RecordBatch::try_from_iter(columns).expect("columns of one length")
    };
    let plain = table(
        Arc::new(StringArray::from_iter_values(all())),
        Arc::new(repeated.finish()),
        Arc::new(lists()),
    );
    let long = table(
        Arc::new(LargeStringArray::from_iter_values(all())),
        Arc::new(StringArray::from_iter(all().map(|text| Some(text).filter(|t| !t.is_empty())))),
        Arc::new(pairs()),
    );
    let write = |table: &RecordBatch, how: WriterPropertiesBuilder| {
        let mut bytes = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut bytes, table.schema(), Some(how.build()))
            .expect("a schema that Parquet has");
        writer.write(table).expect("a small table");
        writer.close().expect("memory");
        bytes
    };
    let how = WriterProperties::builder;
    let seeds = vec![
        write(&plain, how().set_data_page_row_count_limit(2).set_write_batch_size(2)),
        write(&long, how().set_max_row_group_row_count(Some(3))),
        write(
            &plain,
            how()
                .set_dictionary_enabled(false)
                .set_encoding(Encoding::DELTA_BYTE_ARRAY)
                .set_column_encoding("id".into(), Encoding::DELTA_BINARY_PACKED)
                .set_writer_version(WriterVersion::PARQUET_2_0),
        ),
        write(
            &long,
            how()
                .set_dictionary_enabled(false)
                .set_encoding(Encoding::DELTA_LENGTH_BYTE_ARRAY)
                .set_column_encoding("id".into(), Encoding::PLAIN)
                .set_compression(Compression::SNAPPY),
        ),
    ];
    // A panic of the `parquet` crate is an error by the time it reaches us; one that does not become one still ends the fuzzer.
    panic::set_hook(Box::new(|_| {}));
    seeds
});
static FOLDER: LazyLock<Folder> = LazyLock::new(Folder::new);

fuzz_target!(|data: &[u8]| {
    let path = FOLDER.write("pairs.parquet", &damaged(data, &SEEDS));
    let names = parquet_columns(&path);
    let told = |result: Result<(), ko_eval::Error>| {
        if let Err(error) = result {
            assert!(error.to_string().contains("pairs.parquet"), "{error}");
        }
    };
    told(names.map(drop));
    for references in [vec!["ref"], vec!["refs", "ref"], vec![]] {
        let references: Vec<String> = references.into_iter().map(str::to_owned).collect();
        let several = references.len();
        let source = (several == 1).then(|| "src".to_owned());
        let columns = ParquetColumns { hypothesis: "hyp".into(), references, source };
        match ParquetSegments::open(&path, columns) {
            Err(error) => told(Err(error)),
            Ok(segments) => {
                for segment in segments {
                    told(segment.map(|(row, segment)| {
                        assert!(row > 0);
                        let segment = segment.as_segment();
                        assert_eq!(segment.references().is_empty(), several == 0);
                        assert_eq!(segment.source().is_some(), several == 1);
                    }));
                }
            }
        }
    }
});
