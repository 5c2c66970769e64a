//! A cluster of processes on this machine: a scheduler and two executors give the digits that one process gives, also when one of them dies.
//!
//! `KO_EVAL_CLUSTER_PAIRS=400000` lets more pairs pass through than a quick run does.

use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use datafusion::{
    arrow::{
        array::{ArrayRef, AsArray, RecordBatch, StringArray},
        datatypes::Float64Type,
    },
    parquet::arrow::ArrowWriter,
    prelude::{SessionConfig, SessionContext},
};
use ko_eval_cluster::{Error, client};
use ko_eval_datafusion::files::{self, Query};
use std::{
    fs::{self, File},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

/// Files, and with them tasks of the first stage.
const PARTS: usize = 16;

const SENTENCES: &[&str] = &[
    "나는 어제 시장에서 사과를 샀다.",
    "선생님께서 교실에 들어오셨습니다.",
    "비가 오면 우리는 집에서 책을 읽어요.",
    "그 사람은 무슨 일이 있어도 약속을 지킨다.",
    "이 기차는 오후 세 시에 부산에 도착합니다.",
    "동생이 그린 그림을 벽에 걸어 두었어.",
    "바람이 불고, 눈이 내리고, 길이 얼었다.",
];

/// How many pairs pass through.
fn count() -> usize {
    let asked = std::env::var("KO_EVAL_CLUSTER_PAIRS").ok();
    asked.map_or(8000, |asked| asked.parse().expect("KO_EVAL_CLUSTER_PAIRS is a number"))
}

/// Pairs of our own, in as many files as there are parts.
fn write_pairs(folder: &Path, count: usize) {
    for part in 0..PARTS {
        let numbers = (part * count / PARTS)..((part + 1) * count / PARTS);
        let reference = |number: usize| SENTENCES[number % SENTENCES.len()];
        let hypothesis = |number: usize| {
            let words: Vec<&str> = reference(number).split(' ').collect();
            match number % 5 {
                0 => reference(number).to_owned(),
                1 => words[..words.len() / 2].join(" "),
                2 => words.iter().rev().copied().collect::<Vec<_>>().join(" "),
                3 => format!("{} {}", reference(number), reference(number / 3)),
                _ => format!("{number}번째 {}", reference(number + 1)),
            }
        };
        let text = |of: &dyn Fn(usize) -> String| -> ArrayRef {
            Arc::new(StringArray::from_iter_values(numbers.clone().map(of)))
        };
        let batch = RecordBatch::try_from_iter([
            ("system", text(&|number| ["가", "나", "다"][number % 3].to_owned())),
            ("hyp", text(&hypothesis)),
            ("ref", text(&|number| reference(number).to_owned())),
        ])
        .unwrap();
        let file = File::create(folder.join(format!("part-{part:02}.parquet"))).unwrap();
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }
}

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(program: &str, arguments: &[String]) -> Process {
    Process(Command::new(program).args(arguments).stdout(Stdio::null()).spawn().unwrap())
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Waits until something is so, asking again and again, because other processes make it so; what never comes fails the test.
fn wait_for(what: &str, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < Duration::from_secs(240), "{what}: waited for too long");
        thread::sleep(Duration::from_millis(20));
    }
}

/// A scheduler that gives an executor up after four seconds of silence.
fn scheduler() -> (Process, String) {
    let port = free_port();
    let arguments = [format!("--port={port}"), "--executor-timeout=4".to_owned()];
    let process = start(env!("CARGO_BIN_EXE_ko-eval-scheduler"), &arguments);
    let address = format!("127.0.0.1:{port}");
    wait_for("the scheduler", || TcpStream::connect(&address).is_ok());
    (process, address)
}

fn executor(address: &str, work_dir: &Path) -> Process {
    let port = address.rsplit_once(':').unwrap().1;
    start(
        env!("CARGO_BIN_EXE_ko-eval-executor"),
        &[
            "--scheduler-host=127.0.0.1".to_owned(),
            format!("--scheduler-port={port}"),
            "--external-host=127.0.0.1".to_owned(),
            format!("--port={}", free_port()),
            format!("--grpc-port={}", free_port()),
            format!("--work-dir={}", work_dir.display()),
            "--tasks=1".to_owned(),
            "--heartbeat=1".to_owned(),
        ],
    )
}

