//! x
use crate::Crawl;
/// x
pub struct Case { /// x
 pub name: &'static str }
impl Case { /// x
 pub fn check(&self, _c: Crawl) {} }
/// x
pub fn cases() -> Vec<Case> { vec![] }
