//! Short programs a newcomer copies from: see the folder `examples`.
