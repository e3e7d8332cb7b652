//! Words of what stands between a visitor and a page, in plain letters. They only count where the page makes room for them.

use std::sync::LazyLock;

use legwork_types::contract::BlockerKind;

use super::super::words::Lexicon;

/// Phrases that speak to the visitor: an article about the same matter does not use them of its reader.
pub(super) static CALLS: LazyLock<Lexicon<BlockerKind>> = LazyLock::new(|| {
    Lexicon::of(&[
        (
            BlockerKind::Captcha,
            &[
                "verify you are human|verify that you are human|verifying you are human|verify you are a human|prove you are human",
                "are you a robot|i m not a robot|i am not a robot|you are not a robot|not a bot|you re human|are you human",
                "confirm you are human|checking your browser|unusual traffic|complete the security check|just a moment",
                "press and hold|type the characters|enter the characters|select all images|solve this puzzle|solve the captcha",
                "ich bin kein roboter|sind sie ein mensch|bist du ein mensch|dass sie ein mensch sind|dass du ein mensch bist",
                "je ne suis pas un robot|vous etes humain|vous n etes pas un robot|no soy un robot|que eres humano",
                "que no eres un robot|non sono un robot|che sei umano|di non essere un robot|ik ben geen robot|dat je een mens bent",
                "nao sou um robo|que voce e humano|nie jestem robotem|ze jestes czlowiekiem",
            ],
        ),
        (
            BlockerKind::LoginRequired,
            &[
                "log in to continue|login to continue|sign in to continue|please log in|please login|please sign in",
                "you must be logged in|you need to be logged in|you must log in|you need to log in|you must sign in",
                "you need to sign in|login required|log in required|sign in required|sign in to view|log in to view",
                "bitte melden sie sich an|bitte melde dich an|bitte anmelden|bitte einloggen|anmeldung erforderlich",
                "veuillez vous connecter|connectez vous pour continuer|connexion requise|inicia sesion para continuar",
                "debes iniciar sesion|por favor inicia sesion|accedi per continuare|effettua l accesso|devi accedere",
                "log in om door te gaan|u moet ingelogd zijn|je moet ingelogd zijn|faca login para continuar|inicie sessao para",
                "precisa fazer login|zaloguj sie aby|musisz sie zalogowac|wymagane logowanie",
            ],
        ),
        (
            BlockerKind::AgeGate,
            &[
                "are you over 18|are you 18|are you at least 18|are you over 21|are you 21|i am over 18|i am 18|i m 18|i m over 18",
                "18 or older|21 or older|over the age of 18|verify your age|confirm your age|age verification|of legal drinking age",
                "enter your date of birth|you must be 18|you must be at least 18|legal age",
                "bist du uber 18|sind sie uber 18|mindestens 18 jahre|bist du 18|sind sie 18|altersprufung|uber 18 jahre alt",
                "avez vous plus de 18 ans|plus de 18 ans|avez vous 18 ans|verification de l age|eres mayor de edad|mayor de edad",
                "mayor de 18|sei maggiorenne|maggiorenne|hai piu di 18 anni|ben je 18|ouder dan 18|18 jaar of ouder",
                "maior de 18|maior de idade|tem mais de 18 anos|czy masz 18 lat|ukonczone 18 lat|jestes pelnoletni",
            ],
        ),
        (
            BlockerKind::GeoWall,
            &[
                "not available in your country|not available in your region|not available in your location|unavailable in your country",
                "unavailable in your region|isn t available in your country|isn t available in your region|blocked in your country",
                "not available in your area|due to your location|content is not available in your",
                "in deinem land nicht verfugbar|in ihrem land nicht verfugbar|in deiner region nicht verfugbar",
                "pas disponible dans votre pays|pas disponible dans votre region|no esta disponible en tu pais",
                "no esta disponible en su pais|no disponible en tu region|non e disponibile nel tuo paese",
                "non disponibile nel tuo paese|niet beschikbaar in jouw land|niet beschikbaar in uw land",
                "nao esta disponivel no seu pais|nao esta disponivel na sua regiao|niedostepna w twoim kraju|niedostepne w twoim kraju",
            ],
        ),
        (
            BlockerKind::Paywall,
            &[
                "to continue reading|to keep reading|subscribe to read|subscribe to continue|subscribers only|for subscribers only",
                "exclusive to subscribers|only for subscribers|you ve reached your limit|free articles left|free articles remaining",
                "unlock this article|already a subscriber|become a member to read|weiterlesen mit|um weiterzulesen|nur fur abonnenten",
                "jetzt weiterlesen|artikel freischalten|reserve aux abonnes|pour lire la suite|abonnez vous pour lire",
                "solo para suscriptores|suscribete para seguir leyendo|para seguir leyendo|contenuto riservato agli abbonati",
                "per continuare a leggere|abbonati per leggere|om verder te lezen|alleen voor abonnees|exclusivo para assinantes",
                "para continuar lendo|assine para ler|tylko dla prenumeratorow|aby czytac dalej|dla subskrybentow",
            ],
        ),
        (
            BlockerKind::Mfa,
            &[
                "enter the code|enter code|enter your code|we sent a code|we sent you a code|code we sent|two step verification",
                "two factor authentication|2 step verification|authenticator app|verification code|security code sent",
                "code eingeben|wir haben ihnen einen code|wir haben dir einen code|zwei faktor|bestatigungscode",
                "saisissez le code|entrez le code|code de verification|introduce el codigo|codigo de verificacion",
                "inserisci il codice|codice di verifica|voer de code in|verificatiecode|digite o codigo|codigo de verificacao",
                "wpisz kod|kod weryfikacyjny",
            ],
        ),
    ])
});

