/** Values beside a name that says that they are secret: `API_KEY=…`, `"password": "…"`, `--token …`, "the password is …". */
import { areDrawnLetters, isPlaceholder, isSaidToBePublic, looksRandom, soundsLikeWords } from './looks-random';
import type { Found } from './secret';
import { isNoPassword } from './written-out';

const PASSWORDS =
  'pass(?:word|wd|wort|phrase|code)|pwd|psk|kennwort|(?<=(?:admin|auth|become|bind|db|deploy|ftp|http|key|ldap|login|mail|master|my|mysql|pg|proxy|redis|require|root|sql|ssh|store|sudo|svc|user|vault|vpn|wifi|_))pass(?![A-Za-z])|(?<=(?:wi-?fi|wlan|guest|admin|root|db) )pass(?![A-Za-z-])|(?<![A-Za-z])(?:pass|pw)(?=\\sis\\s|["\']?\\s{0,2}[:=>])|(?<=[A-Za-z]{2}_?)pw(?![A-Za-z])|authtok|(?<=(?:admin|api|card|device|hsm|sim|token|unlock|user)_)pin(?=["\']?\\s{0,2}[:=])|(?:wi-?fi|wlan)[ _-]?(?:key|schlüssel)|masterauth|mot de passe|contraseña|senha|wachtwoord|lösenord|hasło|пароль|密码|密碼|パスワード|비밀번호|비번';
/** Services whose keys have no form of their own. */
const SERVICES =
  'fastly|algolia|deepgram|assemblyai|elevenlabs|pinecone|mistral|cohere|cloudinary|unsplash|etherscan|tmdb|newsapi|weatherapi|openweather(?:map)?|giphy|pexels|trello|clearbit|ipinfo|mapquest|tomtom|serpapi|rapidapi|imgur';
const KEYS = `(?:totp|otp|2fa|mfa)[ _-]?seed|pepper|schlüssel|secret[ _-]key|secret|token|x-auth(?=:)|credentials?|api[._ -]?keys?|(?:${SERVICES}|access|auth|authorization|private|signing|encryption|unseal|master|account|admin|app|application|service|server|license|licence|session|storage|client|deploy|integration|routing|write|ingest|ingestion|webhook|secret|root|account|subscription|bot|user|personal|jwt|hmac|shared|functions|host|instrumentation|consumer|cookie|crypt|cipher|salt|fernet|bootstrap)[._ -]?key|_key(?![A-Za-z])|(?<=[A-Z]_)pat(?=["']?\\s?[:=])|connection[_ -]?string|auth[_-]?code`;
/** "mistral key: …", unless what follows is an id or a hash: keys of rows and caches are so. */
const SOME_KEY =
  '(?<=[A-Za-z][\\s-])key(?:\\s\\d{1,2})?(?=(?::|\\sis)\\s{1,3}["\'`]?(?![0-9a-f-]{16,64}(?![A-Za-z0-9])|[a-z]+\\/)[A-Za-z0-9_+/=-]{24,}(?![A-Za-z0-9:]))';
const NAME = `(?:(${PASSWORDS})|${KEYS}|${SOME_KEY})`;

/** What leads from the name to its value. */
const ASSIGNED =
  '(?:,?\\s{1,10}["\']?value["\']?|",\\s{0,4}"value")?\\s{0,4}(?::=|[|]{2}=|[?]{2}=|=>|->|→|==?=?|:|=)\\s{0,6}@?(?:[A-Za-z]{2,12}\\s{0,2}=\\s{0,2})?';
const AS_ARGUMENT = '\\s{0,2}[(,|](?![\\w ./-]{1,24}\\):)\\s{0,2}';
const SAID =
  '(?:\\s\\([\\w ./-]{1,24}\\))?(?:\\s(?:at|for|of|on|in|to|für|von|vom|auf|im|des|der|du|de|del|da|di|pour|para)\\s[\\wÀ-ÿ @./()-]{1,40}?)?\\s{0,2}(?:\\sis:?|\\sist|\\slautet:?|\\sest|\\ses|\\sè|\\swas|\\sto|:|=|—|–|\\s-)\\s{1,3}(?:now\\s|set to\\s|still\\s|just\\s)?';
const FOLLOWED = '\\s{1,3}';

