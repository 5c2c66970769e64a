//! Vectors of somebody else's runtime: from a file, or from a program that is asked text by text.
//!
//! Both stand below BERTScore (a vector per token), RDASS and probes (a vector per text), and need no libtorch:
//! `bertscore:vectors=FILE`, `rdass:program=COMMAND`.
//!
//! # The form
//!
//! One JSON object per text. For a vector per text `{"vector": [0.1, …]}`; for a vector per token `{"tokens": ["나", "##는"], "vectors": [[0.1, …], …]}`, and
//! `"special": [true, false, …]` where some tokens are marks such as `[CLS]`; an object may have both. In a file there is one object per line, with the
//! `"text"` that it is for: `ko-eval embed` writes such files. All vectors have one length, and their numbers are finite.
//!
//! # The program
//!
//! It is started once and kept. A text comes as a line of UTF-8 (tabs and line breaks as spaces), and the answer goes out as one line, **flushed**:
//!
//! ```text
//! import json, sys
//! for line in sys.stdin:                                # rdass:program=python3 my.py
//!     print(json.dumps({"vector": embed(line.rstrip("\n"))}), flush=True)
//! ```
//!
//! An answer may have the `"text"` that it is for, as it was read; one for another text is an error then, and not taken for the vectors of this one.
//! A program that ends, or is late, is started once more and asked again; then it is an error that shows what it wrote to standard error.
//! The command is split at white space, and no shell is involved. What its answers depend on, only it knows: `version` puts a word for that into the signature.
//!
//! ```
//! # #[cfg(unix)] {
//! use ko_eval_io::bridge::Program;
//! use ko_eval_model::{Encoder, SentenceEmbedder};
//! use ko_neural::VectorProgram;
//!
//! let script = r#"while read -r line; do echo '{"vector": [3, 4], "tokens": ["밥"], "vectors": [[1, 0]]}'; done"#;
//! let program = VectorProgram::new(Program::new("sh").args(["-c", script]))?;
//! assert_eq!(program.embed(&["밥 먹자."])?.as_slice(), [3.0, 4.0]);
//! assert_eq!(program.encode(&["밥 먹자."])?[0].tokens, ["밥"]);
//! # }
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

mod answer;
mod file;
mod program;

pub use file::VectorFile;
pub use program::VectorProgram;
