//! x
use encoding_rs::Encoding;
use std::borrow::Cow;
/// x
pub fn decode<'a>(
    _h: Option<&str>,
    body: &'a [u8],
) -> (Cow<'a, str>, &'static Encoding) {
    encoding_rs::UTF_8.decode(body).into_tuple()
}
trait T<A> {
    fn into_tuple(self) -> A;
}
impl<'a> T<(Cow<'a, str>, &'static Encoding)>
    for (Cow<'a, str>, &'static Encoding, bool)
{
    fn into_tuple(self) -> (Cow<'a, str>, &'static Encoding) {
        (self.0, self.1)
    }
}
