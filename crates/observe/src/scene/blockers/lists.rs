//! Words of what stands between a visitor and a page. They only count where the page makes room for them.

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
                "confirm you are human|checking your browser|unusual traffic|complete the security check",
                "type the characters|enter the characters|select all images|enter the text shown|type the text shown|solve this puzzle|solve the captcha",
                "ich bin kein roboter|sind sie ein mensch|bist du ein mensch|dass sie ein mensch sind|dass du ein mensch bist",
                "je ne suis pas un robot|vous etes humain|vous n etes pas un robot|no soy un robot|que eres humano",
                "que no eres un robot|non sono un robot|che sei umano|di non essere un robot|ik ben geen robot|dat je een mens bent",
                "nao sou um robo|que voce e humano|nie jestem robotem|ze jestes czlowiekiem",
                "ロボットではありません|人間であることを確認|验证您是真人|確認您是真人|不是机器人|로봇이 아닙니다|я не робот|вы не робот",
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
                "ログインしてください|ログインが必要|请先登录|请登录|請先登入|請登入|로그인이 필요|로그인해 주세요|로그인 해주세요",
                "войдите, чтобы|необходимо войти|требуется авторизация|увійдіть, щоб|يجب تسجيل الدخول|יש להתחבר|กรุณาเข้าสู่ระบบ",
                "lütfen giriş yapın|logga in för att|du måste logga in|logg inn for å|log ind for at|kirjaudu sisään jatkaaksesi",
                "přihlaste se|jelentkezzen be|autentificați-vă pentru|vui lòng đăng nhập|silakan masuk",
            ],
        ),
        (
            BlockerKind::AgeGate,
            &[
                "are you over 18|are you 18|are you at least 18|are you over 21|are you 21|i am over 18|i am 18|i m 18|i m over 18",
                "18 or older|21 or older|over the age of 18|verify your age|confirm your age|age verification|of legal drinking age",
                "enter your date of birth|you must be 18|you must be at least 18|of legal age",
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
                "to continue reading|to keep reading|subscribe to continue|subscribers only|for subscribers only",
                "exclusive to subscribers|only for subscribers|you ve reached your limit|free articles left|free articles remaining",
                "unlock this article|become a member to read|weiterlesen mit|um weiterzulesen|nur fur abonnenten",
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

/// Phrases that everybody uses; they call for something only where there is little else in the sentence.
pub(super) static WHOLE_CALLS: LazyLock<Lexicon<BlockerKind>> = LazyLock::new(|| {
    Lexicon::of(&[(
        BlockerKind::Captcha,
        &[
            "just a moment|press and hold|press hold|one moment please|nur einen moment|un instant|un momento|een ogenblik",
        ],
    )])
});

/// Calls to subscribe that a mere letter has as well.
pub(super) static MILD_PAYWALLS: LazyLock<Lexicon<()>> =
    LazyLock::new(|| Lexicon::of(&[((), &["already a subscriber|subscribe to read"])]));

/// Words of an offer to be written to.
pub(super) static LETTERS: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "newsletter|newsletters|letter|letters|inbox|mailing list|updates|rundbrief|lettre d information|boletin|nieuwsbrief",
        ],
    )])
});

/// Questions to those who are let in already.
pub(super) static ALREADY: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "already a|already an|already have|already registered|already subscribed|already signed up|already got|have an account",
            "bereits kunde|bereits registriert|bereits abonnent|bereits mitglied|bereits ein konto|schon kunde|schon mitglied",
            "haben sie ein konto|deja abonne|deja client|deja inscrit|deja membre|deja un compte|ya eres|ya tienes|hai gia|sei gia",
            "heb je al|ben je al|ja tem|ja e cliente|masz juz|masz konto",
        ],
    )])
});

/// What a login is for that is not the page itself.
pub(super) static ASIDES: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "to leave|to comment|to reply|to vote|to rate|to review|to post|to like|to save|to follow|to add|to write|to bookmark",
            "to favorite|to favourite|to ask|to share|to edit|to upload|to track|to report|to earn|to sync|to participate|to join",
            "to respond|to submit|to get|faster checkout|for faster|kommentieren|bewerten|antworten|abstimmen|merken|teilen",
            "commenter|evaluer|repondre|voter|partager|comentar|valorar|responder|votar|compartir|commentare|recensire|votare",
            "reageren|beoordelen|stemmen|avaliar|compartilhar|skomentowac|ocenic|odpowiedziec",
        ],
    )])
});

