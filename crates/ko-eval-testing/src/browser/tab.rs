//! A headless Chromium, driven through its DevTools protocol over a pair of pipes: no port is opened, and no crate is needed.

use serde_json::{Value, json};
use std::{
    env,
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// Names that Chromium goes by.
const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// What a browser needs to know to run anywhere, as root and without a screen, and to leave the network alone.
const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
];

/// How long a browser may be silent before it counts as stuck; a loaded machine is slow.
const PATIENCE: Duration = Duration::from_secs(180);

/// Where Chromium is: `CHROMIUM`, or on the search path.
pub fn chromium() -> Option<PathBuf> {
    if let Some(named) = env::var_os("CHROMIUM") {
        return Some(named.into());
    }
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    NAMES
        .iter()
        .find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|p| p.is_file()))
}

/// How long a browser may take to close.
const CLOSING: Duration = Duration::from_secs(5);

/// A tab of a browser of its own, which ends with it.
pub struct Tab {
    child: Child,
    to: File,
    from: Receiver<Value>,
    session: String,
    calls: u64,
    /// What happened that nobody asked for.
    events: Vec<Value>,
    _folder: TempDir,
}

impl Tab {
    /// Starts a browser with an empty profile.
    pub fn open(program: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [to, from] = ["to", "from"].map(|name| folder.path().join(name));
        assert!(Command::new("mkfifo").args([&to, &from]).status().unwrap().success());
        // Chromium reads commands from the descriptor 3 and answers on 4; a shell can say so without unsafe code.
        let child = Command::new("sh")
            .args(["-c", "exec 3<\"$TO\" 4>\"$FROM\"; exec \"$@\"", "sh"])
            .arg(program)
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .arg("about:blank")
            .env("TO", &to)
            .env("FROM", &from)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let to = OpenOptions::new().write(true).open(to).unwrap();
        let answers = BufReader::new(File::open(from).unwrap());
        let (sender, from) = channel();
        thread::spawn(move || {
            for message in answers.split(0).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else { return };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut tab = Self {
            child,
            to,
            from,
            session: String::new(),
            calls: 0,
            events: Vec::new(),
            _folder: folder,
        };
        let target = tab.call("Target.createTarget", &json!({ "url": "about:blank" }));
        let session = tab.call(
            "Target.attachToTarget",
            &json!({ "targetId": target["targetId"], "flatten": true }),
        );
        tab.session = session["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            tab.call(&format!("{domain}.enable"), &json!({}));
        }
        tab
    }

    /// Calls a method of the protocol.
    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        self.calls += 1;
        let mut message = json!({ "id": self.calls, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = self.session.as_str().into();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let message =
                self.from.recv_timeout(PATIENCE).unwrap_or_else(|e| panic!("{method}: {e}"));
            if message["id"] == self.calls {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    /// Opens a file, with a fragment, and waits until it is drawn.
    pub fn go(&mut self, file: &Path, fragment: &str) {
        // Another page first: a change of the fragment alone would not load it again.
        self.call("Page.navigate", &json!({ "url": "about:blank" }));
        self.call(
            "Page.navigate",
            &json!({ "url": format!("file://{}#{fragment}", file.display()) }),
        );
        self.wait("document.readyState === 'complete' && location.protocol === 'file:'");
    }

    /// The value of an expression in the page.
    pub fn eval(&mut self, expression: &str) -> Value {
        let answer = self.call(
            "Runtime.evaluate",
            &json!({ "expression": expression, "returnByValue": true, "awaitPromise": true }),
        );
        assert!(
            answer["exceptionDetails"].is_null(),
            "{expression}: {}",
            answer["exceptionDetails"]
        );
        answer["result"]["value"].clone()
    }

    /// Waits until an expression holds: it is asked again after everything that happens in the browser, and once in a
    /// while besides.
    pub fn wait(&mut self, expression: &str) {
        let start = Instant::now();
        while self.eval(expression) != true {
            assert!(start.elapsed() < PATIENCE, "never: {expression}");
            self.events.extend(self.from.recv_timeout(Duration::from_millis(15)));
        }
    }

    /// Waits until a file has been downloaded.
    pub fn downloaded(&mut self) {
        let start = Instant::now();
        let ended = |event: &Value| {
            event["method"] == "Browser.downloadProgress" && event["params"]["state"] == "completed"
        };
        while !self.events.iter().any(ended) {
            let left = PATIENCE.saturating_sub(start.elapsed());
            self.events.push(self.from.recv_timeout(left).expect("a download"));
        }
        self.events.retain(|event| !ended(event));
    }

    /// Presses and lets go of a key.
    pub fn key(&mut self, key: &str, code: u32) {
        let mut down =
            json!({ "type": "rawKeyDown", "key": key, "code": key, "windowsVirtualKeyCode": code });
        if key.chars().count() == 1 {
            down["type"] = "keyDown".into();
            down["text"] = key.into();
        }
        self.call("Input.dispatchKeyEvent", &down);
        let up = json!({ "type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code });
        self.call("Input.dispatchKeyEvent", &up);
    }

    /// Makes the window so wide.
    pub fn width(&mut self, width: u32) {
        let size =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.call("Emulation.setDeviceMetricsOverride", &size);
    }

    /// `light` or `dark`.
    pub fn theme(&mut self, theme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": theme }]);
        self.call("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// Everything that the browser complained of, and every request but those for `page`.
    pub fn complaints(&mut self, page: &Path) -> Vec<String> {
        self.eval("1");
        let page = format!("file://{}", page.display());
        let complaint = |event: &Value| match event["method"].as_str()? {
            "Runtime.exceptionThrown" | "Log.entryAdded" | "Runtime.consoleAPICalled" => {
                Some(event["params"].to_string())
            }
            "Network.requestWillBeSent" => {
                let url = event["params"]["request"]["url"].as_str()?;
                let own = url.starts_with(&page) || url == "about:blank";
                (!own).then(|| format!("a request for {url}"))
            }
            _ => None,
        };
        self.events.iter().filter_map(complaint).collect()
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        // Closes whatever helpers it started, too; killing alone would leave them.
        let close = json!({ "id": 0, "method": "Browser.close" });
        if self.to.write_all(format!("{close}\0").as_bytes()).is_ok() {
            // Until it closes its end of the pipe, and with it the channel.
            while self.from.recv_timeout(CLOSING).is_ok() {}
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
