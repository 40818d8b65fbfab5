/** The objects of an import that hold a secret: docs/behaviour.md, "Secrets". */
import { findSecretWithLibrary } from '../secrets/with-library';
import { secretRefusal } from './refuse-secrets';

/** What of an object is stored as text. */
const FIELDS = [
  'content',
  'rationale',
  'alternatives_rejected',
  'entities',
  'aliases',
  'namespace',
  'touches',
] as const;
/** So often other work of the process gets its turn. */
const AT_ONCE = 1_000;

/** By the index of an object, why it is refused. */
export async function refusedObjects(
  values: readonly unknown[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const refused = new Map<number, string>();
  for (const [index, value] of values.entries()) {
    if (index % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) break;
    const problem = typeof value === 'object' && value !== null ? await problemOf(value) : undefined;
    if (problem !== undefined) refused.set(index, problem);
  }
  return refused;
}

async function problemOf(object: object): Promise<string | undefined> {
  // Nothing is known of the fields yet: each is looked at below.
  const fields = object as Readonly<Record<string, unknown>>;
  for (const name of FIELDS) {
    for (const text of textsOf(fields[name])) {
      const secret = await findSecretWithLibrary(text);
      if (secret) return secretRefusal(`"${name}"`, secret).message;
    }
  }
  return undefined;
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const one of value) yield* textsOf(one);
  else if (typeof value === 'object' && value !== null) {
    // A link to code: its hashes are no text.
    for (const [name, text] of Object.entries(value)) if (!HASHES.has(name)) yield* textsOf(text);
  }
}

const HASHES = new Set(['hash', 'commit', 'confirmed']);