/// What stands on the controls of walls: of one kind, or of any.
pub(super) static ANSWERS: LazyLock<Lexicon<Option<BlockerKind>>> = LazyLock::new(|| {
    Lexicon::of(&[
        (
            None,
            &[
                "yes|no|enter|exit|leave|retry|try again|reload|refresh|home|homepage|home page|help|contact us|contact support",
                "learn more|language|english|deutsch|francais|espanol|italiano|nederlands|menu|verify|privacy|cookie settings",
                "verlassen|eintreten|erneut versuchen|neu laden|startseite|hilfe|sprache|entrer|quitter|reessayer|accueil|aide",
                "entrar|salir|reintentar|inicio|ayuda|idioma|entra|esci|riprova|aiuto|lingua|verlaten|binnengaan|opnieuw",
                "sair|ajuda|wejdz|wyjdz|pomoc|sprobuj ponownie",
            ],
        ),
        (
            Some(BlockerKind::LoginRequired),
            &[
                "sign in|log in|login|signin|log on|sign up|register|create account|create an account|join|sso|single sign on",
                "passkey|passkeys|security key|google|apple|microsoft|facebook|github|gitlab|linkedin|okta|slack|saml|azure",
                "password|forgot|remember me|remember|keep me|stay signed in|use another account|switch account|guest|email|e mail",
                "mail|username|user|phone|account|magic link|qr code|fingerprint|face id|anmelden|einloggen|registrieren",
                "konto erstellen|passwort|passwort vergessen|angemeldet bleiben|benutzername|se connecter|connexion|s inscrire",
                "mot de passe|identifiant|iniciar sesion|acceder|registrarse|contrasena|usuario|correo|accedi|registrati|utente",
                "inloggen|aanmelden|registreren|wachtwoord|gebruikersnaam|cadastrar|senha|zaloguj|zaloguj sie|zarejestruj|haslo",
                "ログイン|サインイン|新規登録|会員登録|パスワード|メール|ユーザー|登录|登入|登錄|注册|註冊|密码|密碼|用户名|邮箱|手机|로그인|회원가입|비밀번호",
                "войти|вход|регистрация|зарегистрироваться|пароль|почта|логин|увійти|تسجيل الدخول|כניסה|התחבר|เข้าสู่ระบบ|giriş yap",
                "logga in|logg inn|log ind|kirjaudu|přihlásit|bejelentkezés|conectare|đăng nhập|masuk",
            ],
        ),
        (
            Some(BlockerKind::Captcha),
            &[
                "human|robot|captcha|press|hold|audio|sound|new image|another image|new code|challenge|check|start|begin|characters",
                "letters|text|code|answer|mensch|roboter|zeichen|buchstaben|humain|caracteres|humano|umano|mens|czlowiekiem",
                "text shown|picture",
            ],
        ),
        (
            Some(BlockerKind::AgeGate),
            &[
                "18|21|i am|i m|older|younger|age|birth|birthday|born|dob|day|month|year|dd|mm|yyyy|over|under|of legal age|adult",
                "alter|geburtsdatum|geburtstag|tag|monat|jahr|volljahrig|naissance|jour|mois|annee|nacimiento|dia|mes|ano",
                "nascita|giorno|mese|anno|geboortedatum|dag|maand|jaar|nascimento|urodzenia|dzien|miesiac|rok|remember me",
            ],
        ),
        (
            Some(BlockerKind::GeoWall),
            &["country|region|location|vpn|land|pays|pais|paese|kraj|notify me|change location"],
        ),
    ])
});

/// Ways in without a password: somebody else vouches for the visitor, or a device does.
pub(super) static ENTRANCES: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "google|apple|microsoft|facebook|github|gitlab|bitbucket|linkedin|okta|slack|saml|azure|twitter|discord|amazon|sso",
            "single sign on|passkey|passkeys|security key|fingerprint|face id|magic link|qr code|yahoo|line|kakao|wechat",
        ],
    )])
});

