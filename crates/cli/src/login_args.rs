//! The options of saved logins: under which names, of which origins, and where the key is. Nothing that is written here is repeated.

use clap::Args;
use legwork_runtime::{LoginKey, LoginSpec, Logins, Reach};
use legwork_types::{Code, Problem};

/// Which logins sessions begin with.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Secrets")]
pub(crate) struct LoginArgs {
    /// Stay logged in: sessions begin with the cookies and the storage of these origins that are saved under the name, and save
    /// them when they are closed, for example shop@https://shop.example; may be repeated
    #[arg(long, value_name = "NAME@ORIGIN", conflicts_with_all = ["profile", "cdp_endpoint"])]
    login: Vec<String>,

    /// Where the words are that seal saved logins: env:VARIABLE, file:PATH (yours alone), cmd:COMMAND [default: a key file of
    /// our own beside them]
    #[arg(long, value_name = "SOURCE", requires = "login")]
    login_key: Option<String>,
}

impl LoginArgs {
    /// All of them, opened once to see that they can be.
    pub(crate) async fn logins(&self, reach: &Reach) -> Result<Logins, Problem> {
        let mut specs = Vec::new();
        for (at, text) in self.login.iter().enumerate() {
            let spec = text.parse::<LoginSpec>();
            specs.push(spec.map_err(|error| {
                let hint = "write NAME@ORIGIN, for example shop@https://shop.example";
                unreadable(&format!("--login number {}", at + 1), hint, &error.to_string())
            })?);
        }
        let key = self.login_key.as_deref().map(|text| {
            // What was written may be the key itself by mistake.
            text.parse::<LoginKey>().map_err(|error| {
                let hint = "write where the words are, for example --login-key env:LOGIN_KEY";
                unreadable("--login-key", hint, &error.to_string())
            })
        });
        Logins::load(&specs, key.transpose()?.as_ref(), reach).await
    }
}

fn unreadable(what: &str, hint: &str, why: &str) -> Problem {
    Problem::new(Code::Usage, format!("{what} can't be read"), hint).because(why)
}
