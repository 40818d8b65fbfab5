/** Shows the code of a memory as it was, and as it is. */
import { headCommit } from '../git/head-commit';
import { textInside } from '../graph/read-source';
import { type KeptText, keptTexts } from '../graph/texts';
import { acceptedTexts, isOnNothing } from '../memory/code/accepted-texts';
import { requireCode } from '../memory/code/memories-of-file';
import { placesOf } from '../memory/code/places-of-link';
import { type CodeSymbol, isDoubtful, type SymbolPlace, type TouchKey, type Verdict } from '../memory/code/touches';
import { weight } from '../memory/code/weight';
import { type Located, locateMemory } from '../memory/verify';
import type { CodeHandle } from './handle';
import { linesOf } from './parts-of-file';
import type { PastSymbols } from './past-symbols';

/** A symbol of a memory, then and now. */
export interface ThenAndNow {
  readonly verdict: Verdict;
  readonly was: SymbolPlace;
  /** When the link was made. */
  readonly linked_at: string;
  /** The one that has the text then; null for a copy. */
  readonly commit: string | null;
  readonly now: (SymbolPlace & { readonly start_line: number; readonly end_line: number }) | null;
  /** What a person or an agent saw last and took to fit the memory, empty where that was gone; null where nobody knows it any more. */
  readonly text_then: string | null;
  /** Null when it is gone, or not to be read. */
  readonly text_now: string | null;
}

/** More than a person compares. */
const MOST_SYMBOLS = 20;
/** Texts, the last one first: for each of them Git is asked which branches have it. */
const MOST_CONFIRMED = 5;

/**
 * The code of a memory of the active namespace, worst first: those in doubt, or all where none is. The text then is that of
 * Git; of code that was not committed, the copy that was kept beside the code graph.
 * @throws SvcError unavailable where code has no root
 */
export async function thenAndNow(
  project: Pick<CodeHandle, 'memory' | 'graph' | 'past'>,
  nodeId: string,
): Promise<ThenAndNow[]> {
  const { memory, graph } = project;
  requireCode(memory);
  const all = (await locateMemory(memory, nodeId)).flatMap(eachPlace);
  const doubted = all.filter(({ now }) => isDoubtful(now.verdict));
  const shown = [...(doubted.length > 0 ? doubted : all)]
    .sort((a, b) => weightOf(b) - weightOf(a))
    .slice(0, MOST_SYMBOLS);
  if (!graph) return shown.map((one) => ({ ...shownPlaces(one), ...UNKNOWN, text_now: null }));
  const { root } = graph;
  const head = headCommit(root);
  const commits = [...new Set([...shown.flatMap(({ key }) => key.commit ?? []), ...(head === null ? [] : [head])])];
  const past = await project.past?.open(commits);
  const sql = await graph.current();
  return Promise.all(
    shown.map(async (one) => {
      const hashes = acceptedTexts(one.key).filter((hash) => hash !== '');
      const kept = sql ? await keptTexts(sql, hashes) : [];
      const text = one.now.symbol && textInside(root, one.now.symbol.file_path);
      return {
        ...shownPlaces(one),
        ...(await textThen(one, head, past, kept)),
        text_now: one.now.symbol && text !== undefined ? linesOf(text, one.now.symbol) : null,
      };
    }),
  );
}

/** Of a link to an overloaded function what was added is compared with nothing. */
function eachPlace(one: Located): Located[] {
  const [, ...beside] = placesOf(one.now, one.key);
  return [
    one,
    ...beside.map(({ verdict, symbol }): Located => {
      const now = symbol ? { symbol } : {};
      return { ...one, now: verdict === 'changed' ? { verdict, ...now, added: true } : { verdict, ...now } };
    }),
  ];
}

const weightOf = ({ key, now }: Located): number => weight(now.verdict, key.code_type);

function shownPlaces({ key, now }: Located): Omit<ThenAndNow, 'text_then' | 'commit' | 'text_now'> {
  const { verdict, symbol, stood } = now;
  const { file_path, code_type, name } = stood ?? key;
  const was = { file_path, code_type, name };
  return { verdict, was, linked_at: key.linked_at, now: symbol ? placeOf(symbol) : null };
}

function placeOf({ file_path, code_type, name, start_line, end_line }: CodeSymbol): NonNullable<ThenAndNow['now']> {
  return { file_path, code_type, name, start_line, end_line };
}

/**
 * What was accepted last: what was confirmed, then what HEAD still has, then what the link was made on. What was confirmed for
 * another branch's version comes after all of these. Where the code has gone back to what the link was made on, as an edit
 * that was confirmed and undone does, that stood there last.
 * @param kept the one that was seen last first
 */
async function textThen(
  { key, now }: Located,
  head: string | null,
  past: PastSymbols | undefined,
  kept: readonly KeptText[],
): Promise<Pick<ThenAndNow, 'text_then' | 'commit'>> {
  if (isOnNothing(key) || now.added) return { text_then: '', commit: null };
  const places = [now.symbol, key].filter((one) => one !== undefined);
  const atHead = async (hashes: readonly string[]) => {
    for (const { file_path, code_type, name } of past && head !== null ? places : []) {
      for (const hash of hashes) {
        const at: TouchKey = { file_path, code_type, name, hash, commit: head };
        const text = await past?.textOf(at);
        if (text !== undefined) return { text_then: text, commit: head };
      }
    }
    return undefined;
  };
  const atLink = async () => {
    const linked = await past?.textOf(key);
    if (linked !== undefined) return { text_then: linked, commit: key.commit };
    const own = kept.filter(({ hash }) => hash === key.hash);
    return { text_then: (own.find(({ name }) => name === key.name) ?? own[0])?.text ?? null, commit: null };
  };
  const [newest, ...older] = kept.filter(({ hash }) => hash !== key.hash).slice(0, MOST_CONFIRMED);
  if (!newest) return (await atHead(acceptedTexts(key))) ?? atLink();
  const last = kept.find(({ name }) => places.some((place) => place.name === name));
  if (last?.hash === key.hash) return (await atHead([key.hash])) ?? atLink();
  const isElsewhere = async ({ hash }: KeptText): Promise<boolean> =>
    (await past?.branchWith({ ...key, hash, confirmed: '[]' })) !== undefined;
  const copyOf = ({ text }: KeptText) => ({ text_then: text, commit: null });
  if (!(await isElsewhere(newest))) return copyOf(newest);
  const here = await atHead(acceptedTexts(key));
  if (here) return here;
  for (const one of older) if (!(await isElsewhere(one))) return copyOf(one);
  const linked = await atLink();
  return linked.text_then === null ? copyOf(newest) : linked;
}

const UNKNOWN = { text_then: null, commit: null };
