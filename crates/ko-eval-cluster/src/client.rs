//! The client: a session whose queries run on the cluster.

use crate::{Error, Result};
use ballista::extension::SessionContextExt;
use datafusion::{execution::SessionState, prelude::SessionContext};
use std::time::Duration;

/// How long a scheduler has to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A session that knows ko-eval's functions and runs its queries on the cluster whose scheduler is at `address` (`HOST:PORT`). Files that a query names must lie
/// under the same paths on every machine.
///
/// Errors of its queries say more after [`Error::explained`].
///
/// # Errors
/// [`Error::BadAddress`], or [`Error::NoScheduler`] if nobody answers there.
pub async fn connect(address: &str, state: SessionState) -> Result<SessionContext> {
    let bad = |reason: &str| Error::BadAddress { address: address.into(), reason: reason.into() };
    let (host, port) = address.rsplit_once(':').ok_or_else(|| bad("it has no port"))?;
    if host.is_empty() || port.parse::<u16>().is_err() {
        return Err(bad(if host.is_empty() { "it has no host" } else { "its port is no port" }));
    }
    let silent = |reason: String| Error::NoScheduler { address: address.to_owned(), reason };
    match tokio::time::timeout(PATIENCE, tokio::net::TcpStream::connect(address)).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => return Err(silent(error.to_string())),
        Err(_) => return Err(silent("it took too long".into())),
    }
    let mut context = SessionContext::remote_with_state(&format!("df://{address}"), state).await?;
    // Afterwards, because the cluster's own functions take the place of all that there were.
    ko_eval_datafusion::register_all(&mut context)?;
    Ok(context)
}
