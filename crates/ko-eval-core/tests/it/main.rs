//! The public interface, as the authors of metrics and their callers use it.

mod handles;
mod scorer;