/** Groups: name of a password, assigned, argument, said, quotation mark, value. */
const NAMED = new RegExp(
  `${NAME}[A-Za-z0-9_-]{0,24}["'\`*\\])]{0,4}(?:(${ASSIGNED})|(${AS_ARGUMENT}|>)|(${SAID})|${FOLLOWED})[*]{0,2}(["'\`]?)([^\\s"'\`<>]{6,300})`,
  'gi',
);

const NAME_ALONE = new RegExp(`${NAME}[A-Za-z0-9_-]{0,24}`, 'iy');

function nameAt(text: string, index: number): string | undefined {
  NAME_ALONE.lastIndex = index;
  return NAME_ALONE.exec(text)?.[0];
}

/** A name with one of these is no secret's, or says that it is none. */
const OTHER_NAMES = new Set(
  (
    'public publishable pub cache cached primary foreign partition sort sorting idempotency idempotent hash hashed hashing checksum digest fingerprint etag cursor next previous page continuation tokenizer tokenize ' +
    'tokens max min count counter num number limit limits budget fake dummy mock mocked example fixture fixtures sample placeholder stub surrogate csrf xsrf nonce site lookup id ids name names path file filename url uri ' +
    'length size type kind expires expiry expiration ttl var variable header headers field label regex pattern prefix policy anon row unique composite object sha sha1 sha256 md5 commit revision version algorithm alg method request trace span'
  ).split(' '),
);
const EXPLICIT = new RegExp(
  `(?:${SERVICES}|api|access|auth|app|application|channel|client|consumer|hmac|merchant|private|project|server|shared|webhook|hec|acl|bot|deploy|ingestion|admin|service|personal|bearer|refresh|root|signing|master|encryption|licen[cs]e|integration|write|secret|account)[ _-]?(?:key|token|secret)\\s*$`,
  'i',
);
/** `snyk token …`, but not `this token …` */
const OF_SOMETHING =
  /(?<![a-z])(?!(?:an?|the|this|that|its|each|same|new|old|any|no|reset|whose) )[a-z]{3,20} token\s*$/i;
/** It declares a name. */
const DECLARED = /^(?:TF_VAR_|var |let |const |val |static |final |def |env )/i;
const LONGEST_NAME = 40;
/** A name of Amazon's, or what was encrypted to lie in a repository. */
const IN_NAME_OR_SEALED = /(?:^|[^A-Za-z0-9])arn:[\w:-]*$|encryptedData[.:\s]*$/;
const LONGEST_ARN = 120;
/** `User Id=sa;`, with the next name begun */
const IN_CONNECTION_STRING = /[\w ]=[^;=\s]{1,40};\s?[A-Za-z ]{0,20}$/;

