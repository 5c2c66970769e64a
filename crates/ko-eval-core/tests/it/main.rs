//! The public interface, as the authors of metrics and their callers use it.

mod entities;
mod handles;
mod scorer;
