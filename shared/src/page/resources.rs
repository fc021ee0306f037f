//! Finds the resources of a page: images, scripts, styles, and the like.

/// The values of `rel` with which a `link` element is requested: its target is a
/// document or a part of the page. Other values name a host (`preconnect`), or an
/// address to send something to (`pingback`).
const REQUESTED: &[&str] = &[
    "alternate",
    "apple-touch-icon",
    "apple-touch-icon-precomposed",
    "author",
    "canonical",
    "help",
    "icon",
    "license",
    "manifest",
    "mask-icon",
    "modulepreload",
    "next",
    "prefetch",
    "preload",
    "prev",
    "privacy-policy",
    "search",
    "stylesheet",
    "terms-of-service",
];

/// Passes the URL of each resource of an element to `keep`, as written. `attribute`
/// returns the value of an attribute. Elements of `svg` have attributes of other
/// names.
pub(super) fn resources_of(
    tag: &[u8],
    is_of_svg: bool,
    attribute: impl Fn(&str) -> Option<String>,
    mut keep: impl FnMut(String),
) {
    let is = |name, values: &[&str]| {
        let value = attribute(name).unwrap_or_default();
        let mut words = value.split_ascii_whitespace();
        words.any(|word| values.iter().any(|it| word.eq_ignore_ascii_case(it)))
    };
    let has_text = |value: &String| !value.trim_ascii().is_empty();
    if is_of_svg {
        if let b"image" | b"feimage" | b"use" | b"script" = tag {
            let url = attribute("href").or_else(|| attribute("xlink:href"));
            // A URL that is only a fragment refers to a part of this `svg`.
            let is_elsewhere = |url: &String| !url.trim_ascii().starts_with('#');
            url.filter(has_text).filter(is_elsewhere).into_iter().for_each(keep);
        }
        return;
    }
    let (urls, set): (&[&str], &str) = match tag {
        // Browsers treat `image` as a misspelled `img`.
        b"img" | b"image" | b"source" => (&["src"], "srcset"),
        b"script" | b"audio" | b"track" | b"iframe" | b"frame" | b"embed" => {
            (&["src"], "")
        }
        b"video" => (&["src", "poster"], ""),
        b"object" => (&["data"], ""),
        b"link" if is("rel", REQUESTED) => (&["href"], "imagesrcset"),
        b"input" if is("type", &["image"]) => (&["src"], ""),
        _ => return,
    };
    urls.iter().filter_map(|name| attribute(name).filter(has_text)).for_each(&mut keep);
    if let Some(srcset) = attribute(set).filter(|_| !set.is_empty()) {
        candidates(&srcset).for_each(|url| keep(url.to_string()));
    }
}

/// Returns the URLs of a `srcset` ([HTML §4.8.4.2.2]). Candidates are separated by
/// commas. A comma inside a URL or in brackets does not separate.
///
/// [HTML §4.8.4.2.2]: https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute
fn candidates(srcset: &str) -> impl Iterator<Item = &str> {
    let is_space = |at: char| at.is_ascii_whitespace();
    let mut rest = srcset;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|at| is_space(at) || at == ',');
        let (url, after) = rest.split_at(rest.find(is_space).unwrap_or(rest.len()));
        let bare = url.trim_end_matches(',');
        let is_at_end = bare.len() < url.len();
        rest = if is_at_end { after } else { after_descriptors(after) };
        (!bare.is_empty()).then_some(bare)
    })
}

/// Skips the descriptors (widths and densities) of a candidate, and returns the rest.
fn after_descriptors(text: &str) -> &str {
    let mut is_in_brackets = false;
    let end = text.find(|at| {
        match at {
            '(' => is_in_brackets = true,
            ')' => is_in_brackets = false,
            _ => {}
        }
        at == ',' && !is_in_brackets
    });
    &text[end.unwrap_or(text.len())..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_split_as_browsers_do() {
        for (srcset, expected) in [
            ("", &[][..]),
            (" , ,", &[]),
            ("a", &["a"]),
            ("a 1x, b 2x", &["a", "b"]),
            ("a,b 2x", &["a,b"]),
            ("a, b", &["a", "b"]),
            ("a,,, b", &["a", "b"]),
            ("\n a 100w,\n\tb 200w ,c", &["a", "b", "c"]),
            ("a (x,y) 1x, b", &["a", "b"]),
            ("a (x, b", &["a"]),
            ("data:image/png;base64,AA 1x, b", &["data:image/png;base64,AA", "b"]),
        ] {
            assert_eq!(candidates(srcset).collect::<Vec<_>>(), expected, "{srcset}");
        }
    }

    #[test]
    fn an_element_needs_what_its_attributes_name() {
        for (tag, attributes, expected) in [
            (
                "img",
                &[("src", "a"), ("srcset", "b 1x, c 2x")][..],
                &["a", "b", "c"][..],
            ),
            ("source", &[("srcset", "b")], &["b"]),
            ("video", &[("src", "a"), ("poster", "b")], &["a", "b"]),
            ("script", &[("src", "a"), ("srcset", "b")], &["a"]),
            ("script", &[("src", " ")], &[]),
            ("object", &[("data", "a"), ("src", "b")], &["a"]),
            ("link", &[("href", "a"), ("rel", "Shortcut ICON")], &["a"]),
            ("link", &[("href", "a"), ("rel", "preconnect")], &[]),
            ("link", &[("href", "a")], &[]),
            ("input", &[("src", "a"), ("type", "image")], &["a"]),
            ("input", &[("src", "a"), ("type", "text")], &[]),
            ("a", &[("src", "a")], &[]),
            ("image", &[("src", "a"), ("href", "b")], &["a"]),
            ("use", &[("href", "a")], &[]),
            ("svg image", &[("src", "a"), ("xlink:href", "b")], &["b"]),
            ("svg image", &[("xlink:href", "a"), ("href", "b")], &["b"]),
            ("svg use", &[("href", "a#b")], &["a#b"]),
            ("svg use", &[("href", " #b")], &[]),
            ("svg script", &[("src", "a"), ("href", "b")], &["b"]),
            ("svg feimage", &[("href", "")], &[]),
            ("svg a", &[("href", "a")], &[]),
        ] {
            let attribute = |name: &str| {
                let mut all = attributes.iter();
                Some(all.find(|attribute| attribute.0 == name)?.1.to_string())
            };
            let mut needed = Vec::new();
            let (tag, is_of_svg) = match tag.strip_prefix("svg ") {
                Some(tag) => (tag, true),
                None => (tag, false),
            };
            let keep = |url| needed.push(url);
            resources_of(tag.as_bytes(), is_of_svg, attribute, keep);
            assert_eq!(needed, expected, "{tag} {attributes:?}");
        }
    }
}
