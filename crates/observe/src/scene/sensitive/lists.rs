//! Words of fields for secrets, and of their harmless twins. Plain letters only; see [`super::super::fold`].

use std::sync::LazyLock;

use super::{
    super::words::{Fragments, Lexicon},
    Secrecy,
};

/// Phrases that tell a secret wherever they stand in a label or an identifier.
pub(super) static LABELS: LazyLock<Lexicon<Option<Secrecy>>> = LazyLock::new(|| {
    Lexicon::of(&[
        (Some(Secrecy::Password), PASSWORDS),
        (Some(Secrecy::NewPassword), NEW_PASSWORDS),
        (Some(Secrecy::OneTimeCode), CODES),
        (Some(Secrecy::Payment), PAYMENT),
        (Some(Secrecy::Personal), PERSONAL),
        (Some(Secrecy::Key), KEYS),
        (None, HARMLESS),
    ])
});

const PASSWORDS: &[&str] = &[
    "password|passwords|passwd|pwd|pswd|passcode|passphrase|pass phrase|pass word|userpass|user pass|login pass",
    "passwort|kennwort|losungswort|mot de passe|motdepasse|mdp|contrasena|clave|clave de acceso|parola d ordine",
    "wachtwoord|palavra passe|palavra chave de acesso|senha|haslo|codigo de acceso|losenord|passord|kodeord|adgangskode",
    "sifre|sifreniz|parola|heslo|salasana|jelszo|lozinka|geslo|parool|slaptazodis|lykilord|kata sandi|contrasenya",
];

const NEW_PASSWORDS: &[&str] = &[
    "new password|newpassword|confirm password|repeat password|password confirmation|password again|retype password",
    "neues passwort|neues kennwort|passwort wiederholen|passwort bestatigen|nouveau mot de passe",
    "confirmer le mot de passe|confirmez le mot de passe|nueva contrasena|confirmar contrasena|repetir contrasena",
    "nuova password|conferma password|ripeti password|nieuw wachtwoord|herhaal wachtwoord|bevestig wachtwoord",
    "nova senha|confirmar senha|confirme a senha|nowe haslo|powtorz haslo|potwierdz haslo",
];

const CODES: &[&str] = &[
    "otp|totp|one time code|one time password|onetimecode|verification code|authentication code|auth code|otp code",
    "authenticator code|two factor code|2fa code|2fa|mfa code|sms code|6 digit code|six digit code|mtan|sms tan",
    "login code|log in code|sign in code|confirmation code sent to your phone|push tan|phototan|chiptan",
    "bestatigungscode|verifizierungscode|einmalcode|einmalpasswort|sicherheitscode per sms|anmeldecode",
    "code de verification|code a usage unique|code sms|codigo de verificacion|codigo de un solo uso|codigo sms",
    "codice di verifica|codice monouso|codice otp|codice sms|verificatiecode|eenmalige code|codigo de verificacao",
    "codigo de uso unico|kod weryfikacyjny|kod jednorazowy|kod sms|haslo jednorazowe|recovery code|backup code",
    "verifieringskod|engangskod|engangskode|bekraeftelseskode|bekreftelseskode|vahvistuskoodi|kertakayttokoodi",
    "overovaci kod|dogrulama kodu|onay kodu|ellenorzo kod|cod de verificare",
];

