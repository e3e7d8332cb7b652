//! What makes a context logged in: its cookies, and what pages stored. Read and written without asking any server: storage is reached
//! from an empty document of its origin, which we answer ourselves.

use legwork_cdp::{
    CdpError, Limit,
    protocol::{page, storage},
};
use legwork_policy::{
    logins::{Cookie, Item, Partition, Storage},
    secrets::SecretText,
};
use legwork_types::PageUrl;
use serde_json::json;
use url::Url;
use zeroize::Zeroizing;

use crate::{
    BrowserError,
    context::Context,
    diagnosis::ask_browser,
    tab::{Tab, read_value},
};

const READING: &str = "reading what is kept of a login";
const WRITING: &str = "giving back what was kept of a login";

impl Context {
    /// All its cookies that have a name for where they belong, also those that are kept from scripts.
    pub async fn cookies(&self, limit: &Limit) -> Result<Vec<Cookie>, BrowserError> {
        let get = storage::GetCookies { browser_context_id: self.key().as_deref() };
        let told = ask_browser(self.link(), &get, READING, limit).await?;
        let told = told.read::<storage::Cookies>().map_err(BrowserError::Protocol)?;
        Ok(told.cookies.into_iter().filter_map(read).collect())
    }

    /// Sets cookies. One that the browser does not take is left out.
    pub async fn set_cookies(&self, cookies: &[Cookie], limit: &Limit) -> Result<(), BrowserError> {
        let all: Vec<_> = cookies.iter().map(written).collect();
        if all.is_empty() || self.try_set(&all, limit).await? {
            return Ok(());
        }
        for one in &all {
            self.try_set(std::slice::from_ref(one), limit).await?;
        }
        Ok(())
    }

