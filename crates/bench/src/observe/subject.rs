//! The product's side of the benchmark: the one place that says what Legwork does when it observes a page.

use legwork_browser::{Limit, Tab};
use legwork_runtime::{Look, boundary, look};
use legwork_types::{
    PageText,
    contract::{ObserveOptions, SessionId},
};

/// What one whole observation came to.
#[derive(Debug)]
pub(crate) struct Observed {
    /// What a model would read.
    pub(crate) text: String,
}

/// One whole observation at the defaults, from nothing to the text.
pub(crate) async fn whole_observation(tab: &Tab, limit: &Limit) -> anyhow::Result<Observed> {
    let options = ObserveOptions::default();
    let text = see(tab, &options, limit).await?.read(&options, None, &boundary())?.text;
    Ok(Observed { text })
}

/// The texts of all pages of the list of controls, first to last, of one look.
pub(crate) async fn whole_listing(tab: &Tab, limit: &Limit) -> anyhow::Result<Vec<Observed>> {
    let mut options = ObserveOptions::default();
    let look = see(tab, &options, limit).await?;
    let mut pages = Vec::new();
    loop {
        let reading = look.read(&options, None, &boundary())?;
        pages.push(Observed { text: reading.text });
        match reading.observation.next_cursor {
            Some(cursor) => options.cursor = Some(cursor),
            None => return Ok(pages),
        }
    }
}

async fn see(tab: &Tab, options: &ObserveOptions, limit: &Limit) -> anyhow::Result<Look> {
    let asked = PageText::from(tab.url());
    let (look, _) = look(tab, &SessionId("bench".into()), &asked, &[], options, limit).await?;
    Ok(look)
}
