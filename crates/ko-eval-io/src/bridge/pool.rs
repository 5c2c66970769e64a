//! Programs that are shared between threads.

use super::{child::Child, error::BridgeError, program::Program};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Up to as many running copies of a program as it may have; who finds all of them busy waits.
#[derive(Debug)]
pub struct Pool {
    program: Program,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    idle: Vec<Child>,
    busy: usize,
}

impl Pool {
    /// A pool with one copy running.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn new(program: Program) -> Result<Self, BridgeError> {
        let first = Child::start(&program)?;
        let state = Mutex::new(State { idle: vec![first], busy: 0 });
        Ok(Self { program, state, changed: Condvar::new() })
    }

    /// What runs.
    pub fn program(&self) -> &Program {
        &self.program
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// [`Pool::talk`], again where a program that is started anew may do better, as often as it may be started again.
    ///
    /// # Errors
    /// Those of the last talk.
    pub fn talk_again<T>(
        &self,
        talk: impl Fn(&mut Child) -> Result<T, BridgeError>,
    ) -> Result<T, BridgeError> {
        let mut attempt = 0;
        loop {
            match self.talk(&talk) {
                Err(error) if error.may_pass() && attempt < self.program.restarts => attempt += 1,
                answer => return answer,
            }
        }
    }

    /// Talks to a program that nobody else talks to meanwhile. After an error it is killed, and another may be started in
    /// its place.
    ///
    /// # Errors
    /// Those of the talk, or that none can be started.
    pub fn talk<T>(
        &self,
        talk: impl FnOnce(&mut Child) -> Result<T, BridgeError>,
    ) -> Result<T, BridgeError> {
        let (_slot, idle) = self.slot();
        let mut child = match idle {
            Some(child) => child,
            None => Child::start(&self.program)?,
        };
        let answer = talk(&mut child)?;
        self.state().idle.push(child);
        Ok(answer)
    }

    /// Waits until one more may be busy, and hands over a program that is idle.
    fn slot(&self) -> (Slot<'_>, Option<Child>) {
        let mut state = self.state();
        while state.busy >= self.program.children.max(1) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.busy += 1;
        (Slot(self), state.idle.pop())
    }
}

/// The right to have one program busy.
struct Slot<'p>(&'p Pool);

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        self.0.state().busy -= 1;
        self.0.changed.notify_one();
    }
}
