//! The machine of stage 3, held to the rules of any machine.

conformance::machine_tests!(stage3_async);
