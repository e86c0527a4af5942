//! The events and effects of Elicit as types of serde.
//!
//! ```
//! use elicit_contract::contract::RelayEffect;
//! match RelayEffect::read(r#"{"effect":"forward","to":"client"}"#) {
//!     Ok(RelayEffect::Forward(forward)) => println!("to {:?}", forward.to),
//!     other => panic!("{other:?}"),
//! }
//! ```

pub mod contract;
