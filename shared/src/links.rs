//! x
use url::Url;
/// x
pub fn links(_html: &str, _page: &Url) -> Vec<Url> {
    vec![]
}
