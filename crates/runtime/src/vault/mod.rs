//! The vault: named secrets of the operator, loaded once before anybody is served, typed only where they are bound to, and hidden
//! by value in everything that is told.

mod hiding;
mod kept;
mod others;
mod source;
mod spec;
mod totp;

use std::{
    borrow::Cow,
    fmt,
    ops::Range,
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::SystemTime,
};

use legwork_observe::Veil;
use legwork_policy::{
    places::Reach,
    secrets::{Mask, SecretKind, SecretRule, SecretText, bound_to, fit},
    wire::BoundSecret,
};
use legwork_types::{Code, Problem};

use kept::{Codes, News, Values};
pub use others::without_credentials_of_others;
pub(crate) use source::fetch;
pub(crate) use spec::Source;
pub use spec::{SecretSpec, SpecError, read_specs};
use totp::Seed;

/// Named secrets.
#[derive(Default)]
pub struct Vault {
    entries: Vec<Entry>,
    /// Codes that were typed lately.
    codes: Mutex<Codes>,
    /// By what sessions are logged in.
    others: Mutex<Values>,
    /// Finds all of them.
    mask: RwLock<Arc<Mask>>,
}

struct Entry {
    rule: SecretRule,
    value: SecretText,
    /// What codes are made from.
    seed: Option<Seed>,
}

impl Vault {
    /// Fetches all values. Whatever can't be fetched, or could not be kept secret, is refused: without its value.
    pub async fn load(specs: &[SecretSpec], reach: &Reach) -> Result<Self, Problem> {
        let mut entries: Vec<Entry> = Vec::with_capacity(specs.len());
        for spec in specs {
            if entries.iter().any(|entry| entry.rule.name == spec.name) {
                return Err(unusable(&spec.name, "there are two secrets of this name"));
            }
            entries.push(Entry::load(spec, reach).await?);
        }
        let vault = Self { entries, ..Self::default() };
        vault.renew_mask();
        Ok(vault)
    }

    /// Whether there are no secrets.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The names of the secrets, by which callers may have them typed.
    pub fn names(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.rule.name.clone()).collect()
    }

    /// The names of those that may go to a place that may be reached so.
    pub fn names_within(&self, reach: &Reach) -> Vec<String> {
        let may_go = |origin: &String| crate::gate::admits(reach, origin).is_ok();
        let fits = self.entries.iter().filter(|entry| entry.rule.origins.iter().any(may_go));
        fits.map(|entry| entry.rule.name.clone()).collect()
    }

    /// What is known of the secrets besides their values.
    pub(crate) fn rules(&self) -> Vec<SecretRule> {
        self.entries.iter().map(|entry| entry.rule.clone()).collect()
    }

    /// The value of a secret as it is typed now, and the same as the wire needs to know it.
    pub(crate) fn take(&self, name: &str) -> Option<(SecretText, BoundSecret)> {
        let entry = self.entries.iter().find(|entry| entry.rule.name == name)?;
        let value = match &entry.seed {
            None => entry.value.clone(),
            Some(seed) => {
                let code = seed.code(SystemTime::now());
                self.remember(code.clone());
                code
            }
        };
        let bound = BoundSecret::new(value.clone(), entry.rule.origins.clone());
        Some((value, bound))
    }

    /// What hides all of them.
    pub fn mask(&self) -> Arc<Mask> {
        self.mask.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same for looks; none where there is nothing to hide.
    pub(crate) fn veil(&self) -> Option<Arc<dyn Veil>> {
        (!self.hides_nothing()).then(|| Arc::new(Hidden(self.mask())) as Arc<dyn Veil>)
    }

    /// Whether there is nothing to hide.
    pub(crate) fn hides_nothing(&self) -> bool {
        self.mask().is_empty()
    }

    /// These values are hidden too, from now on.
    pub(crate) fn hide_too(&self, values: Vec<SecretText>) {
        let news = self.others.lock().unwrap_or_else(PoisonError::into_inner).see(values);
        if news == News::Some {
            self.renew_mask();
        }
    }

    fn remember(&self, code: SecretText) {
        self.codes.lock().unwrap_or_else(PoisonError::into_inner).add(code, SystemTime::now());
        self.renew_mask();
    }

    fn renew_mask(&self) {
        let codes = self.codes.lock().unwrap_or_else(PoisonError::into_inner);
        let values = self.entries.iter().map(|entry| entry.value.expose());
        let others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        let more = codes.iter().chain(others.iter()).map(SecretText::expose);
        let mask = Mask::of(values.chain(more));
        *self.mask.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(mask);
    }
}