fn query(folder: &Path) -> String {
    format!(
        "SELECT system, ko_bleu(hyp, ref, 'char', 'order=2') AS bleu, ko_chrf(hyp, ref, 'char') AS chrf, ko_ter(hyp, ref, 'word') AS ter, \
         ko_corpus_ci('rouge-l', 'word', hyp, ref, NULL, NULL, 20)['high'] AS high \
         FROM '{}/*.parquet' GROUP BY system ORDER BY system",
        folder.display()
    )
}

fn config() -> SessionConfig {
    SessionConfig::new().with_target_partitions(PARTS)
}

/// The digits of all numbers that a session answers.
async fn digits(session: &SessionContext, sql: &str) -> Result<Vec<u64>, Error> {
    let query = Query::plan(session, sql).await.map_err(Error::explained)?;
    let batches = query.collect(|_| {}).await.map_err(Error::explained)?;
    let mut digits = Vec::new();
    for batch in &batches {
        for name in ["bleu", "chrf", "ter", "high"] {
            let column = batch.column_by_name(name).unwrap().as_primitive::<Float64Type>().clone();
            digits.extend(column.iter().map(|number| number.unwrap().to_bits()));
        }
    }
    Ok(digits)
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path());
    paths.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

#[test]
fn a_cluster_gives_the_digits_of_one_process_also_when_an_executor_dies() {
    let folder = tempfile::tempdir().unwrap();
    let pairs = folder.path().join("pairs");
    fs::create_dir(&pairs).unwrap();
    write_pairs(&pairs, count());
    let sql = query(&pairs);
    let runtime = runtime();
    let alone =
        runtime.block_on(async { digits(&files::session(config()).unwrap(), &sql).await }).unwrap();
    assert_eq!(alone.len(), 12);

    let (_scheduler, address) = scheduler();
    let works = [folder.path().join("one"), folder.path().join("two")];
    let [_one, mut two] = works.each_ref().map(|work| executor(&address, work));
    let session = async || {
        client::connect(&address, files::session(config()).unwrap().state()).await.unwrap()
    };
    let together = runtime.block_on(async { digits(&session().await, &sql).await }).unwrap();
    assert_eq!(together, alone, "two executors");

    // Once more, and what one executor has done is lost before the others can fetch it.
    let before = files_below(&works[1]).len();
    let again = {
        let session = runtime.block_on(session());
        runtime.spawn(async move { digits(&session, &sql).await })
    };
    wait_for("a task of the second executor", || files_below(&works[1]).len() > before);
    assert!(!again.is_finished(), "it is killed in the middle of the job");
    two.0.kill().unwrap();
    let left = runtime.block_on(again).unwrap().unwrap();
    assert_eq!(left, alone, "one executor");
}

#[test]
fn an_executor_without_the_functions_is_told_from_others() {
    let folder = tempfile::tempdir().unwrap();
    write_pairs(folder.path(), 64);
    let (_scheduler, address) = scheduler();
    let port = address.rsplit_once(':').unwrap().1.parse().unwrap();
    let runtime = runtime();
    // As Ballista ships it.
    let plain = ExecutorProcessConfig {
        scheduler_host: "127.0.0.1".into(),
        external_host: Some("127.0.0.1".into()),
        scheduler_port: port,
        scheduler_connect_timeout_seconds: 30,
        port: free_port(),
        grpc_port: free_port(),
        vcores: 1,
        work_dir: Some(folder.path().join("work").display().to_string()),
        ..ExecutorProcessConfig::default()
    };
    fs::create_dir(folder.path().join("work")).unwrap();
    let plain = runtime.spawn(start_executor_process(Arc::new(plain)));
    let told = runtime.block_on(async {
        let session =
            client::connect(&address, files::session(config()).unwrap().state()).await.unwrap();
        digits(&session, &query(folder.path())).await.unwrap_err().to_string()
    });
    plain.abort();
    assert!(
        told.contains(
            "where it does not know a function: every executor must be ko-eval-executor 0.55"
        ),
        "{told}"
    );
}

#[test]
fn who_is_not_there_is_told() {
    let runtime = runtime();
    let connect = |address: String| {
        let state = files::session(config()).unwrap().state();
        runtime.block_on(async move { client::connect(&address, state).await }).err().unwrap()
    };
    let silent = connect(format!("127.0.0.1:{}", free_port())).to_string();
    assert!(silent.contains("`ko-eval-scheduler` starts one"), "{silent}");
    for (address, told) in
        [("localhost", "no port"), (":50050", "no host"), ("localhost:x", "its port is no port")]
    {
        let error = connect(address.to_owned()).to_string();
        assert!(error.contains(told), "{error}");
    }
}
