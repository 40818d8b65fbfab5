/** Secrets in forms that are standards: private keys, passwords in addresses, headers of requests. */
import { isPlaceholder, looksRandom } from './looks-random';
import type { Found } from './secret';

const BEGINS_KEY = /-{4,5} ?BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;
/** Lines of a key that come before its data. */
const HEAD_OF_KEY = /^(?:Proc-Type|DEK-Info|Version|Comment|Subject|Key-Attributes)\b/i;
/** Behind its first line, far enough to see what comes. */
const LOOKED_AT = 400;
const FIRST_OF_KEY = /^[A-Za-z0-9+/=]{16}/;

function* privateKeys(text: string): Generator<Found> {
  for (const { 0: header, index } of text.matchAll(BEGINS_KEY)) {
    const lines = text
      .slice(index + header.length, index + header.length + LOOKED_AT)
      .split(/(?:\\r|\\n|[\r\n"'`])+/)
      .map((line) => line.trim())
      .filter((line) => line.length > 2 && !HEAD_OF_KEY.test(line));
    const [first = ''] = lines;
    if (FIRST_OF_KEY.test(first) && !isPlaceholder(first))
      yield { kind: 'private key', at: index, end: index + header.length };
  }
}

/** The same in Base64, as Kubernetes and continuous integration keep it; and the forms of other programs. */
const OTHER_KEYS: readonly RegExp[] = [
  /LS0tLS1CRUdJTi(?:BQUklWQVRF|BSU0EgUFJJVkFURS|BFQyBQUklWQVRF|BPUEVOU1NIIFBSSVZBVEUg|BFTkNSWVBURUQgUFJJVkFURS|BQR1AgUFJJVkFURS)[A-Za-z0-9+/=]{20,}/g,
  /Private-Lines: \d{1,4}\s{1,4}[A-Za-z0-9+/]{20,}/g,
  /"d"\s{0,4}:\s{0,4}"[A-Za-z0-9_-]{40,}"/g,
  /"kty"\s{0,4}:\s{0,4}"oct"[^{}]{0,300}?"k"\s{0,4}:\s{0,4}"[A-Za-z0-9_-]{20,}"/g,
  /"k"\s{0,4}:\s{0,4}"[A-Za-z0-9_-]{20,}"[^{}]{0,300}?"kty"\s{0,4}:\s{0,4}"oct"/g,
];

/** Nobody's real password. */
const NO_PASSWORD = new Set(
  (
    'password passwd passwort pass pwd pw secret user username usr name admin root test tests guest postgres postgresql mysql mariadb redis mongo mongodb rabbitmq amqp guest token key apikey api_key ' +
    'foo bar baz foobar changeme example sample demo dev local localhost none null undefined string value x y p s login credentials host hostname port db database my-password mypassword my_password ' +
    'yourpassword your_password userpass user_password dbpassword db_password db_pass oauth2 x-oauth-basic x-access-token access_token auth private hidden redacted removed omitted ... *** minio minioadmin sa neo4j elastic'
  ).split(' '),
);

const USUAL =
  /pass(?:word|wd)?$|^(?:my|your|the|db)[-_]|^(?:pass(?:word|wd)?|p@ssw0rd|secret|admin|root|test|guest|user|demo|letmein|qwerty|abc|foo|bar)[-_]?(?:\d{1,4})?!?$/i;

const ADDRESS =
  /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,30}:\/\/([^\s:/?#@"'`<>()[\]{}]{0,100}):([^\s/?#"'`<>]{1,200}?)@([^\s@/?#"'`:<>]{1,250})/gi;
const TOKEN_AS_USER = /https?:\/\/([A-Za-z0-9_-]{24,200})@/g;
/** What a program or a person puts something else in place of. */
const TO_BE_FILLED_IN =
  /[{}<>[\]…]|\.\.\.|[*]{2}|^[*$]|^[xX]+$|[$%][({]|(?<![A-Za-z0-9])[$][A-Z_][A-Z0-9_]{2}|^%(?:[a-z@]|[A-Za-z_]{1,60}%)?$/;

function* passwordsInAddresses(text: string): Generator<Found> {
  for (const { 0: all, 1: user = '', 2: password = '', 3: host = '', index } of text.matchAll(ADDRESS)) {
    if (isNoPassword(password, user) || /^(?:host|hostname|example|server)$/i.test(host)) continue;
    yield { kind: 'password in an address', at: index, end: index + all.length };
  }
  for (const { 0: all, 1: user = '', index } of text.matchAll(TOKEN_AS_USER)) {
    // Addresses of Sentry have one of 32 hexadecimal digits, which is public.
    if (/[A-Z]/.test(user) && looksRandom(user))
      yield { kind: 'token in an address', at: index, end: index + all.length };
  }
}

/** In an address `%40` is a character like any other. */
export function isNoPassword(password: string, user = ''): boolean {
  const plain = password.replace(/%[0-9A-F]{2}/gi, '-');
  const low = password.toLowerCase();
  return (
    TO_BE_FILLED_IN.test(plain) ||
    isPlaceholder(password) ||
    NO_PASSWORD.has(low) ||
    low === user.toLowerCase() ||
    new Set(low).size < 3 ||
    USUAL.test(password)
  );
}

const BEARER =
  /(?<![A-Za-z0-9])(?:Bearer|Authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:Token|ApiKey|Key|OAuth|Splunk|GenieKey|SSWS|Apikey|token))\s{1,3}["']?([A-Za-z0-9_.~+/=:-]{16,})/gi;
const AUTHORIZED =
  /(?<![A-Za-z0-9])Authorization["']?\s{0,3}[:=]\s{0,3}["']?([A-Za-z0-9_.~+/=-]{20,})(?![A-Za-z0-9_.~+/=-]|\s[A-Za-z0-9])/g;
const BASIC =
  /(?<![A-Za-z0-9])(?:Basic\s{1,3}|"?auth"?\s{0,3}[:=]\s{0,3}["']?|_auth\s{0,3}=\s{0,3}["']?)([A-Za-z0-9+/]{10,}={0,2})/gi;
const COOKIE =
  /(?<![A-Za-z0-9])(?:Set-)?Cookie["']?\s{0,3}:\s{0,3}["']?[A-Za-z0-9_.-]{1,64}=([A-Za-z0-9%._~+/-]{20,})/gi;

function* headers(text: string): Generator<Found> {
  for (const { 0: all, 1: value = '', index } of text.matchAll(BEARER)) {
    if (looksRandom(value)) yield { kind: 'Bearer token', at: index, end: index + all.length };
  }
  for (const { 0: all, 1: value = '', index } of text.matchAll(AUTHORIZED)) {
    if (looksRandom(value)) yield { kind: 'token in a header', at: index, end: index + all.length };
  }
  for (const { 0: all, 1: value = '', index } of text.matchAll(BASIC)) {
    const [, user, password] =
      /^([^\s:]{1,100}):([\x21-\x7e]{4,200})$/.exec(Buffer.from(value, 'base64').toString('latin1')) ?? [];
    if (password !== undefined && !isNoPassword(password, user))
      yield { kind: 'password in Base64', at: index, end: index + all.length };
  }
  for (const { 0: all, 1: value = '', index } of text.matchAll(COOKIE)) {
    if (looksRandom(value)) yield { kind: 'session cookie', at: index, end: index + all.length };
  }
}

/** Words of these are what a wallet is made from. */
const WORDS =
  /(?:mnemonic|seed phrase|recovery phrase|wallet seed)["'`]?(?:\s{0,2}[:=]|\s{1,2}is:?)\s{0,3}["'`]?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/gi;
const NOT_IN_THE_LIST = /\b(?:the|and|for|with|are|has|was|its|from|into|which|when|must|than|not)\b/;

function* wallets(text: string): Generator<Found> {
  for (const { 0: all, 1: words = '', index } of text.matchAll(WORDS)) {
    if (!NOT_IN_THE_LIST.test(words)) yield { kind: 'seed phrase', at: index, end: index + all.length };
  }
}

/** Looks for private keys, addresses with a password and headers of requests. */
export function* writtenOut(text: string): Generator<Found> {
  yield* privateKeys(text);
  for (const key of OTHER_KEYS) {
    for (const { 0: all, index } of text.matchAll(key))
      yield { kind: 'private key', at: index, end: index + all.length };
  }
  if (text.includes('://')) yield* passwordsInAddresses(text);
  yield* headers(text);
  yield* wallets(text);
}
