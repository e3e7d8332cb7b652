//! Which model is asked, where and with which key.
#![allow(clippy::unwrap_used, clippy::panic)]

use legwork_llm::{Choice, DEFAULT_MODEL, Key, Model, Runs, Wire, Wishes, choose, found};
use legwork_testkit::sites::vendor::{Reply, Vendor};
use legwork_types::Code;

/// What variables say, as they would be in an environment.
fn wishes(variables: &[(&str, &str)]) -> Wishes {
    let read =
        |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    Wishes::of_environment(read)
}

fn model(variables: &[(&str, &str)]) -> Model {
    match choose(&wishes(variables)).unwrap() {
        Choice::Model(model) => model,
        other => panic!("{variables:?}: {other:?}"),
    }
}

const ANTHROPIC: (&str, &str) = ("ANTHROPIC_API_KEY", "a-key");
const OPENAI: (&str, &str) = ("OPENAI_API_KEY", "o-key");
const GEMINI: (&str, &str) = ("GEMINI_API_KEY", "g-key");
const ROUTER: (&str, &str) = ("OPENROUTER_API_KEY", "r-key");
const OWN: (&str, &str) = ("LEGWORK_API_KEY", "own-key");

#[test]
fn models_go_to_their_vendors() {
    let chosen = |variables: &[(&str, &str)]| {
        let Model { name, wire, base, key, runs } = model(variables);
        (name, wire, base.to_string(), key, runs)
    };
    let expected = |name: &str, wire, base: &str, key: &str| {
        (name.to_owned(), wire, base.to_owned(), Some(Key::from(key)), Runs::Elsewhere)
    };
    assert_eq!(
        chosen(&[ANTHROPIC]),
        expected(DEFAULT_MODEL, Wire::Anthropic, "https://api.anthropic.com/", "a-key")
    );
    assert_eq!(
        chosen(&[ANTHROPIC, OPENAI, ("LEGWORK_MODEL", "gpt-5")]),
        expected("gpt-5", Wire::Responses, "https://api.openai.com/v1/", "o-key")
    );
    let gemini = ("LEGWORK_MODEL", "gemini-2.5-pro");
    let google = "https://generativelanguage.googleapis.com/v1beta/";
    assert_eq!(chosen(&[GEMINI, gemini]), expected("gemini-2.5-pro", Wire::Gemini, google, "g-key"));
    let keys = [("GOOGLE_API_KEY", "other-key"), GEMINI, gemini];
    assert_eq!(chosen(&keys), expected("gemini-2.5-pro", Wire::Gemini, google, "g-key"));
    assert_eq!(model(&[keys[0], gemini]).key, Some(Key::from("other-key")));
    assert_eq!(
        chosen(&[ROUTER, ("LEGWORK_MODEL", "anthropic/claude-sonnet-4.5")]),
        expected("anthropic/claude-sonnet-4.5", Wire::OpenAi, "https://openrouter.ai/api/v1/", "r-key")
    );
}

