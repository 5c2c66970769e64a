//! What is installed, where, and how to get what is missing.

use ko_eval_core::home;
use ko_eval_setup::{RECIPES, State, tools};
use std::{env, fmt::Write as _};

/// A page for people.
pub(crate) fn report() -> String {
    let home = home();
    let mut page = format!("home      {}\n", home.display());
    let set = |name| env::var(name).unwrap_or_else(|_| "not set".into());
    for name in [
        "KO_EVAL_HOME",
        "KHAIII_RESOURCE_DIR",
        "LIBTORCH",
        "LIBTORCH_USE_PYTORCH",
        "JAVA_HOME",
        "KO_EVAL_JVM",
    ] {
        // Writing to a string cannot fail.
        let _ = writeln!(page, "{name}={}", set(name));
    }
    for (program, _, version) in tools::all() {
        let _ = writeln!(page, "{program:<9} {}", version.unwrap_or_else(|| "not found".into()));
    }
    page.push('\n');
    for recipe in RECIPES {
        let part = &recipe.part;
        let state = part.state(&home);
        let (mark, about) = match &state {
            State::Complete(Some(_)) => ("ok", state.packages()),
            State::Complete(None) => ("ok", "not made by set-up, left as it is".into()),
            State::Incomplete(missing) => ("BROKEN", format!("lacks {}", missing.join(", "))),
            _ => ("-", "not installed".into()),
        };
        let _ = writeln!(page, "{mark:<9} {}: {}\n          {about}", part.name, part.summary);
        let _ = match state {
            State::Complete(_) => writeln!(page, "          {}", part.path(&home).display()),
            _ => writeln!(page, "          get it: cargo xtask setup {}", part.name),
        };
    }
    page
}
