//! The bridge with real programs: good ones, and every kind of bad one.

use ko_eval_core::{Result, Signed, Tokenizer};
use ko_eval_testing::cases;
use ko_tokenize::{
    Bridge, BridgeError, MorphemeAnalyzer, analyzer_by_name,
    bridge::{AnswerForm, BridgeBuilder},
    by_name,
};
use std::{fs, path::Path, time::Duration};

/// A program that answers every line as the script says.
fn answering(script: &str) -> BridgeBuilder {
    shell(&format!("while IFS= read -r line; do {script}; done"))
}

fn shell(script: &str) -> BridgeBuilder {
    Bridge::builder("sh").args(["-c", script])
}

/// Cuts at spaces.
const AT_SPACES: &str = r#"printf '%s\n' "$line" | tr ' ' '\t'"#;

fn units(bridge: &Bridge, text: &str) -> Result<Vec<String>> {
    Ok(bridge.tokenize(text)?.into_iter().map(|unit| unit.into_text().into_owned()).collect())
}

/// The bridge's own error inside the trait's.
fn cause(error: &ko_eval_core::Error) -> &BridgeError {
    let source = std::error::Error::source(error).expect("a cause");
    match source.downcast_ref().expect("this crate's error") {
        ko_tokenize::Error::Bridge(error) => error,
        other => panic!("{other:?}"),
    }
}

