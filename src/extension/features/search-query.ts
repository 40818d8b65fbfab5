/** Reads what is typed into the search. */
import { CHOICE_ORDER, type MemoryKind } from '../../kinds/kinds';

/** What a search asks for. Empty texts and lists ask for anything. */
export interface SearchQuery {
  readonly kinds: readonly MemoryKind[];
  readonly entities: boolean;
  readonly sessions: boolean;
  /** Letters of the path, and of the name, of code. */
  readonly file: string;
  readonly symbol: string;
  readonly letters: string;
}

/**
 * `body :decision @response #send`: words, a kind, a file, a symbol. `kind:decision`, as other searches have it, is the
 * same.
 * @param kindNames what the kinds are called here; the English names are understood as well
 */
export function readQuery(text: string, kindNames: Readonly<Record<string, string>>): SearchQuery {
  const kinds = new Set<MemoryKind>();
  const others = new Set<string>();
  const letters: string[] = [];
  let file = '';
  let symbol = '';
  for (const typed of text.split(/\s+/u).filter(Boolean)) {
    const word = withSign(typed);
    const rest = word.slice(1);
    const named =
      word.startsWith(':') && rest !== ''
        ? [...CHOICE_ORDER, 'entity', 'session'].filter(isCalled(rest, kindNames))
        : [];
    if (named.length > 0) {
      for (const kind of named) isKind(kind) ? kinds.add(kind) : others.add(kind);
    } else if (word.startsWith('@') && rest !== '') file = rest;
    else if (word.startsWith('#') && rest !== '') symbol = rest;
    else if (!/^[:@#]$/.test(word)) letters.push(word);
  }
  const only = kinds.size > 0 || others.size > 0 || file !== '' || symbol !== '';
  return {
    // Of entities or sessions alone, no memory is asked for.
    kinds: [...kinds],
    entities: others.has('entity') || !only,
    sessions: others.has('session') || !only,
    ...{ file, symbol, letters: letters.join(' ') },
  };
}

/** Whether memories are asked for: not where only entities or sessions are. */
export function asksMemories({ kinds, entities, sessions, file, symbol }: SearchQuery): boolean {
  return kinds.length > 0 || file !== '' || symbol !== '' || entities === sessions;
}

const SIGNS = [
  ['kind:', ':'],
  ['file:', '@'],
  ['symbol:', '#'],
] as const;

function withSign(word: string): string {
  const [name, sign] = SIGNS.find(([prefix]) => word.toLowerCase().startsWith(prefix)) ?? ['', ''];
  return sign + word.slice(name.length);
}

function isKind(name: string): name is MemoryKind {
  return (CHOICE_ORDER as readonly string[]).includes(name);
}

/** `:dec` is a decision, and so is `:decisions`. */
function isCalled(start: string, names: Readonly<Record<string, string>>): (kind: string) => boolean {
  const typed = start.toLowerCase();
  const begins = (name: string): boolean => name.toLowerCase().startsWith(typed) || `${name.toLowerCase()}s` === typed;
  return (kind) => begins(kind) || begins(names[kind] ?? kind);
}
