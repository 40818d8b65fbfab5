/** Drawn values in the same line behind a word for keys, with other words between them; and passwords of commands. */
import { areDrawnLetters, isPlaceholder, isSaidToBePublic, looksRandom, soundsLikeWords } from './looks-random';
import type { Found } from './secret';
import { isNoPassword } from './written-out';

const WORD =
  /\b(?:api[ _-]?key|access[ _-]?key|secret[ _-]?key|auth[ _-]?key|license key|deploy key|secret|password|passphrase|credentials?|(?:access|auth|bot|api|deploy|refresh|bearer|personal access|service) token|token|key)\b/gi;
const NO_SECRET =
  /public|hash|digest|checksum|integrity|commit|revision|nonce|fingerprint|uuid|ulid|etag|trace|request|span|example|fixture|cache|sha\d|md5|signature of|thumbprint|build|image|snapshot|\bid\b/i;
/** How far behind the word. */
const REACH = 80;
const DRAWN = /(?<![A-Za-z0-9_+/=.~:@-])[A-Za-z0-9_+=~-][A-Za-z0-9_+/=~-]{19,200}(?![A-Za-z0-9_+/=~(-])/g;
/** `key` alone may be that of a row, so what is longer than ids is asked for, and that it is said to be the key. */
const LONG_KEY = 32;
const IS_SAID = /(?:[:=]|\bis) ?["'`]?$/;

function isSaidToBeKey(value: string, before: string): boolean {
  return value.length >= LONG_KEY && !value.includes('/') && IS_SAID.test(before);
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

function* drawnBehindWords(text: string): Generator<Found> {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const behind = text.slice(index + word.length, index + word.length + REACH + 200);
    const line = behind.split('\n', 1)[0] ?? '';
    const before =
      text
        .slice(Math.max(0, index - 30), index)
        .split('\n')
        .at(-1) ?? '';
    for (const match of line.matchAll(DRAWN)) {
      if (match.index > REACH) break;
      const [value] = match;
      if (NO_SECRET.test(before + word + line.slice(0, match.index))) break;
      if (/^[0-9a-f-]+$/i.test(value) || ULID.test(value) || /\/[a-z]+\//.test(value)) continue;
      if (word.toLowerCase() === 'key' && !isSaidToBeKey(value, line.slice(0, match.index))) continue;
      if (isDrawn(value) && !isSaidToBePublic(line.slice(match.index + value.length))) {
        const at = index + word.length + match.index;
        yield { kind: 'key or token', at, end: at + value.length };
      }
    }
  }
}

/** What is said of the value comes behind it. */
const SAID_BEHIND =
  /(?<![A-Za-z0-9_+/=.~:@-])([A-Za-z0-9_+=~-]{20,200})(?:["'`]?\s(?:is|as|was)\s(?:(?:the|our|my|a|an|its)\s)?|["'`);,]{0,4}\s{1,4}(?:#|\/\/|--|←|<-)\s)[\w ]{0,30}?(?:api key|access key|secret|token|password|credential)/gi;
/** What a client of a service is made with. */
const GIVEN_TO_CLIENT =
  /\b[A-Za-z_]{0,40}(?:Client|Api|API|SDK|Sdk)\((?:[a-zA-Z_]{1,30}\s?[=:]\s?)?["'`]([A-Za-z0-9_+=~-]{24,200})["'`]/g;

/** `nextPageToken` is where a list goes on. */
const OF_A_PAGE = /page|next|cursor|continuation|sync/i;

const NAMED_BEHIND =
  /(?<![A-Za-z0-9_+/=.~:@-])([A-Za-z0-9_-]{20,200})["'`]?\s(?:(?:is|as|for|in)\s(?:the\s)?)?[A-Z][A-Z0-9_]{0,60}_(?:TOKEN|KEY|SECRET|PASSWORD)\b|(?<![A-Za-z0-9_+/=.~:@-])([A-Za-z0-9_-]{24,200})["'`]?\s(?:api|access|secret)\s(?:key|token)\b/g;

function* drawnBeforeWords(text: string): Generator<Found> {
  for (const { 0: all, 1: value = '', index } of text.matchAll(SAID_BEHIND)) {
    if (isDrawn(value) && !OF_A_PAGE.test(all.slice(value.length)))
      yield { kind: 'key or token', at: index, end: index + all.length };
  }
  for (const { 0: all, 1: value = '', index } of text.matchAll(GIVEN_TO_CLIENT)) {
    if (isDrawn(value)) yield { kind: 'key or token', at: index, end: index + all.length };
  }
  for (const { 0: all, 1: named, 2: said = '', index } of text.matchAll(NAMED_BEHIND)) {
    if (named === undefined ? isDrawn(said) : looksRandom(named))
      yield { kind: 'key or token', at: index, end: index + all.length };
  }
}

/** Without capital letters only a long one is told from a name, and hexadecimal digits alone may be a hash. */
const LONGER_THAN_NAMES = 32;
const ADDRESS_OF_A_CHAIN = /^0x[0-9a-f]{40}$/i;

function isDrawn(value: string): boolean {
  if (!/\d/.test(value) || !/[a-z]/.test(value) || ADDRESS_OF_A_CHAIN.test(value) || !looksRandom(value)) return false;
  return /[A-Z]/.test(value) || (/^[a-z0-9]+$/.test(value) && /[g-z]/.test(value) && value.length >= LONGER_THAN_NAMES);
}

/** Passwords that programs take as an argument. */
const COMMANDS: readonly RegExp[] = [
  /(?<![A-Za-z])(?:pw|pass)\s(?:for|of|on|in|at|to)\s[^\n]{1,40}?\sis:?\s["'`]?((?=\S{0,60}[A-Z])(?=\S{0,60}[a-z])[^\s"'`]{8,60})/g,
  /\b[Cc]red(?:ential)?s?\b[^\n]{0,30}?:\s[\w.@-]{2,60},\s["'`]?((?=\S{0,60}\d)(?=\S{0,60}[A-Za-z])(?=\S{0,60}[!@#$%^&*]|\S{0,60}[a-z][A-Z])[^\s"'`]{8,60})/g,
  /\b(?:curl|wget|https?|xh|etcdctl)\b[\s\S]{0,300}?\s(?:-u|--user)[ =]{0,4}["']?[^\s:"']{0,80}:["']?(?!\/\/)([^\s"'`]{4,200})/g,
  /\bsshpass\s{1,3}-p\s{0,2}["']?([^\s"'`]{4,200})/g,
  /\b(?:mysql|mysqldump|mariadb|mysqladmin)\b[^\n]{0,200}?\s-p["']?([^\s"'`]{4,200})/g,
  /\b(?:sqlcmd|bcp|isql|osql)\b[^\n]{0,200}?\s-P\s{0,2}["']?([^\s"'`]{4,200})/g,
  /\bjdbc:oracle:\w{1,10}:[^\s/:@]{1,80}\/([^\s"'`]{4,200}?)@/gi,
  /\b(?:user(?:name)?|benutzer|login)\s\S{1,60}\s(?:and\s|und\s)?(?:pass|pw)\s["']?([^\s"'`]{6,200})/gi,
  /\b(?:echo|printf)\s{1,3}(?:-n\s{1,3})?["']?([^\s"'`|]{8,200})["']?\s{0,3}\|[^\n]{0,100}?--(?:password|token|with-token|pass)(?:-stdin|-fd\b|\b)/g,
  /\b(?:backup|recovery|2fa|mfa)[ -]codes?(?::|\s(?:is|are|sind))?\s(?=\S{0,20}\d)([a-z0-9]{4,10}(?:-[a-z0-9]{4,10}|,?\s(?=\S{0,20}\d)[a-z0-9]{4,10}){1,15})(?![\w-])/gi,
  /\bredis-cli\b[^\n]{0,200}?\s-a\s{1,2}["']?([^\s"'`]{4,200})/g,
  /\s-u\s["']?[\w.@-]{1,60}:((?=\S{0,60}\d)(?=\S{0,60}[a-z])(?=\S{0,60}[A-Z]|\S{16})[^\s"'`:/]{8,200})/g,
  /\s-U\s?["']?[\w.@\\-]{1,60}%([^\s"'`]{6,200})/g,
  /\bhttp-basic\.\S{1,80}\s\S{1,60}\s([^\s"'`]{6,200})/g,
  /\bSecureString\b[^\n]{0,100}?--value\s["']?([^\s"'`]{6,200})/g,
  /\b(?:change_password|set_password|add_user)\s\S{1,60}\s["']?([^\s"'`]{6,200})/g,
  /\bcommunity\sstring[:=]?\s(?:is\s)?["']?([^\s"'`]{8,60})/gi,
  /(?<![\w/:.])(?:(?:admin|root)[: ]|(?:test|demo|deploy|ops|svc|guest|qa|postgres|sa|user):)((?=\S{0,60}\d)(?=\S{0,60}[A-Z])(?=\S{0,60}[a-z])(?=\S{0,60}[!@#$%^&*])[^\s"'`/]{8,60})/g,
  /(?<!\S)["'`]?((?=\S{0,60}\d)(?=\S{0,60}[A-Z])[^\s"'`]{8,60})["'`]?\sas\s(?:the\s|its\s|a\s)?pass(?:word|phrase)\b/g,
  /"username"\s?:\s?"[^"\n]{1,60}",\s?"key"\s?:\s?"([0-9a-f]{32})"/g,
  /\bbundle config\b[^\n]{0,80}?\s[\w.-]{1,40}:([^\s"'`]{8,200})/g,
  /\bwpa_passphrase\s\S{1,60}\s["']?([^\s"'`]{8,63})/g,
  /\bPIN\b[^\n]{0,30}?\sis\s(\d{6,12})(?!\d)/g,
  /\bapplication password\b[^\n]{0,30}?\s((?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4})(?![A-Za-z0-9])/gi,
  /\b\w{0,20}_?key["']?\s?[:=]\s?[["']?(?!(?:0x)?00[ ,:]{1,2}(?:0x)?01[ ,:]{1,2}(?:0x)?02)((?:(?:0x)?[0-9a-f]{2}[ ,:]{1,2}){15}(?:0x)?[0-9a-f]{2})(?![0-9a-f])/gi,
  /\bsecret_id(?:\s?[=:]\s?|\s)["']?([0-9a-f]{8}-[0-9a-f-]{27})/g,
  /\bencrypt\s?=\s?["']([A-Za-z0-9+/]{22,44}={0,2})["']/g,
  /(?<![\w/.-])[\w.-]{1,60}\/([^\s@/"'`]{4,200})@\/\/[\w.-]/g,
  /(?<![\w.+-])[\w.+-]{1,60}@[\w-]{1,60}[.][\w.-]{1,60}\s((?=\S{0,60}\d)(?=\S{0,60}[A-Z])(?=\S{0,60}[a-z])(?=\S{0,60}[!@#$%^&*])(?!\S{0,60}#\d+\b)[^\s"'`/]{10,60})/g,
  /\bcypress\b[^\n]{0,80}?--key[ =]([0-9a-f]{8}-[0-9a-f-]{27})/g,
  /\b7z\b[^\n]{0,60}?\s-p([^\s"'`]{6,200})/g,
  /\bappid=([0-9a-f]{32})(?![0-9a-z])/g,
  /\bcookies?:?\s["']?[\w.-]{0,40}(?:sess|sid|auth|token|jwt)[\w.-]{0,40}=([^\s;"'`]{16,2000})/gi,
  /\bidentified\s(?:with\s\S{1,40}\s)?by\s{1,3}["']([^\s"']{6,200})["']/gi,
  /\s\/user:\S{1,80}\s{1,3}([^\s"'`]{6,200})/g,
  /\bauth\s?=\s?[([]\s?["'][^"'\n]{1,80}["'],\s{0,4}["']([^\s"']{6,200})["']/g,
  /\b[A-Z0-9_]{0,40}AUTH=["']?[\w.@-]{1,60}[:/]([^\s"'`:@/]{6,200})/g,
  /\blogin\b[^\n]{0,200}?\s-p\s{1,2}["']?([^\s"'`]{4,200})/g,
  /\blogin\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(\S{6,200})/g,
  /\blogin(?:\s{1,3}|\s?=\s?)([A-Za-z0-9_-]{32,200})(?![\w./-])/g,
  /_authToken\s([A-Za-z0-9_.-]{20,200})/g,
  /(?:^|pgpass[^\n]{0,20}\s)[\w.*-]{1,100}:(?:\d{2,5}|[*]):[\w*-]{1,60}:[\w*-]{1,60}:([^\s:]{6,200})(?=\s|$)/gm,
  /\b(?:ldap\w{3,10}|slapadd)\b[^\n]{0,200}?\s-w\s{0,2}["']?([^\s"'`]{4,200})/g,
  /\bssh-keygen\b[^\n]{0,200}?\s-[NP]\s{1,2}["']?([^\s"'`]{4,200})/g,
  /\b(?:un)?zip\b[^\n]{0,80}?\s-P\s{0,2}["']?([^\s"'`]{4,200})/g,
  /\bConvertTo-SecureString\s(?:-String\s)?["']([^\s"'`]{4,200})["']/gi,
  /\s\/u:\S{1,80}\s\/p:["']?([^\s"'`]{6,200})/g,
  /(?<![\w/])[\w.-]{1,60}:([^\s:@/"'`]{6,200})@(?:tcp|unix)\(/g,
  /\bsqlplus\b[^\n]{0,40}?\s[\w.-]{1,60}\/([^\s@/"'`]{4,200})@/g,
  /\bv3\sauth\s\w{2,8}\s(\S{8,200})/g,
  /\b(?:password|secret|key)\s7\s([0-9A-F]{8,200})(?![\w-])/gi,
  /(?:\s-b|--cookie)[ =]["']?[\w.-]{0,40}(?:sess|sid|auth|token|jwt)[\w.-]{0,40}=([^\s;"'`]{16,2000})/gi,
  /\s(?:-u|-U|--user(?:name)?|useradd)[ =]\S{1,80}\s(?:[^\n]{0,80}?\s)?(?:-p|-P|-w|--pass)\s["']?((?=[^\s]{0,60}[A-Za-z])[^\s"'`:/-][^\s"'`:/]{7,200})(?=["'\s]|$)/g,
  /\bpass(?:in|out)?(?: |=)pass:([^\s"'`]{4,200})/g,
  /\b(?:credentials?|creds|log(?:s|ged)? ?in|sign(?:s|ed)? ?in|account)\b[^\n]{0,40}?\s[\w.@-]{2,60}\s?[/:]\s?((?=[^\s]{0,60}\d)(?=[^\s]{0,60}[A-Z])(?=[^\s]{0,60}[a-z])(?=[^\s]{0,60}[!@#$%^&*])[^\s"'`/]{8,60})/gi,
];

function* passwordsOfCommands(text: string): Generator<Found> {
  for (const command of COMMANDS) {
    for (const { 0: all, 1: value = '', index } of text.matchAll(command)) {
      if (!isNoPassword(value) && !isPlaceholder(value) && (/\d/.test(value) || areDrawnLetters(value)))
        yield { kind: 'password', at: index, end: index + all.length };
    }
  }
}

/** Where a function takes a password or a key: `smtp.login('bot', '…')`, `createHmac('sha256', '…')`. */
const GIVEN_TO_FUNCTION =
  /\b(?:createHmac|sign|verify|auth|log_?in|authenticate|connect)\((?:[^()\n]{0,80}?,\s?)?["'`](?!RSA|ECDSA|HMAC|SHA|AES|PKCS)([A-Za-z0-9_+/=~!@#$%^&*-]{12,200})["'`]/gi;
/** Further from its word than an assigned one, so that it has to be drawn. */
const NEAR_PASSWORD =
  /(?<![A-Za-z])(?:[Pp]ass(?:word|wd|phrase|wort)|pw|pwd|PAT)\b[^\n]{0,50}?[\s"'`(/:]([A-Za-z0-9_+=~][A-Za-z0-9_+=~-]{11,200})(?=["'`)\s,;.]|$)/g;

function* drawnNearPasswords(text: string): Generator<Found> {
  for (const { 0: all, 1: value = '', index } of text.matchAll(GIVEN_TO_FUNCTION)) {
    if (isDrawn(value)) yield { kind: 'key or token', at: index, end: index + all.length };
  }
  for (const { 0: all, 1: value = '', index } of text.matchAll(NEAR_PASSWORD)) {
    if (isDrawn(value) && !NO_SECRET.test(all.slice(0, -value.length)))
      yield { kind: 'password', at: index, end: index + all.length };
  }
}

/** Letters of both cases, digits and a sign within: as people are told to make one up, and as hardly anything else is written. */
const STRONG = /(?<![^\s"'`(,:=])[A-Za-z][A-Za-z0-9]{0,29}[!@#$%^&*][A-Za-z0-9!@#$%^&*]{1,30}(?![\w/.(])/g;
const FEWEST_STRONG = 9;
/** What stands before one: a word for passwords, or where a command takes one. */
const TAKES_PASSWORD =
  /(?:[Pp]ass|PASS|[Pp]wd|PWD|[Ss]ecret|SECRET|[Cc]red|[Ll]ogin|[Ss]uperuser|\s-u\s[\w.@-]{1,40},|\s-[bpwAPX]\s?|<<<)[^\n]*$/;
const NEAR = 70;

function* strongNearWords(text: string): Generator<Found> {
  for (const { 0: value, index } of text.matchAll(STRONG)) {
    if (value.length < FEWEST_STRONG || isNoPassword(value) || /#\d+$/.test(value)) continue;
    if (!/\d/.test(value) || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) continue;
    if (TAKES_PASSWORD.test(text.slice(Math.max(0, index - NEAR), index)))
      yield { kind: 'password', at: index, end: index + value.length };
  }
}

/** Who has the address may post to it. */
const HOOK = /https?:\/\/[^\s"'`]{1,200}?hooks?\b[^\s"'`]{0,100}?[/=]([A-Za-z0-9_-]{24,200})(?![\w.-])/g;
/** That may be a commit of a repository for hooks. */
const HEX = /^[0-9a-f]+$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** `Credentials for staging: qa-bot / …` */
const OF_A_USER =
  /\b(?:[Cc]red(?:ential)?s?|[Aa]uth|[Ll]ogin|[Aa]ccount|[Zz]ugang(?:sdaten)?)\b[^\n]{0,40}?\s[\w.@-]{2,60}\s?[/:]\s?([A-Za-z0-9_+=~-]{12,60})(?![\w/(:]|[.]\w)/g;

function* drawnForUsers(text: string): Generator<Found> {
  for (const { 0: all, 1: value = '', index } of text.matchAll(HOOK)) {
    if ((looksRandom(value) && !HEX.test(value)) || UUID.test(value))
      yield { kind: 'webhook', at: index, end: index + all.length };
  }
  for (const { 0: all, 1: value = '', index } of text.matchAll(OF_A_USER)) {
    if (isDrawn(value)) yield { kind: 'password', at: index, end: index + all.length };
  }
}

/** `willow-lantern-59-cobalt`: words and a number, as password managers join them. */
const JOINED_WORDS =
  /(?<![A-Za-z])(?:pass(?:word|wort|phrase|code)|pw)\b(?::|\sis|\sist)?\s["'`]?(?=[a-z-]{3,60}\d)((?:[a-z]{3,12}|\d{1,4})(?:-(?:[a-z]{3,12}|\d{1,4})){3,6})(?![\w/-]|[.]\w)/gi;
/** `expires-after-90-days` */
const COUNTED =
  /-\d+-(?:days?|hours?|min(?:ute)?s?|sec(?:ond)?s?|weeks?|months?|years?|times?|char(?:acter)?s?|bits?|bytes?|steps?|tries|attempts?|fields?|digits?|letters?|factor)(?:-|$)/i;

function* joinedWords(text: string): Generator<Found> {
  for (const { 0: all, 1: value = '', index } of text.matchAll(JOINED_WORDS)) {
    if (!COUNTED.test(value) && !isPlaceholder(value)) yield { kind: 'password', at: index, end: index + all.length };
  }
}

/** `abcd-efgh-ijkl-mnop`, as mail services give them out for one program; what reads like words is none. */
const OF_ONE_PROGRAM =
  /(?<![A-Za-z])pass(?:word|wort|code)\b[^\n]{0,60}?(?<![\w-])([a-z]{4}(?:-[a-z]{4}){3}|[a-z]{4}(?: [a-z]{4}){3})(?![\w-])/gi;

function* passwordsOfOneProgram(text: string): Generator<Found> {
  for (const { 0: all, 1: value = '', index } of text.matchAll(OF_ONE_PROGRAM)) {
    if (!isPlaceholder(value) && !soundsLikeWords(value))
      yield { kind: 'password', at: index, end: index + all.length };
  }
}

/** Looks for what stands near a word for keys without being assigned to it. */
export function* besideNames(text: string): Generator<Found> {
  yield* drawnBehindWords(text);
  yield* drawnBeforeWords(text);
  yield* passwordsOfCommands(text);
  yield* drawnNearPasswords(text);
  yield* strongNearWords(text);
  yield* drawnForUsers(text);
  yield* passwordsOfOneProgram(text);
  yield* joinedWords(text);
}
