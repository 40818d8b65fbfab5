/** Refuses a call that would store a secret: docs/behaviour.md, "Secrets". */
import { invalidInput, type SvcError } from '../base/errors';
import { type Name, parameter, phrase } from '../base/phrase';
import { findSecret, type Secret } from '../secrets/find-secret';
import { withArticle } from '../secrets/secret';

const INSTEAD =
  'Say where it is kept, such as the name of a variable or of an entry in a vault, and leave the value out';

/** Never quotes what was found. */
export function secretRefusal(what: string | Name, { kind, place }: Secret): SvcError {
  return invalidInput(phrase`${what} holds what looks like ${withArticle(kind)}, ${place}`, INSTEAD);
}

/**
 * Looks at every text of a call that is stored, and at the namespace that it goes to.
 * @param stores the parameters whose text is stored
 * @param namespace the active one
 * @throws SvcError invalid_input that names the parameter, the kind of the secret and its place
 */
export function refuseSecrets(
  stores: readonly string[],
  input: Readonly<Record<string, unknown>>,
  namespace: string,
): void {
  for (const name of stores) {
    const value = input[name];
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const [i, text] of texts.entries()) {
      if (typeof text !== 'string') continue;
      const secret = findSecret(text);
      if (secret) throw secretRefusal(parameter(name, Array.isArray(value) ? `[${i}]` : ''), secret);
    }
  }
  // A call that names one leaves the active one.
  const secret = input.namespace === undefined ? findSecret(namespace) : undefined;
  if (secret) throw secretRefusal('The name of the namespace', secret);
}