/// The error with its causes.
fn chain(error: &ko_eval_core::Error) -> String {
    let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

#[test]
fn lines_go_and_units_come() {
    let bridge = answering(AT_SPACES).build().unwrap();
    assert_eq!(units(&bridge, "비가 온다").unwrap(), ["비가", "온다"]);
    // A line cannot hold these; the places in the text stay.
    let tokens = bridge.tokenize("가\t나\n다\r라").unwrap();
    let spans: Vec<_> = tokens.iter().map(|token| (token.as_str(), token.span())).collect();
    assert_eq!(spans, [("가", 0..3), ("나", 4..7), ("다", 8..11), ("라", 12..15)]);
    assert_eq!(units(&bridge, " \n\t").unwrap(), [""; 0]);
    let long = "가나다 ".repeat(50_000);
    assert_eq!(units(&bridge, &long).unwrap().len(), 50_000);
}

#[test]
fn tags_stand_behind_the_last_slash() {
    let script = r"printf '하/VV\t았/EP\t//SP\n'";
    let bridge = answering(script).form(AnswerForm::Tagged).build().unwrap();
    let morphemes = bridge.analyze("했/").unwrap();
    let pairs: Vec<_> = morphemes.iter().map(|m| (&*m.form, &*m.tag, m.span.clone())).collect();
    assert_eq!(pairs, [("하", "VV", 0..3), ("았", "EP", 0..3), ("/", "SP", 3..4)]);
    assert_eq!(units(&bridge, "했/").unwrap(), ["하", "았", "/"]);

    let plain = answering(script).build().unwrap();
    assert!(plain.analyze("했/").unwrap_err().to_string().contains("`form` cannot be `tokens`"));
}

#[test]
fn the_row_splits_the_command_and_takes_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("cut.sh");
    fs::write(&script, format!("while IFS= read -r line; do {AT_SPACES}; done")).unwrap();
    let spec = format!("bridge:sh {},version=1.2,timeout=20", script.display());
    let bridge = by_name(&spec).unwrap();
    assert_eq!(bridge.tokenize("밥을 먹자").unwrap().len(), 2);
    let signature = bridge.signature();
    assert_eq!(signature.get("command"), Some(&*format!("sh {}", script.display())));
    assert_eq!(signature.get("version"), Some("1.2"));
    assert_eq!(signature.to_string().parse::<ko_eval_core::Signature>().unwrap(), signature);
    assert_eq!(analyzer_by_name(&spec).unwrap().signature().get("form"), Some("tagged"));

    for (spec, part) in [
        ("bridge", "as in bridge:COMMAND"),
        ("bridge:cat,timeout=-1", "`timeout` cannot be `-1`"),
        ("bridge:cat,form=xml", "one of tokens, tagged"),
        ("bridge:cat --mode=x", "no parameter `cat --mode`"),
        ("bridge:/no/such/program", "`/no/such/program` cannot be started"),
    ] {
        let error = chain(&by_name(spec).unwrap_err());
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_program_that_ends_is_started_again() {
    // Each run answers once.
    let bridge = shell(r#"IFS= read -r line; printf '%s\n' "$line""#).build().unwrap();
    for text in ["가", "나", "다"] {
        assert_eq!(units(&bridge, text).unwrap(), [text]);
    }
    let bridge = shell("echo '모델이 없다' >&2; exit 3").build().unwrap();
    let error = units(&bridge, "가").unwrap_err();
    assert!(
        matches!(cause(&error), BridgeError::Died { status: Some(status), .. } if status.code() == Some(3))
    );
    let text = chain(&error);
    assert!(text.contains("instead of answering `가`") && text.contains("모델이 없다"), "{text}");
}

#[test]
fn one_text_that_kills_the_program_does_not_stop_the_next() {
    let bridge = answering(&format!("[ \"$line\" = 독 ] && exit 1; {AT_SPACES}")).build().unwrap();
    assert!(units(&bridge, "독").is_err());
    assert_eq!(units(&bridge, "가 나").unwrap(), ["가", "나"]);
}

/// Runs until a file is there, then goes on at once: late the first time, in time the second.
fn late_once(marker: &Path) -> String {
    format!(
        r#"if [ "$line" = 늦게 ] && [ ! -e '{0}' ]; then : > '{0}'; sleep 3; fi; printf '%s\n' "$line""#,
        marker.display()
    )
}

#[test]
fn a_late_answer_is_never_another_texts() {
    let folder = tempfile::tempdir().unwrap();
    let bridge = answering(&late_once(&folder.path().join("late")))
        .timeout(Duration::from_millis(1500))
        .restarts(0)
        .build()
        .unwrap();
    let error = units(&bridge, "늦게").unwrap_err();
    assert!(matches!(cause(&error), BridgeError::TimedOut { .. }), "{error}");
    assert!(chain(&error).contains("within 1.5 s for `늦게`"), "{error}");
    for text in ["가", "나", "늦게"] {
        assert_eq!(units(&bridge, text).unwrap(), [text]);
    }
}

#[test]
fn a_hanging_program_is_replaced_and_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let bridge = answering(&late_once(&folder.path().join("late")))
        .timeout(Duration::from_millis(1500))
        .build()
        .unwrap();
    assert_eq!(units(&bridge, "늦게").unwrap(), ["늦게"]);

    // One that reads nothing cannot block us, not even with a text larger than any pipe.
    let bridge = shell("exec sleep 60").timeout(Duration::from_millis(100)).build().unwrap();
    let error = units(&bridge, &"가".repeat(1 << 20)).unwrap_err();
    assert!(matches!(cause(&error), BridgeError::TimedOut { .. }), "{error}");
}

#[test]
fn nonsense_is_shown() {
    let error = |builder: BridgeBuilder| units(&builder.build().unwrap(), "가").unwrap_err();
    let wrong = error(answering("echo 가").form(AnswerForm::Tagged));
    assert!(matches!(cause(&wrong), BridgeError::Nonsense { .. }));
    assert!(chain(&wrong).contains("answered `가`: `가` is not `morpheme/TAG`"), "{wrong}");
    let wrong = error(answering(r"printf '\377\n'"));
    assert!(matches!(cause(&wrong), BridgeError::NotUtf8 { .. }), "{wrong}");
    let wrong = error(answering(r"printf '가\n나\n'"));
    assert!(
        matches!(cause(&wrong), BridgeError::TooManyLines { line, .. } if line == "나"),
        "{wrong}"
    );
    let wrong = error(shell("IFS= read -r line; printf '가'"));
    assert!(matches!(cause(&wrong), BridgeError::Died { .. }), "{wrong}");
}

#[test]
fn a_line_nobody_asked_for_is_not_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let [asked, wrote] = ["asked", "wrote"].map(|name| folder.path().join(name));
    let made = std::process::Command::new("mkfifo").args([&asked, &wrote]).status();
    assert!(made.unwrap().success());
    // After its first answer it writes once more; pipes tell it when, and that it did.
    let script = format!(
        "IFS= read -r line; echo 가; : < '{}'; echo 덤; : > '{}'; exec cat",
        asked.display(),
        wrote.display()
    );
    // Another thread reads the line, and who asks before that takes it for the answer.
    let error = (0..1000).find_map(|_| {
        let bridge = shell(&script).build().unwrap();
        assert_eq!(units(&bridge, "가").unwrap(), ["가"]);
        fs::write(&asked, "").unwrap();
        fs::read(&wrote).unwrap();
        std::thread::yield_now();
        units(&bridge, "나").err()
    });
    let error = error.expect("the line is noticed");
    assert!(
        matches!(cause(&error), BridgeError::TooManyLines { line, .. } if line == "덤"),
        "{error}"
    );
}

#[test]
fn many_threads_share_the_programs() {
    let texts: Vec<String> = (0..60).map(|n| format!("글 {n}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for children in [1, 3] {
        let bridge = answering(AT_SPACES).children(children).build().unwrap();
        let cut = ko_tokenize::tokenize_all(&bridge, &texts).unwrap();
        for (number, units) in cut.iter().enumerate() {
            assert_eq!(units[1], number.to_string().as_str());
        }
    }
}

#[test]
fn the_program_goes_with_the_bridge() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let script = format!("echo $$ > '{}'; exec cat", file.display());
    let bridge = shell(&script).build().unwrap();
    assert_eq!(units(&bridge, "가").unwrap(), ["가"]);
    let pid = fs::read_to_string(&file).unwrap();
    let runs = || {
        let ask = std::process::Command::new("kill").args(["-0", pid.trim()]).output();
        ask.unwrap().status.success()
    };
    assert!(runs());
    drop(bridge);
    assert!(!runs());
}

/// Threads of this process that talk to programs, and children that nobody has waited for.
#[cfg(target_os = "linux")]
fn leftovers() -> (usize, usize) {
    let threads = fs::read_dir("/proc/self/task").unwrap().count();
    let own = std::process::id();
    let is_zombie = |pid: &fs::DirEntry| {
        let stat = fs::read_to_string(pid.path().join("stat")).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split(' ').collect();
        fields.get(1) == Some(&"Z") && fields.get(2).and_then(|p| p.parse().ok()) == Some(own)
    };
    let children = fs::read_dir("/proc").unwrap().flatten().filter(is_zombie).count();
    (threads, children)
}

#[cfg(target_os = "linux")]
fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// A child that misbehaves in every way, many times: typed errors, and nothing is left of it.
#[cfg(target_os = "linux")]
#[test]
fn misbehaviour_leaves_no_thread_no_zombie_and_no_memory() {
    // In a process of its own, so that other tests' threads do not count.
    let name = "bridge::misbehaviour_leaves_no_thread_no_zombie_and_no_memory";
    if std::env::var_os("KO_EVAL_BRIDGE_ALONE").is_none() {
        let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
        let alone = alone.args([name, "--exact"]).env("KO_EVAL_BRIDGE_ALONE", "1");
        let output = alone.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        return;
    }
    type Expected = fn(&BridgeError) -> bool;
    let bad: [(&str, Expected); 6] = [
        ("exec yes 가", |e| matches!(e, BridgeError::TooManyLines { .. })),
        ("exec tr '\\0' x < /dev/zero", |e| matches!(e, BridgeError::TooLong { .. })),
        ("exec sleep 100", |e| matches!(e, BridgeError::TimedOut { .. })),
        // It closes its output.
        ("exec cat > /dev/null", |e| matches!(e, BridgeError::Died { .. })),
        ("IFS= read -r line; printf '\\377\\n'; exec cat", |e| {
            matches!(e, BridgeError::NotUtf8 { .. })
        }),
        ("exit 1", |e| matches!(e, BridgeError::Died { .. })),
    ];
    let tried = |script: &str, expected: Expected| {
        // Only who hangs is given little time: on a busy machine others need theirs to start.
        let hangs = script.contains("sleep");
        let timeout = Duration::from_millis(if hangs { 150 } else { 60_000 });
        let bridge = shell(script).timeout(timeout).restarts(0).build().unwrap();
        for _ in 0..3 {
            let error = units(&bridge, "가").unwrap_err();
            assert!(expected(cause(&error)), "{script}: {error:?}");
        }
    };
    bad.iter().for_each(|(script, expected)| tried(script, *expected));
    let settled = |wanted: usize| {
        for _ in 0..200 {
            let (threads, zombies) = leftovers();
            if threads <= wanted && zombies == 0 {
                return threads;
            }
            // Nothing tells that a thread is gone.
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("{:?} are left where {wanted} threads were", leftovers());
    };
    let (threads, memory) = (settled(3), resident());
    for _ in 0..cases(1, 3) {
        bad.iter().for_each(|(script, expected)| tried(script, *expected));
    }
    settled(threads);
    // A flood that nobody reads waits in its pipe, and sooner or later a line is there before it was asked for.
    let script = "IFS= read -r line; echo 가; exec yes 가";
    let bridge = shell(script).restarts(0).build().unwrap();
    let error = (0..100_000).find_map(|_| units(&bridge, "가").err());
    let error = error.expect("a flood is noticed");
    assert!(matches!(cause(&error), BridgeError::TooManyLines { .. }), "{error}");
    let grown = resident().saturating_sub(memory);
    assert!(grown < 64 << 10, "{grown} KiB more than before");
}