#[test]
fn a_server_of_ones_own_gets_no_key_that_was_made_for_a_vendor() {
    let here = ("LEGWORK_BASE_URL", "http://127.0.0.1:8080/v1");
    let local = model(&[OPENAI, here, ("LEGWORK_MODEL", "local")]);
    assert_eq!((local.key, local.runs, local.wire), (None, Runs::Here, Wire::OpenAi));
    assert_eq!(local.base.as_str(), "http://127.0.0.1:8080/v1/");
    assert_eq!(model(&[OPENAI, OWN, here, ("LEGWORK_MODEL", "local")]).key, Some(Key::from("own-key")));
    let there = ("LEGWORK_BASE_URL", "https://gateway.example/v1");
    let all = [ANTHROPIC, OPENAI, GEMINI, ROUTER, there];
    for name in ["x", "claude-opus-4-6", "gpt-5", "gemini-2.5-pro"] {
        let named = [&all[..], &[("LEGWORK_MODEL", name)]].concat();
        assert_eq!(model(&named).key, None, "{name}");
        assert_eq!(model(&[&named[..], &[OWN]].concat()).key, Some(Key::from("own-key")), "{name}");
    }
    // Each vendor gets its own, wherever its addresses begin.
    let google = "https://generativelanguage.googleapis.com/v1beta";
    for (base, name, key, wire) in [
        ("https://openrouter.ai/api/v1", "qwen/qwen3", "r-key", Wire::OpenAi),
        ("https://eu.api.openai.com/v1", "gpt-5", "o-key", Wire::Responses),
        ("https://api.anthropic.com", "claude-opus-4-6", "a-key", Wire::Anthropic),
        (google, "gemini-2.5-pro", "g-key", Wire::Gemini),
        (&format!("{google}/openai"), "gemini-2.5-pro", "g-key", Wire::OpenAi),
    ] {
        let named = [("LEGWORK_BASE_URL", base), ("LEGWORK_MODEL", name)];
        let chosen = model(&[&[ANTHROPIC, OPENAI, GEMINI, ROUTER], &named[..]].concat());
        assert_eq!((chosen.key, chosen.wire), (Some(Key::from(key)), wire), "{base}");
    }
    for posing in ["https://notopenai.com/v1", "https://googleapis.com.example/v1beta"] {
        let posing = ("LEGWORK_BASE_URL", posing);
        for name in ["gpt-5", "gemini-2.5-pro"] {
            let chosen = model(&[OPENAI, GEMINI, posing, ("LEGWORK_MODEL", name)]);
            assert_eq!((chosen.key, chosen.wire), (None, Wire::OpenAi), "{posing:?}");
        }
    }
}

#[test]
fn what_is_spoken_at_a_server_can_be_said() {
    let there = [("LEGWORK_BASE_URL", "https://gateway.example/v1"), ("LEGWORK_MODEL", "gpt-5")];
    assert_eq!(model(&there).wire, Wire::OpenAi);
    for wire in Wire::ALL {
        assert_eq!(model(&[&there[..], &[("LEGWORK_WIRE", wire.name())]].concat()).wire, wire);
    }
    let refused = choose(&wishes(&[&there[..], &[("LEGWORK_WIRE", "morse")]].concat())).unwrap_err();
    assert_eq!(refused.code, Code::ModelNotConfigured);
    assert_eq!(refused.hint, "set LEGWORK_WIRE to one of messages, chat, responses, gemini, or unset it");
}

#[test]
fn a_second_model_is_chosen_in_the_same_surroundings() {
    let keys = [ANTHROPIC, OPENAI, GEMINI, ROUTER, OWN];
    let second = |more: &[(&str, &str)], name: &str| {
        let chosen = choose(&wishes(&[&keys[..], more].concat()).for_fallback(name)).unwrap();
        let Choice::Model(Model { name, wire, base, key, .. }) = chosen else { panic!("{chosen:?}") };
        (name, wire, base.host_str().unwrap_or_default().to_owned(), key)
    };
    let expected = |name: &str, wire, host: &str, key: &str| {
        (name.to_owned(), wire, host.to_owned(), Some(Key::from(key)))
    };
    let of_openai = expected("gpt-5", Wire::Responses, "api.openai.com", "o-key");
    assert_eq!(second(&[], "gpt-5"), of_openai);
    let of_google = expected("gemini-2.5-pro", Wire::Gemini, "generativelanguage.googleapis.com", "g-key");
    assert_eq!(second(&[("LEGWORK_MODEL", "gpt-5")], "gemini-2.5-pro"), of_google);
    // Another vendor whose key is there is asked itself; whatever else there is, at the server that was named.
    let there = [
        ("LEGWORK_BASE_URL", "https://gateway.example/v1"),
        ("LEGWORK_MODEL", "house"),
        ("LEGWORK_WIRE", "responses"),
    ];
    assert_eq!(second(&there, "gpt-5"), of_openai);
    let small = expected("house-small", Wire::Responses, "gateway.example", "own-key");
    assert_eq!(second(&there, "house-small"), small);
    let without = wishes(&[&[OWN], &there[..]].concat()).for_fallback("claude-opus-4-6");
    let Choice::Model(kept) = choose(&without).unwrap() else { panic!() };
    assert_eq!((kept.base.as_str(), kept.wire), ("https://gateway.example/v1/", Wire::Anthropic));
    // Where there is no key for it, that is told.
    let refused = choose(&wishes(&[ANTHROPIC]).for_fallback("gpt-5")).unwrap_err();
    assert_eq!(refused.message, "there is no key for gpt-5");
}