    /// Whether the browser took them; one that is not in order spoils all.
    async fn try_set(
        &self,
        cookies: &[storage::CookieParam<'_>],
        limit: &Limit,
    ) -> Result<bool, BrowserError> {
        let set = storage::SetCookies { cookies, browser_context_id: self.key().as_deref() };
        match ask_browser(self.link(), &set, WRITING, limit).await {
            Ok(_) => Ok(true),
            Err(BrowserError::Protocol(CdpError::Refused { .. })) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Gives pages of these origins back what they stored. For a context that has shown nothing yet: its tab is empty afterwards, and
    /// remembers nothing of it.
    pub async fn store(&self, stored: &[Storage], limit: &Limit) -> Result<(), BrowserError> {
        const PUT: &str = "(items => { for (const [name, value] of Object.entries(items)) localStorage.setItem(name, value) })";
        let stored: Vec<&Storage> = stored.iter().filter(|storage| !storage.items.is_empty()).collect();
        if stored.is_empty() {
            return Ok(());
        }
        let tab = self.active_tab(limit).await?;
        for storage in stored {
            let items: serde_json::Map<_, _> = storage
                .items
                .iter()
                .map(|(name, Item(value))| (name.clone(), json!(value.expose())))
                .collect();
            let expression = Zeroizing::new(format!("{PUT}({})", serde_json::Value::from(items)));
            tab.in_nothing_of::<()>(&storage.origin, &expression, limit).await?;
        }
        tab.navigate(&PageUrl::blank(), limit).await?;
        tab.call(&page::ResetNavigationHistory {}, WRITING, limit).await.map(drop)
    }

    /// What the documents of these origins in the tab in front have stored that could be a key; nothing of those that do not answer.
    pub async fn stored_in_front(
        &self,
        origins: &[String],
        limit: &Limit,
    ) -> Result<Vec<Storage>, BrowserError> {
        // However many and however long: what is skipped would be seen.
        const TAKE: &str =
            "Object.fromEntries(Object.entries(localStorage).filter(([, value]) => value.length >= 16))";
        let tab = self.active_tab(limit).await?;
        let mut all: Vec<Storage> = Vec::new();
        for frame in tab.frames().await? {
            let origin =
                Url::parse(&frame.url).map(|url| url.origin().ascii_serialization()).unwrap_or_default();
            if !origins.contains(&origin) || all.iter().any(|storage| storage.origin == origin) {
                continue;
            }
            let told = tab.evaluate_if_it_answers(&frame.id, TAKE, limit).await?;
            // Where it may not be read there is nothing to hide.
            let items = told.and_then(|reply| read_value(&reply).ok()).unwrap_or_default();
            all.push(Storage { origin, items });
        }
        Ok(all)
    }

    /// What pages of these origins stored. For a context that is about to end: its tabs are closed.
    pub async fn stored(&self, origins: &[String], limit: &Limit) -> Result<Vec<Storage>, BrowserError> {
        const TAKE: &str = "Object.fromEntries(Object.entries(localStorage))";
        for tab in self.tabs(limit).await? {
            self.close_tab(tab.id).await?;
        }
        let tab = self.new_tab(limit).await?;
        let mut all = Vec::with_capacity(origins.len());
        for origin in origins {
            let items = tab.in_nothing_of(origin, TAKE, limit).await?;
            all.push(Storage { origin: origin.clone(), items });
        }
        Ok(all)
    }
}

impl Tab {
    /// Evaluates our own expression in an empty document of this origin.
    async fn in_nothing_of<T: for<'a> serde::Deserialize<'a>>(
        &self,
        origin: &str,
        expression: &str,
        limit: &Limit,
    ) -> Result<T, BrowserError> {
        let address = format!("{origin}/");
        let Ok(url) = PageUrl::parse(&address) else { return Err(BrowserError::FrameGone) };
        self.expect_nothing_of(Some(url.to_string())).await?;
        let went = self.navigate(&url, limit).await;
        self.expect_nothing_of(None).await?;
        went?;
        let main = self.frames().await?.into_iter().next().ok_or(BrowserError::FrameGone)?;
        self.value(&main.id, expression, limit).await
    }

    async fn expect_nothing_of(&self, address: Option<String>) -> Result<(), BrowserError> {
        let id = self.id();
        let told = self.hub.ask(move |world| {
            world.show_nothing_of(id, address);
            ((), vec![])
        });
        told.await.map_err(|lost| self.lost(lost))
    }
}

/// None for one that belongs to a page without a name: it could not be given back.
fn read(told: storage::Cookie) -> Option<Cookie> {
    let partition = match told.partition_key {
        _ if told.partition_key_opaque => return None,
        None => None,
        Some(storage::PartitionKey::Key { top_level_site, has_cross_site_ancestor }) => {
            Some(Partition { top_level_site, has_cross_site_ancestor })
        }
        Some(storage::PartitionKey::Site(top_level_site)) => {
            Some(Partition { top_level_site, has_cross_site_ancestor: false })
        }
    };
    Some(Cookie {
        name: told.name.0,
        value: SecretText::new(told.value.0),
        domain: told.domain,
        path: told.path.0,
        expires: told.expires.filter(|end| *end >= 0.0),
        http_only: told.http_only,
        secure: told.secure,
        same_site: told.same_site,
        priority: told.priority,
        source_scheme: told.source_scheme,
        source_port: told.source_port,
        partition,
    })
}

fn written(cookie: &Cookie) -> storage::CookieParam<'_> {
    let is_of_domain = cookie.domain.starts_with('.');
    let scheme = if cookie.secure { "https" } else { "http" };
    storage::CookieParam {
        name: &cookie.name,
        value: cookie.value.expose(),
        // A domain would make it one of all hosts below it.
        url: (!is_of_domain).then(|| format!("{scheme}://{}{}", cookie.domain, cookie.path)),
        domain: is_of_domain.then_some(&*cookie.domain),
        path: &cookie.path,
        secure: cookie.secure,
        http_only: cookie.http_only,
        same_site: cookie.same_site.as_deref(),
        expires: cookie.expires,
        priority: cookie.priority.as_deref(),
        source_scheme: cookie.source_scheme.as_deref(),
        source_port: cookie.source_port,
        partition_key: cookie.partition.as_ref().map(|partition| storage::PartitionParam {
            top_level_site: &partition.top_level_site,
            has_cross_site_ancestor: partition.has_cross_site_ancestor,
        }),
    }
}