/// Fields by which an account is known.
pub(super) static ACCOUNTS: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "email|e mail|mail|username|user|login|account|benutzername|nutzername|identifiant|usuario|correo|utente",
            "gebruikersnaam|utilizador|uzytkownika|phone",
            "メールアドレス|ユーザー|会員番号|ログインid|用户名|用戶名|账号|帳號|手机号|邮箱|이메일|아이디|почта|логин|пошта|όνομα χρήστη",
            "البريد|اسم المستخدم|אימייל|שם משתמש|อีเมล|ชื่อผู้ใช้|ईमेल|kullanıcı adı|e-posta|användarnamn|brukernavn|brugernavn",
            "sähköposti|käyttäjätunnus|uživatelské jméno|felhasználónév|utilizator|tên đăng nhập|nama pengguna",
        ],
    )])
});

/// Passwords that open something else than this page.
pub(super) static OTHER_KEYS: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "key|keys|token|tokens|secret|phrase|wi fi|wifi|wlan|network|router|ssid|smtp|imap|proxy|database|archive|pdf|zip",
            "current password|old password|to confirm|existing password|new email|new e mail|aktuelles passwort|altes passwort",
            "mot de passe actuel|contrasena actual|password attuale|huidig wachtwoord|senha atual|obecne haslo|netzwerk|schlussel",
        ],
    )])
});

/// Heads of pages that turn a visitor away.
pub(super) static REFUSALS: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "401|403|forbidden|access denied|unauthorized|unauthorised|not authorized|not authorised|permission denied|no access",
            "zugriff verweigert|kein zugriff|acces refuse|acceso denegado|accesso negato|toegang geweigerd|acesso negado",
            "brak dostepu",
        ],
    )])
});

/// What is asked beside a picture with letters.
pub(super) static PICTURE_TEXTS: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "captcha|text shown in the picture|text in the picture|text shown in the image|text in the image|letters in the image",
            "letters in the picture|letters shown|characters shown|characters in the image|characters in the picture|text you see",
            "characters you see|letters you see|code in the image|code in the picture|code shown in the image|code from the image",
            "zeichen aus dem bild|zeichen im bild|buchstaben aus dem bild|buchstaben im bild|caracteres de l image",
            "caracteres de la imagen|letras de la imagen|caratteri nell immagine|tekens in de afbeelding|caracteres da imagem",
            "znaki z obrazka|kod z obrazka|画像認証|画像の文字|画像に表示|图形验证码|图片中的|圖片中的|보안문자|символы с картинки|код с картинки",
        ],
    )])
});

/// What a page is called whose matter is to log in.
pub(super) static LOGIN_TITLES: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "ログイン|サインイン|登录|登入|登錄|로그인|войти|вход|увійти|вхід|σύνδεση|تسجيل الدخول|כניסה|התחברות|เข้าสู่ระบบ|लॉग इन",
            "giriş yap|oturum aç|logga in|logg inn|log ind|kirjaudu|kirjaudu sisään|přihlásit se|přihlášení|bejelentkezés",
            "autentificare|conectare|đăng nhập|masuk",
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
                "ログイン|サインイン|登录|登入|登錄|로그인|войти|вход|увійти|вхід|σύνδεση|تسجيل الدخول|כניסה|התחברות|เข้าสู่ระบบ",
                "giriş yap|oturum aç|logga in|logg inn|log ind|kirjaudu|kirjaudu sisään|přihlásit se|přihlášení|bejelentkezés",
                "autentificare|conectare|đăng nhập|masuk",
            ],
        ),
        (
            Purpose::Other,
            &[
                "wi fi|wifi|wlan|network settings|api key|api keys|settings|integrations|change|change email|change your email",
                "einstellungen|parametres|ajustes|impostazioni|instellingen|configuracoes|ustawienia",
                "会員登録|新規登録|注册|註冊|회원가입|регистрация|зарегистрироваться|kayıt ol|registrera|đăng ký|daftar",
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
