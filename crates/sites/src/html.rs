//! Markup that can't forget to escape: every value that goes into a page goes in as text, unless it is markup.

use std::fmt::{self, Display, Formatter};

/// A finished piece of markup.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Html(String);

impl Html {
    /// Takes text as it is: for drawings, styles and scripts of our own, never for what a visitor sent.
    pub(crate) fn of(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

impl FromIterator<Html> for Html {
    fn from_iter<I: IntoIterator<Item = Html>>(pieces: I) -> Self {
        Self(pieces.into_iter().map(Html::into_string).collect())
    }
}

/// Something that can stand in a page.
pub(crate) trait Piece {
    fn put(&self, page: &mut Formatter<'_>) -> fmt::Result;
}

impl Piece for Html {
    fn put(&self, page: &mut Formatter<'_>) -> fmt::Result {
        page.write_str(&self.0)
    }
}

impl Piece for str {
    fn put(&self, page: &mut Formatter<'_>) -> fmt::Result {
        for part in self.split_inclusive(['&', '<', '>', '"', '\'']) {
            let (plain, special) = match part.char_indices().next_back() {
                Some((at, special @ ('&' | '<' | '>' | '"' | '\''))) => (&part[..at], Some(special)),
                _ => (part, None),
            };
            page.write_str(plain)?;
            page.write_str(match special {
                Some('&') => "&amp;",
                Some('<') => "&lt;",
                Some('>') => "&gt;",
                Some('"') => "&quot;",
                Some(_) => "&#39;",
                None => "",
            })?;
        }
        Ok(())
    }
}

impl Piece for String {
    fn put(&self, page: &mut Formatter<'_>) -> fmt::Result {
        self.as_str().put(page)
    }
}

impl<T: Piece + ?Sized> Piece for &T {
    fn put(&self, page: &mut Formatter<'_>) -> fmt::Result {
        (**self).put(page)
    }
}

impl<T: Piece> Piece for Option<T> {
    fn put(&self, page: &mut Formatter<'_>) -> fmt::Result {
        self.as_ref().map_or(Ok(()), |piece| piece.put(page))
    }
}

macro_rules! plain_pieces {
    ($($kind:ty),*) => {$(
        impl Piece for $kind {
            fn put(&self, page: &mut Formatter<'_>) -> fmt::Result {
                Display::fmt(self, page)
            }
        }
    )*};
}

plain_pieces!(u32, u64, usize, crate::money::Money, crate::day::Day);

/// A piece on its way into a page.
pub(crate) struct Shown<'a, T: ?Sized>(pub(crate) &'a T);

impl<T: Piece + ?Sized> Display for Shown<'_, T> {
    fn fmt(&self, page: &mut Formatter<'_>) -> fmt::Result {
        self.0.put(page)
    }
}

/// Markup with holes, as `format!`: `html!("<p>{}</p>", name)` or `html!("<p>{who}</p>", who = name)`.
///
/// A name alone in the braces, without a value after the text, does not compile: it would get in unescaped.
macro_rules! html {
    ($text:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::html::Html::of(format!(concat!($text), $($name = $crate::html::Shown(&$value)),*))
    };
    ($text:literal $(, $value:expr)* $(,)?) => {
        $crate::html::Html::of(format!(concat!($text), $($crate::html::Shown(&$value)),*))
    };
}

pub(crate) use html;

/// The attribute `name` where it holds, else nothing.
pub(crate) fn mark(holds: bool, name: &'static str) -> &'static str {
    if holds { name } else { "" }
}

#[cfg(test)]
mod tests {
    #[test]
    fn text_is_escaped_and_markup_is_not() {
        let inner = html!("<b>{}</b>", "a<b & 'c' \"d\">");
        assert_eq!(
            html!("<p>{inner}{n}</p>", inner = inner, n = 3_usize).into_string(),
            "<p><b>a&lt;b &amp; &#39;c&#39; &quot;d&quot;&gt;</b>3</p>"
        );
        assert_eq!(html!("{}{}", None::<String>, Some("ü<")).into_string(), "ü&lt;");
    }
}