/** What stands for a value that is elsewhere. */
const REFERENCE =
  /^[$%{<@&]|[$#%]\{|\{\{|\$\(|(?<![A-Za-z0-9])\$[A-Z_]|[A-Za-z_\]]\(|\(\)|=>|\?\.|process\.env|import\.meta|os\.environ|getenv|^env[.:[]|^(?:op|vault|keyring|keychain|file|https?|aws|gcp|azure|ssm|sops|arn|projects|ref|s3|gs):|^projects\/|^ENC\[|^!|\[\]$/i;
/** The same, unless what follows was drawn. */
const PATH =
  /^[~.]{0,2}\/|[.](?:bin|json|ya?ml|[jt]sx?|py|pem|key|txt|md|toml|env|crt|sql|sh|go|rs|db|conf|ini|cfg|xml|html|css|lock|log)$|^(?:secrets?|vault|config|settings|self|this|params?|props|options|opts|args|data|vars?|local|module|ctx|req|res|request|response|user|state|input|values?)[.[:]/i;
const LONGER_THAN_NAMES = 30;
const ALGORITHM =
  /^(?:sha|md|aes|base|utf|argon|bcrypt|scrypt|pbkdf|n?varchar|char|u?int|float|string|text|rfc|oauth|ed|x|rs|hs|es|ps|secp|blake|crc|iso|tls|ssl|ipv|http|h|p|k|s|ec|web|v)[-_]?\d{1,5}(?:mb\d|id|crypt|sum|url|array|[a-z]\d|[-_/.:(][\w().:-]*)?$|^\d+(?:[a-z]{1,7}|[-.]\w{1,6})?$|^\d{4}-\d\d-\d\d|[a-z]-\d{4}-\d\d-\d\d$|^[a-z]+[-@]v?\d+(?:[.]\d+)+$|^0x[0-9a-f]{1,16}$|[-_](?:SHA\d{0,3}|AES|CBC|GCM|CCM|NULL)(?:[-_]|$)/i;
/** `line_12`, `part-3` */
const NUMBERED = /^_*[a-z]+(?:[-_][a-z]{0,8}\d+)+(?:\(0x[0-9a-f]+\)?)?$/i;
/** `Harbor_981` */
const WORD_AND_NUMBER = /^[A-Z][a-z]{3,}[-_]\d{3,4}$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const HEX = /^[0-9a-f]+$/i;
/** Behind `token` it is one; behind `key` it may be that of a row. */
const LENGTH_OF_HEX = 30;
const IDENTIFIER = /^[A-Za-z_$][a-z]*(?:[A-Z_.][A-Za-z_]*)+\d{0,2}$|^[A-Za-z]+[_.]?\d?$/;

interface Value {
  readonly value: string;
  readonly isPassword: boolean;
  /** Its name can mean nothing else: `access token`, where `token` alone could. */
  readonly isExplicit: boolean;
  /** Its name ends in another word than `key`. */
  readonly isNoKey: boolean;
  /** `said` asks for more than `assigned`, and `followed` for most: words stand there, too. */
  readonly how: 'assigned' | 'said' | 'followed';
  /** In quotation marks, or in a line of an environment: no name of something else. */
  readonly isLiteral: boolean;
}

/** Looks for values beside a name that says that they are secret. */
export function* namedValues(text: string): Generator<Found> {
  for (const match of matchesOf(text)) {
    const { index } = match;
    const [all, password, assigned, argument, said, quote = '', raw = ''] = match;
    const before = text.slice(Math.max(0, index - LONGEST_NAME), index);
    if (IN_NAME_OR_SEALED.test(text.slice(Math.max(0, index - LONGEST_ARN), index))) continue;
    const prefix = /[A-Za-z0-9_.-]*(?: [A-Za-z]+)?[ _-]?$/.exec(before)?.[0] ?? '';
    const name = (prefix + (nameAt(text, index) ?? '')).replace(DECLARED, '');
    if (wordsOf(name).some((word) => OTHER_NAMES.has(word))) continue;
    if (isSaidToBePublic(text.slice(index + all.length, index + all.length + LONGEST_NAME))) continue;
    if (argument !== undefined && quote === '' && argument.trim() !== '>' && argument.trim() !== '|') continue;
    const isFlag =
      /(?:^|\s)--?[A-Za-z0-9_-]*$/.test(prefix === '' ? before : before.slice(0, before.length)) &&
      assigned === undefined;
    const isVariable = assigned === undefined && said === undefined && /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(name);
    // `:password "…"`, `WITH PASSWORD '…'`, `#define WIFI_PASS "…"`
    const isQuoted = password !== undefined && /["']/.test(quote) && text.charAt(index + all.length) === quote;
    const how =
      assigned !== undefined || argument !== undefined || isFlag || isVariable || (said === undefined && isQuoted)
        ? 'assigned'
        : said !== undefined
          ? 'said'
          : 'followed';
    const value =
      quote === '' ? unquoted(raw, /[?&]$/.test(before.slice(0, before.length - prefix.trimStart().length))) : raw;
    const isLiteral =
      quote !== '' ||
      isFlag ||
      (assigned === '=' && IN_CONNECTION_STRING.test(before)) ||
      (assigned === '=' && /^[A-Z0-9_]+$/.test(name.trim()));
    if (
      isSecret({
        value,
        isPassword: password !== undefined,
        isExplicit: EXPLICIT.test(name) || OF_SOMETHING.test(name),
        isNoKey: !/keys?$/i.test(name),
        how,
        isLiteral,
      })
    ) {
      yield {
        kind: password === undefined ? `value of a ${quietName(match)}` : 'password',
        at: index,
        end: index + all.length,
      };
    }
  }
  yield* passphrases(text);
}

/**
 * What one name has behind it may be the next name: `credentials: master.key is …`. A longer value is none, so that no part of
 * a text is looked at more than twice.
 */
function* matchesOf(text: string): Generator<RegExpExecArray> {
  const named = new RegExp(NAMED);
  for (let match = named.exec(text); match; match = named.exec(text)) {
    yield match;
    const value = match.at(-1) ?? '';
    if (value.length <= LONGEST_NAME) named.lastIndex -= value.length;
  }
}

/** Letters of both cases and digits. */
function isMixed(value: string): boolean {
  return /\d/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value);
}

function quietName([all]: RegExpMatchArray): string {
  return /^(?:token|secret|credential)/i.exec(all)?.[0].toLowerCase() ?? 'key';
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

function unquoted(raw: string, isQuery: boolean): string {
  const value = isQuery ? raw.replace(/[&#].*$/s, '') : raw.replace(/(?:;$|[;&][A-Za-z_]{2,20}=).*$/s, '');
  return value.replace(/(?:[.,;:)\]}*|\\]|\\n)+$/, '');
}

function isSecret({ value, isPassword, isExplicit, isNoKey, how, isLiteral }: Value): boolean {
  if (REFERENCE.test(value) || isPlaceholder(value) || isNoPassword(value) || ALGORITHM.test(value)) return false;
  if (NUMBERED.test(value) && !(isPassword && WORD_AND_NUMBER.test(value))) return false;
  if (PATH.test(value) && (value.length < LONGER_THAN_NAMES || !looksRandom(value))) return false;
  if (isPassword && isStrongPassword(value, how, isLiteral)) return true;
  if (!looksRandom(value))
    return (
      !isPassword && how === 'assigned' && isLiteral && value.length >= 12 && isStrongPassword(value, how, isLiteral)
    );
  if (how === 'assigned') return value.length >= (isLiteral || isMixed(value) ? 12 : 16);
  if (value.length < (isExplicit ? 14 : 16)) return false;
  return how === 'said'
    ? !ULID.test(value)
    : value.length >= (isExplicit ? 14 : isMixed(value) ? 16 : 20) &&
        !ULID.test(value) &&
        (isExplicit || (!UUID.test(value) && (!HEX.test(value) || (isNoKey && value.length >= LENGTH_OF_HEX))));
}

/** `bramble-Otter-19-quay` */
const WORDS_AND_NUMBER =
  /^(?=[^A-Z]*[A-Z])[A-Za-z]{3,}[-_.](?:[A-Za-z]{3,}[-_.]){0,3}\d{2,4}[-_.](?:[A-Za-z]{3,}[-_.]?){1,3}$/;

/** What a person made up: letters with digits or signs among them. */
function isStrongPassword(value: string, how: Value['how'], isLiteral: boolean): boolean {
  if (!/[A-Za-z]/.test(value) || value.length < 6) return false;
  const hasDigit = /\d/.test(value);
  const hasSign = /[!@#$%^&*?~+]/.test(value);
  const hasBoth = /[a-z]/.test(value) && /[A-Z]/.test(value);
  if (how !== 'followed' && areDrawnLetters(value)) return true;
  if (how === 'followed')
    return (
      value.length >= 8 && hasDigit && (hasSign || (hasBoth && /\d[A-Za-z]/.test(value))) && !/[/.,:()]/.test(value)
    );
  if (value.length < 8) return hasDigit && isLiteral && how === 'assigned';
  if (how === 'said')
    return (
      hasDigit &&
      !/[/()]/.test(value) &&
      (hasSign ||
        !soundsLikeWords(value) ||
        /^[A-Z][a-z]{3,}\d\d+$/.test(value) ||
        WORDS_AND_NUMBER.test(value) ||
        (/\d[A-Za-z]/.test(value) && !/^[a-z]+-[a-z]+/i.test(value)))
    );
  if (!isLiteral && ((IDENTIFIER.test(value) && soundsLikeWords(value)) || /[()[\]{}]/.test(value))) return false;
  if (hasDigit)
    return !/^(?:\w+[-_])?[a-z]+[-_.]v?\d$/i.test(value) && (isLiteral || /\d\D|\d\d|[!@#$^&*]/.test(value));
  return isLiteral && hasSign && hasBoth;
}

/** Several words, as people are told to choose them. */
const PASSPHRASE =
  /pass[_ -]?phrase[A-Za-z0-9_]{0,16}["']?\s{0,3}(?::=|[:=]|\sis)\s{0,3}(["'`])((?:[A-Za-z]{3,10}[ -]){3,11}[A-Za-z0-9!]{3,10})\1/gi;
const SENTENCE = /\b(?:the|your|must|enter|with|and|for|is|are|not|to|of|be|this|that|please|should|phrase)\b/i;

function* passphrases(text: string): Generator<Found> {
  for (const { 0: all, 2: words = '', index } of text.matchAll(PASSPHRASE)) {
    if (!SENTENCE.test(words)) yield { kind: 'passphrase', at: index, end: index + all.length };
  }
}