const PAYMENT: &[&str] = &[
    "card number|cardnumber|card no|card nr|card num|cardnum|cc number|ccnumber|cc num|ccnum|cc no|credit card|creditcard",
    "debit card|debit card number|pan number|primary account number",
    "cvc|cvv|ccv|cvc2|cvv2|cvn|cvn2|csc|cid code|card security code|security code|card verification|card code",
    "expiry|expiration date|expiration month|expiration year|expiry date|exp date|card expiry|mm yy|mm yyyy",
    "iban|bic|account number|account no|routing number|sort code|bank account",
    "kartennummer|kartennr|kreditkarte|kreditkartennummer|prufziffer|prufnummer|kartenprufnummer|ablaufdatum",
    "sicherheitscode|kartensicherheitscode|gultig bis|kontonummer|numero de carte|numero de la carte|carte bancaire",
    "carte de credit|cryptogramme|code de securite|date d expiration|numero de compte",
    "numero de tarjeta|numero de la tarjeta|tarjeta de credito|tarjeta de debito|codigo de seguridad",
    "fecha de caducidad|fecha de vencimiento|numero de cuenta",
    "numero di carta|numero carta|numero della carta|carta di credito|codice di sicurezza|data di scadenza",
    "numero di conto|kaartnummer|creditcardnummer|beveiligingscode|vervaldatum|rekeningnummer",
    "numero do cartao|numero de cartao|cartao de credito|codigo de seguranca|data de validade|validade do cartao",
    "numer karty|karta kredytowa|kod cvc|kod cvv|kod zabezpieczajacy|data waznosci|numer konta|numer rachunku",
    "kortnummer|sakerhetskod|sikkerhedskode|sikkerhetskode|kontonummeret|kortin numero|korttinumero|turvakoodi",
    "cislo karty|cislo platebni karty|bezpecnostni kod|kart numarasi|kart no|guvenlik kodu|son kullanma tarihi",
    "kartyaszam|kartya szama|biztonsagi kod|bankszamlaszam|numar card|numarul cardului|cod de securitate",
];

const PERSONAL: &[&str] = &[
    "ssn|social security|social security number|national insurance number|national id|tax id|tin|itin",
    "passport number|passport no|passport nr|passportnumber|driver s license number|drivers license number",
    "driving licence number|id card number|identity card number|access code|entry code",
    "security answer|secret answer|answer to your security question|mother s maiden name|mothers maiden name",
    "sozialversicherungsnummer|steuer id|steueridentifikationsnummer|personalausweisnummer|ausweisnummer",
    "reisepassnummer|passnummer|zugangscode|sicherheitsantwort|geheimantwort|numero de passeport|code d acces",
    "numero de securite sociale|reponse secrete|numero de pasaporte|respuesta secreta|respuesta de seguridad",
    "numero de seguridad social|dni|codice fiscale|numero di passaporto|numero passaporto|risposta segreta|codice di accesso",
    "bsn|burgerservicenummer|paspoortnummer|toegangscode|numero do passaporte|codigo de acesso|resposta secreta",
    "cpf|pesel|numer paszportu|numer dowodu|kod dostepu|pin|pin code|pincode|pin number|pin kodu|pin kod",
    "personnummer|fodselsnummer|cpr nummer|henkilotunnus|rodne cislo|tc kimlik no",
];

const KEYS: &[&str] = &[
    "secret key|private key|api key|apikey|api secret|api token|access token|secret token|secret access key|access key id",
    "client secret|app secret|webhook secret|signing secret|shared secret|consumer secret|bearer token|auth token",
    "authentication token|authorization token|refresh token|session token|bot token|deploy token|deploy key",
    "personal access token|encryption key|signing key|ssh key|recovery phrase|seed phrase|recovery key|secret phrase",
    "mnemonic phrase|api schlussel|privater schlussel|geheimer schlussel|zugriffstoken|cle api|cle privee|cle secrete",
    "jeton d acces|clave api|clave de api|clave privada|clave secreta|token de acceso|chiave api|chiave privata",
    "chiave segreta|token di accesso|api sleutel|geheime sleutel|toegangstoken|chave api|chave de api|chave privada",
    "chave secreta|token de acesso|klucz api|klucz prywatny|token dostepu",
];

/// Words that only look like the ones above: a code of another kind, or a matter that is not the secret itself.
const HARMLESS: &[&str] = &[
    "forgot password|show password|hide password|remember password|reset password|passwort vergessen",
    "passwort anzeigen|mot de passe oublie|delivery pin code|area pin code|palabra clave|palabras clave",
    "gift card|gift card number|drop a pin|pin location|password hint|password manager|parola chiave|parole chiave",
    "api key name|api key label|api key description|api token name|access token name|access token description",
    "personal access token name|client secret name|secret key name|private key name|ssh key name|ssh key title",
    "deploy key name|deploy key title|webhook secret name|access code name|bearer token name|deploy token name",
    "public ssh key|public api key|expiration date of the token|credit card holder|name on credit card",
];

