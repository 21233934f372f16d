//! tilehaul as a library: descriptors explained and encoded, tiles copied and drawn, recorded answers compared.
//!
//! | module | does |
//! |---|---|
//! | [`words`] | reads words as people paste them and guesses what they are |

pub mod words;
