//! One running program, and a conversation with it that cannot hang.

use super::{
    error::{BridgeError, Said},
    program::Program,
};
use std::{
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child as Process, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError},
    },
    thread,
    time::{Duration, Instant},
};

/// The longest answer, in bytes.
const LONGEST_ANSWER: u64 = 64 << 20;

/// How much of standard error is kept.
const KEPT_OF_STDERR: usize = 2000;

/// How long to wait for the last words of a program that has ended.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// How much of a text an error shows.
const SHOWN: usize = 80;

/// A running program. Reading and writing are done by threads of their own, so that a program that neither reads nor
/// writes costs the time-out and no more.
#[derive(Debug)]
pub struct Child {
    command: String,
    /// How long a line may take.
    timeout: Duration,
    process: Process,
    /// Lines to be written.
    texts: Sender<String>,
    answers: Mutex<Receiver<Line>>,
    stderr: Arc<Mutex<Vec<u8>>>,
    /// Closed when standard error is.
    stderr_open: Mutex<Receiver<()>>,
}

/// What was read of a program's output.
#[derive(Debug)]
struct Line {
    bytes: Vec<u8>,
    /// What came with it, beyond its end.
    more: Vec<u8>,
}

impl Child {
    /// Starts it.
    ///
    /// # Errors
    /// [`BridgeError::Start`].
    pub fn start(program: &Program) -> Result<Self, BridgeError> {
        let command = program.to_string();
        let failed = |source| BridgeError::Start { command: command.clone(), source };
        let mut process = Command::new(&program.name)
            .args(&program.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let pipes = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(failed(io::Error::other("it has no pipes")));
        };
        let (texts, to_write) = mpsc::channel();
        // One line may wait; a program that floods us waits for us in turn, and our memory stays as it is.
        let (read, answers) = mpsc::sync_channel(1);
        let (open, stderr_open) = mpsc::channel();
        let said = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&said);
        thread::spawn(move || write_lines(stdin, &to_write));
        thread::spawn(move || read_lines(stdout, &read));
        thread::spawn(move || keep_last(stderr, &kept, open));
        let (answers, stderr_open) = (Mutex::new(answers), Mutex::new(stderr_open));
        let timeout = program.timeout;
        Ok(Self { command, timeout, process, texts, answers, stderr: said, stderr_open })
    }

    fn command(&self) -> String {
        self.command.clone()
    }

    /// That an answer cannot be read.
    pub fn nonsense(&self, answer: &str, reason: String) -> BridgeError {
        BridgeError::Nonsense { command: self.command(), answer: beginning(answer), reason }
    }

    /// The answer to one line: one line.
    ///
    /// # Errors
    /// When it ends, is late, or writes more than a line.
    pub fn ask(&mut self, line: &str) -> Result<String, BridgeError> {
        self.tell(line)?;
        let (answer, more) = self.hear(line)?;
        if !more.is_empty() {
            return Err(self.too_many(&more));
        }
        Ok(answer)
    }

    /// The answer to one line: lines up to an empty one, at most `most` of them.
    ///
    /// # Errors
    /// When it ends, is late, or writes more than that.
    pub fn ask_lines(&mut self, line: &str, most: usize) -> Result<Vec<String>, BridgeError> {
        self.tell(line)?;
        let mut lines = Vec::new();
        loop {
            let (answer, more) = self.hear(line)?;
            if answer.is_empty() {
                return if more.is_empty() { Ok(lines) } else { Err(self.too_many(&more)) };
            }
            if lines.len() == most {
                return Err(self.too_many(answer.as_bytes()));
            }
            lines.push(answer);
        }
    }

    /// Sends a line, if nothing came that nobody asked for.
    fn tell(&mut self, line: &str) -> Result<(), BridgeError> {
        match own(&mut self.answers).try_recv() {
            Ok(unasked) => return Err(self.too_many(&unasked.bytes)),
            Err(TryRecvError::Disconnected) => return Err(self.died(line)),
            Err(TryRecvError::Empty) => {}
        }
        // If the writer has stopped, the program has, and there will be no answer.
        let _ = self.texts.send(format!("{line}\n"));
        Ok(())
    }

    /// One line of the answer, and what came with it.
    fn hear(&mut self, line: &str) -> Result<(String, Vec<u8>), BridgeError> {
        let timeout = self.timeout;
        let Line { mut bytes, more } = match own(&mut self.answers).recv_timeout(timeout) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Disconnected) => return Err(self.died(line)),
            Err(RecvTimeoutError::Timeout) => {
                let (command, text) = (self.command(), beginning(line));
                return Err(BridgeError::TimedOut { command, timeout, text, stderr: self.said() });
            }
        };
        match bytes.pop() {
            Some(b'\n') => {}
            _ if bytes.len() as u64 + 1 >= LONGEST_ANSWER => {
                return Err(BridgeError::TooLong {
                    command: self.command(),
                    limit: LONGEST_ANSWER,
                });
            }
            // It ended in the midst of a line.
            _ => return Err(self.died(line)),
        }
        let answer = String::from_utf8(bytes).map_err(|error| BridgeError::NotUtf8 {
            command: self.command(),
            answer: beginning(&String::from_utf8_lossy(error.as_bytes())),
        })?;
        Ok((answer.strip_suffix('\r').map(str::to_owned).unwrap_or(answer), more))
    }

    fn died(&mut self, line: &str) -> BridgeError {
        let stderr = self.last_words();
        let status = self.status();
        BridgeError::Died { command: self.command(), status, text: beginning(line), stderr }
    }

    fn too_many(&self, line: &[u8]) -> BridgeError {
        let line = String::from_utf8_lossy(line);
        let line = beginning(line.lines().next().unwrap_or_default());
        BridgeError::TooManyLines { command: self.command(), line, stderr: self.said() }
    }

    /// How it ended, if it did. Its pipes close a little before that is known.
    fn status(&mut self) -> Option<ExitStatus> {
        let given_up = Instant::now() + LAST_WORDS;
        loop {
            match self.process.try_wait() {
                Ok(None) if Instant::now() < given_up => thread::sleep(Duration::from_millis(1)),
                status => return status.ok().flatten(),
            }
        }
    }

    fn said(&self) -> Said {
        let said = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        Said(String::from_utf8_lossy(&said).into_owned())
    }

    /// What it said until it closed standard error. A program that it started may keep that open.
    fn last_words(&mut self) -> Said {
        let _ = own(&mut self.stderr_open).recv_timeout(LAST_WORDS);
        self.said()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to kill.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What only one thread can hold anyway; the lock lets the program be shared.
fn own<T>(locked: &mut Mutex<T>) -> &mut T {
    locked.get_mut().unwrap_or_else(PoisonError::into_inner)
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, lines: &SyncSender<Line>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut bytes = Vec::new();
        match stdout.by_ref().take(LONGEST_ANSWER).read_until(b'\n', &mut bytes) {
            Ok(1..) => {}
            _ => return,
        }
        let more = stdout.buffer().to_vec();
        if lines.send(Line { bytes, more }).is_err() {
            return;
        }
    }
}

/// Keeps the end of what is written; `open` is dropped when all is read.
fn keep_last(mut stderr: ChildStderr, kept: &Mutex<Vec<u8>>, open: Sender<()>) {
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = stderr.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(buffer.iter().take(length));
        let surplus = kept.len().saturating_sub(KEPT_OF_STDERR);
        kept.drain(..surplus);
    }
    drop(open);
}

/// The beginning of a text, for an error.
fn beginning(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
