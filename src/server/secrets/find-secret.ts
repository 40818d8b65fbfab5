/** Finds the first secret in a text: docs/behaviour.md, "Secrets". */
import { seen } from '../base/text';
import { besideNames } from './beside-names';
import { knownForms } from './known-forms';
import { namedValues } from './named-values';
import { type Found, placeIn } from './secret';
import { writtenOut } from './written-out';

export interface Secret extends Found {
  /** `in line 3 at character 17` */
  readonly place: string;
}

/** What is known by its form has 16 characters and more without a space. */
const LONG_RUNS = /[^\s]{16,}/g;
/** A digit, or capital letters in two places; or what begins as a key of AWS, which may have neither. */
const DRAWN = /\d|[a-z][A-Z].*[a-z][A-Z]|A[KS]IA/;
/** For the other ones there is a word, an address, a header or a command. */
const WORD =
  /pass|pwd|psk|pw["']?[:= >]|kennwort|identified|\/user:|secret|token|cred|key|auth|cookie|mnemonic|seed|curl|wget|log(?:s|ged)? ?in|sign(?:s|ed)? ?in|client\(|api\(|sdk\(|account|mysql|mariadb|redis-cli|contrase|:\/\/|bearer|basic|author|-begin |private|ls0tls1c|"d"|"kty"|schlüssel|pepper|jdbc|sqlcmd|osql|isql|\bbcp\b|codes?\b|connection|mot de|:\d{2,5}:[\w*-]+:[\w*-]+:|wallet|парол|密|パス|비밀|비번|senha|wacht|lösen|hasło|hook|\bPAT\b|securestring|unzip|zip -|ldap|_pin\b|psk|keygen|rdp| -u |sign|hmac|useradd|--user|sqlplus|login|@tcp|community|appid|(?:user|demo|test|guest|ops|svc|qa):|(?:admin|root)(?::| \S{0,40}\d)|\bpin\b|bundle config| -[bpwax]|<<<|superuser|encrypt|@[\w.-]{1,60} \S{0,60}\d|@\/\/|[_ ]pat\b/i;

function hasDrawnRun(text: string): boolean {
  for (const [run] of text.matchAll(LONG_RUNS)) if (DRAWN.test(run)) return true;
  return false;
}

/** Whether something in a text may be known by its form alone; a cheap question. */
export function mayHoldKnownForm(text: string): boolean {
  return hasDrawnRun(text) || /:\/\/|PRIVATE KEY/.test(text);
}

/** The first of what is found by the forms that we know; by the text as it is stored, without what nobody sees. */
export function findSecret(given: string): Secret | undefined {
  const text = seen(given);
  const looks = [
    ...(hasDrawnRun(text) ? [knownForms] : []),
    ...(WORD.test(text) ? [writtenOut, namedValues, besideNames] : []),
  ];
  for (const look of looks) {
    const [found] = look(text);
    if (found) return { ...found, place: placeIn(text, found) };
  }
  return undefined;
}