#[test]
fn a_server_of_ones_own_is_not_asked_for_a_vendors_model() {
    let refused = choose(&wishes(&[("LEGWORK_BASE_URL", "http://127.0.0.1:8080/v1")])).unwrap_err();
    assert_eq!(refused.code, Code::ModelNotConfigured);
    assert!(refused.hint.contains("--model") && refused.hint.contains("http://127.0.0.1:8080/v1/models"));
    let own = model(&[ANTHROPIC, ("LEGWORK_BASE_URL", "https://api.anthropic.com")]);
    assert_eq!(own.name, DEFAULT_MODEL);
}

#[test]
fn no_key_leaves_without_encryption_and_no_odd_address_is_taken() {
    for (address, cause) in [
        ("http://gateway.example/v1", "without encryption"),
        ("gateway.example", "relative URL"),
        ("ftp://gateway.example", "http and https"),
        ("https://me:pw-canary@gateway.example", "a key does not belong"),
        ("https://gateway.example/v1?x=1", "after its path"),
    ] {
        let refused = choose(&wishes(&[OWN, ("LEGWORK_BASE_URL", address)])).unwrap_err();
        assert_eq!(refused.code, Code::ModelNotConfigured, "{address}");
        let told = refused.to_string();
        assert!(told.contains(cause) && !told.contains("canary") && !told.contains("own-key"), "{told}");
    }
}

#[test]
fn a_missing_key_names_its_variable_and_the_other_ways() {
    let refused = choose(&wishes(&[OPENAI])).unwrap_err();
    assert_eq!(refused.code, Code::ModelNotConfigured);
    assert_eq!(refused.message, "there is no key for claude-opus-4-6");
    assert_eq!(
        refused.hint,
        "set ANTHROPIC_API_KEY, or choose --model gpt-… (OPENAI_API_KEY is set), \
         or set GEMINI_API_KEY and choose --model gemini-…, or start Ollama with a model that can call tools, or name another server with --base-url"
    );
    let refused = choose(&wishes(&[("LEGWORK_MODEL", "gpt-5"), ("OPENAI_API_KEY", "  ")])).unwrap_err();
    assert!(
        refused.hint.starts_with("set OPENAI_API_KEY, or set ANTHROPIC_API_KEY and choose"),
        "{}",
        refused.hint
    );
    assert_eq!(format!("{:?}", Key::from("canary")), "Key(…)");
    let refused = choose(&wishes(&[("LEGWORK_MODEL", "gemini-2.5-pro")])).unwrap_err();
    assert!(
        refused.hint.starts_with("set GEMINI_API_KEY, or set ANTHROPIC_API_KEY and choose"),
        "{}",
        refused.hint
    );
    let all = [ANTHROPIC, OPENAI, GEMINI, ROUTER, OWN];
    let shown = format!("{:?}", wishes(&all));
    assert!(all.iter().all(|(_, key)| !shown.contains(&format!("{key:?}"))), "{shown}");
}

#[tokio::test]
async fn a_local_ollama_is_found_where_there_is_no_key() {
    let ollama = Vendor::start(|_: &_| Reply::say("")).unwrap();
    let host = ollama.address().to_string();
    let at = ("OLLAMA_HOST", host.as_str());
    let local = found(choose(&wishes(&[at])).unwrap()).await.unwrap();
    assert_eq!((local.name.as_str(), local.wire, local.runs), ("scripted:latest", Wire::OpenAi, Runs::Here));
    assert_eq!(local.base.as_str(), format!("http://{host}/v1/"));
    // A name without its tag, and one that is not there.
    let named = |name| choose(&wishes(&[at, OPENAI, ("LEGWORK_MODEL", name)])).unwrap();
    assert_eq!(found(named("scripted")).await.unwrap().name, "scripted:latest");
    let refused = found(named("llama9")).await.unwrap_err();
    assert_eq!(refused.message, "nobody is known who has the model llama9");
    drop(ollama);
    let refused = found(choose(&wishes(&[at])).unwrap()).await.unwrap_err();
    assert_eq!(refused.message, "there is no key for claude-opus-4-6");
}
