//! What can go wrong between the parts of a cluster.

use ballista_core::error::BallistaError;
use datafusion::error::DataFusionError;

/// What can go wrong between the parts of a cluster.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Part of the cluster does not know a function of ours. A plan carries only a function's name, and Ballista's own message says no more than
    /// that the name was not found.
    #[error(
        "the cluster does not know `{function}`: the scheduler and every executor must be ko-eval-scheduler and ko-eval-executor {version}, and one of them is not"
    )]
    UnknownFunction {
        /// Its name.
        function: String,
        /// The version that the client has.
        version: &'static str,
    },

    /// An executor refused its task, and Ballista does not pass on why. One that does not know a function refuses so.
    #[error(
        "{reason}; an executor refuses so where it does not know a function: every executor must be ko-eval-executor {version}"
    )]
    Refused {
        /// What the scheduler said.
        reason: String,
        /// The version that the client has.
        version: &'static str,
    },

    /// An address that is none.
    #[error(
        "`{address}` is no address of a scheduler: {reason}; HOST:PORT is, such as 127.0.0.1:50050"
    )]
    BadAddress {
        /// What was given.
        address: String,
        /// What is wrong with it.
        reason: String,
    },

    /// Nobody answers there.
    #[error("no scheduler answers at {address}: {reason}; `ko-eval-scheduler` starts one")]
    NoScheduler {
        /// Where it was looked for.
        address: String,
        /// What the network said.
        reason: String,
    },

    /// An error of the engine, on whichever machine.
    #[error(transparent)]
    Engine(#[from] DataFusionError),

    /// An error of the cluster itself.
    #[error(transparent)]
    Cluster(#[from] BallistaError),

    /// A folder or a socket that cannot be had.
    #[error("{what}: {source}")]
    Io {
        /// Which one.
        what: String,
        /// What the operating system said.
        source: std::io::Error,
    },
}

/// What may fail so.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// The engine's error, explained where it is one of a function that somebody does not know.
    pub fn explained(error: DataFusionError) -> Self {
        let message = error.to_string();
        let version = env!("CARGO_PKG_VERSION");
        match unknown_function(&message) {
            Some(function) => Self::UnknownFunction { function, version },
            None if message.contains(REJECTED) => Self::Refused { reason: message, version },
            None => Self::Engine(error),
        }
    }
}

/// What Ballista says of a task that an executor could not read.
const REJECTED: &str = "could not be prepared or was rejected by executor";

/// The function of ours that a message complains about.
fn unknown_function(message: &str) -> Option<String> {
    let complaints = ["There is no UDAF named ", "There is no UDF named ", "Invalid function "];
    complaints.iter().find_map(|complaint| {
        let (_, rest) = message.split_once(complaint)?;
        let name: String = rest
            .chars()
            .skip_while(|c| !c.is_alphanumeric())
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        name.starts_with("ko_").then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_functions_are_explained() {
        let message = |text: &str| DataFusionError::Execution(text.to_owned());
        let told = Error::explained(message(
            "Job failed due to stage 1 failed: Internal error: There is no UDAF named \"ko_bleu\" in the TaskContext",
        ));
        assert!(told.to_string().starts_with("the cluster does not know `ko_bleu`"), "{told}");
        let other =
            Error::explained(message("There is no UDF named \"levenshtein\" in the TaskContext"));
        assert!(matches!(other, Error::Engine(_)));
    }
}
