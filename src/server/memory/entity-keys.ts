/** Under which key an entity's name is filed, and which names are names of code. */
import { oneLine } from '../base/text';
import { foldName } from './text/analyze';

const FILE = /^[^#]*[\\/][^\\/#]*\.\w{1,10}$/u;
const FOLDER_OR_FILE = /^\.{0,2}[\\/]\S/u;
const IN_FILE = /^[^#./\\]*[./\\][^#]*#\s*[^\s\d]/u;
const CALL = /^\S+\(\)$/u;
const QUALIFIED = /^[\p{L}_$#][\p{L}\p{N}_$]*(?:(?:\.|::)[\p{L}_$#~][\p{L}\p{N}_$]*)+$/u;
const FORMS = [FILE, FOLDER_OR_FILE, IN_FILE, CALL, QUALIFIED];

/** Whether a name is a path, `path#name`, `x.y` or `name()`: in code, case tells two things apart. */
export function isNameOfCode(name: string): boolean {
  const plain = oneLine(name);
  return FORMS.some((form) => form.test(plain));
}

/** No name has a line break, so that no name begins with the key of another. */
const BEFORE_EXACT = '\n';
const BEHIND_EXACT = '\v';

/**
 * The key by which a name belongs to one entity of a namespace: the folded name; for a name of code, its spelling comes
 * after that, so that all spellings stand together in the index. Stores of 0.1.0 have the folded name alone.
 */
export function entityKey(name: string): string {
  const folded = foldName(name);
  return isNameOfCode(name) ? `${folded}${BEFORE_EXACT}${oneLine(name)}` : folded;
}

/** The same as bounds: all spellings from the first one on, up to the other one, which is none. */
export function keysOf(folded: string): readonly [from: string, to: string] {
  return [folded, `${folded}${BEHIND_EXACT}`];
}

/**
 * As SQL: whether a key is that of a spelling of a folded name.
 * @param key a column with an index
 */
export function isKeyOf(key: string, folded: string): string {
  return `${key} >= ${folded} AND ${key} < ${folded} || char(11)`;
}