impl Entry {
    async fn load(spec: &SecretSpec, reach: &Reach) -> Result<Self, Problem> {
        let refused = |why: &dyn fmt::Display| unusable(&spec.name, &why.to_string());
        if spec.origins.is_empty() {
            return Err(refused(
                &"no origin says where it may be typed; write @https://shop.example behind it",
            ));
        }
        let mut origins = Vec::with_capacity(spec.origins.len());
        for origin in &spec.origins {
            let bound = bound_to(origin, reach).map_err(|why| refused(&format!("{origin}: {why}")))?;
            origins.push(bound.as_str().to_owned());
        }
        let fetched = source::fetch(&spec.source).await.map_err(|why| refused(&why))?;
        let fetched = fit(&fetched).map_err(|why| refused(&why))?;
        let (value, seed) = match spec.kind {
            SecretKind::Code => {
                let seed = Seed::read(&fetched).map_err(|why| refused(&why))?;
                (seed.text().clone(), Some(seed))
            }
            SecretKind::Hidden | SecretKind::Visible => (fetched, None),
        };
        let rule = SecretRule { name: spec.name.clone(), origins, kind: spec.kind };
        Ok(Self { rule, value, seed })
    }
}

fn unusable(name: &str, why: &str) -> Problem {
    let hint = "see docs/secrets.md for how secrets are written";
    Problem::new(Code::Usage, format!("the secret {name:?} can't be used"), hint).because(why)
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.entries.iter().map(|entry| entry.rule.name.as_str()).collect();
        f.debug_struct("Vault").field("names", &names).finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct Hidden(Arc<Mask>);

impl Veil for Hidden {
    fn over<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.0.over(text)
    }

    fn places(&self, text: &str) -> Vec<Range<usize>> {
        self.0.spans(text).into_iter().map(|(from, to)| from..to).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn load(lines: &[&str]) -> Result<Vault, Problem> {
        let specs: Vec<SecretSpec> = lines.iter().map(|line| line.parse().unwrap()).collect();
        Vault::load(&specs, &Reach::default()).await
    }

    #[tokio::test]
    async fn what_could_not_be_kept_secret_is_refused_without_its_value() {
        for (line, why) in [
            ("a=cmd:echo xyz@https://shop.test", "shorter than 4"),
            ("a=cmd:echo letmein@https://shop.test", "common word"),
            ("a=cmd:echo 'tab\there'@https://shop.test", "control character"),
            ("a=cmd:echo xyzzy-42@http://shop.test", "without TLS"),
            ("a=cmd:echo xyzzy-42@https://shop.test/login", "no origin"),
            ("a=cmd:false@https://shop.test", "ended with"),
            ("a=cmd:/nowhere/at/all@https://shop.test", "could not be run"),
            ("a=env:LEGWORK_TEST_IS_NOT_SET@https://shop.test", "is not set"),
            ("a=file:/nowhere/at/all@https://shop.test", "could not be opened"),
            ("a=totp:cmd:echo not-base32!@https://shop.test", "base32"),
        ] {
            let problem = load(&[line]).await.unwrap_err();
            let told = format!("{problem} {problem:?}");
            assert_eq!(problem.code, Code::Usage);
            assert!(told.contains(why), "{line}: {told}");
            for value in ["letmein", "xyzzy-42", "not-base32"] {
                assert!(!told.contains(value), "{told}");
            }
        }
        let twice = ["a=cmd:echo xyzzy-42@https://shop.test", "a=cmd:echo xyzzy-43@https://shop.test"];
        assert!(load(&twice).await.unwrap_err().to_string().contains("two secrets"));
    }

    #[tokio::test]
    async fn a_secret_is_hidden_by_value_and_so_is_a_code_once_it_is_typed() {
        let seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        let lines = [
            format!("code=totp:cmd:echo {seed}@https://shop.test"),
            "pw=cmd:echo xyzzy-42@https://a.test".into(),
        ];
        let vault = load(&lines.each_ref().map(String::as_str)).await.unwrap();
        assert!(!format!("{vault:?}").contains("xyzzy"));
        assert_eq!(vault.mask().over("xyzzy42 and gezdgnbvgy3tqojqgezdgnbvgy3tqojq"), "••• and •••");
        let (code, _) = vault.take("code").unwrap();
        assert!(code.expose().len() == 6 && code.expose().bytes().all(|byte| byte.is_ascii_digit()));
        assert_eq!(vault.mask().over(&format!("your code: {}", code.expose())), "your code: •••");
        assert!(vault.take("other").is_none());
        assert!(Vault::default().veil().is_none() && Vault::default().mask().is_empty());
    }
}