/// What a page is called whose matter is to log in.
pub(super) static LOGIN_TITLES: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "sign in|log in|login|signin|welcome back|anmelden|einloggen|anmeldung|connexion|se connecter|connectez vous|identifiez vous",
            "iniciar sesion|inicia sesion|acceder|accedi|accesso|inloggen|aanmelden|entrar|iniciar sessao|fazer login",
            "zaloguj|zaloguj sie|logowanie",
        ],
    )])
});

/// What a form with a password is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To be let in.
    Login,
    /// To become a member, to buy, to change something.
    Other,
}

/// Words on the button or in the heading of a form that has a password in it.
pub(super) static PURPOSES: LazyLock<Lexicon<Purpose>> = LazyLock::new(|| {
    Lexicon::of(&[
        (
            Purpose::Login,
            &[
                "sign in|log in|login|signin|logon|log on|welcome back|unlock|anmelden|einloggen|anmeldung|connexion|se connecter",
                "connectez vous|identifiez vous|iniciar sesion|inicia sesion|acceder|accedi|accesso|entra|inloggen|aanmelden",
                "entrar|iniciar sessao|fazer login|zaloguj|zaloguj sie|logowanie",
            ],
        ),
        (
            Purpose::Other,
            &[
                "sign up|signup|register|registration|join|join now|create account|create an account|create your account|subscribe",
                "create my account|new account|open an account|place order|place your order|order now|buy|buy now|pay|pay now",
                "checkout|check out|purchase|donate|change password|change your password|reset password|reset your password",
                "new password|set password|set a password|update|save|save changes|delete|confirm|activate|book|book now|reserve",
                "registrieren|registrierung|konto erstellen|konto anlegen|bestellen|jetzt kaufen|kaufen|bezahlen|speichern",
                "passwort andern|s inscrire|inscription|inscrivez vous|creer un compte|creer mon compte|commander|acheter|payer",
                "enregistrer|changer le mot de passe|registrarse|registrate|registro|crear cuenta|crear una cuenta|comprar|pagar",
                "guardar|cambiar contrasena|registrati|registrazione|iscriviti|crea un account|crea account|acquista|ordina|paga",
                "salva|cambia password|registreren|account aanmaken|bestel|betalen|kopen|opslaan|wachtwoord wijzigen",
                "cadastrar|cadastre se|registar|criar conta|pedir|salvar|alterar senha|zarejestruj|zarejestruj sie|rejestracja",
                "zaloz konto|utworz konto|kup|zaplac|zamow|zapisz|zmien haslo",
            ],
        ),
    ])
});

/// Ways to subscribe.
pub(super) static SUBSCRIBE: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "subscribe|subscribe now|see options|start trial|free trial|become a member|join now|register|log in|sign in",
            "abonnieren|jetzt abonnieren|abo|testen|s abonner|je m abonne|abonnez vous|suscribirse|suscribete|abbonati",
            "abonneren|neem een abonnement|assine|assinar|prenumerata|subskrybuj|kup dostep|digital kaufen",
        ],
    )])
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_written_in_plain_letters() {
        CALLS.assert_plain_letters();
        LOGIN_TITLES.assert_plain_letters();
        PURPOSES.assert_plain_letters();
        SUBSCRIBE.assert_plain_letters();
    }
}