/// Words that tell a secret only where they are all that the label says: a ski pass and the colour tan are none.
pub(super) static ALONE: LazyLock<Lexicon<Secrecy>> = LazyLock::new(|| {
    Lexicon::of(&[
        (Secrecy::Password, &["pw|psw|p w"]),
        (Secrecy::OneTimeCode, &["tan|tan code|tan nummer"]),
        (Secrecy::Personal, &["secret code|geheimzahl|security question answer"]),
    ])
});

/// The same for identifiers, where nobody writes of a ski pass with this one word.
pub(super) static ALONE_IN_IDENTIFIERS: LazyLock<Lexicon<Secrecy>> = LazyLock::new(|| {
    Lexicon::of(&[
        (Secrecy::Password, &["pass|user pass|login pass|my pass|current pass|old pass|log pass|pass field"]),
        (Secrecy::NewPassword, &["new pass|confirm pass|pass confirm|repeat pass|pass repeat|pass again"]),
        (Secrecy::Payment, &["ccn|cc|card no|pan"]),
    ])
});

/// Words for anything from a coin of a game to a key: they tell a secret where the field holds one long word.
pub(super) static WEAK: LazyLock<Lexicon<Secrecy>> = LazyLock::new(|| {
    Lexicon::of(&[(
        Secrecy::Key,
        &[
            "token|your token|secret|your secret|the secret|credential|jeton|geheimnis|secreto|segreto|segredo|user token",
        ],
    )])
});

/// Phrases of other scripts, found anywhere: some put no spaces between words, others bend their words.
pub(super) static FRAGMENTS: LazyLock<Fragments<Option<Secrecy>>> = LazyLock::new(|| {
    Fragments::of(&[
        (
            Some(Secrecy::Password),
            &[
                "密码|密碼|口令|パスワード|비밀번호|패스워드|암호|пароль|пароля|парола|κωδικός|κωδικος|κωδικοσ|συνθηματικό",
                "كلمة المرور|كلمة السر|رمز عبور|گذرواژه|סיסמה|סיסמא|รหัสผ่าน|पासवर्ड|mật khẩu",
            ],
        ),
        (
            Some(Secrecy::NewPassword),
            &[
                "新密码|新密碼|确认密码|確認密碼|新しいパスワード|새 비밀번호|비밀번호 확인|новый пароль|повторите пароль",
            ],
        ),
        (
            Some(Secrecy::OneTimeCode),
            &[
                "验证码|驗證碼|动态密码|一次性密码|認証コード|確認コード|ワンタイムパスワード|認証番号|인증번호|인증 코드",
                "код подтверждения|код из смс|код из sms|одноразовый код|одноразовый пароль|код підтвердження",
                "κωδικός επαλήθευσης|κωδικός μιας χρήσης|رمز التحقق|קוד אימות|รหัสยืนยัน|mã xác minh|mã otp",
            ],
        ),
        (
            Some(Secrecy::Payment),
            &[
                "卡号|卡號|信用卡|银行账号|安全码|安全碼|カード番号|セキュリティコード|口座番号|카드번호|카드 번호|보안코드|계좌번호",
                "номер карты|номер картки|номер на карта|код безопасности|номер счета|номер счёта|αριθμός κάρτας",
                "رقم البطاقة|رمز الأمان|מספר כרטיס|หมายเลขบัตรเครดิต|कार्ड नंबर|số thẻ",
            ],
        ),
        (
            Some(Secrecy::Personal),
            &[
                "身份证|身份證|护照号|護照號|暗証番号|マイナンバー|パスポート番号|주민등록번호|여권번호|номер паспорта|снилс",
                "пин код|секретный ответ|αριθμός διαβατηρίου|תעודת זהות",
            ],
        ),
        (
            Some(Secrecy::Key),
            &["密钥|密鑰|秘密鍵|api キー|api 키|ключ api|api ключ|секретный ключ|приватный ключ"],
        ),
        (
            None,
            &[
                "图形验证码|图片验证码|忘记密码|ταχυδρομικός κωδικός|κωδικός προϊόντος|κωδικός κουπονιού|εκπτωτικός κωδικός",
                "κωδικός χώρας|κωδικός προσφοράς|забыли пароль",
            ],
        ),
    ])
});
