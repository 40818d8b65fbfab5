/** Explains a line of code: its commit, and the decisions behind it. */
import { invalidInput, notFound, SvcError } from '../base/errors';
import { parameter, phrase } from '../base/phrase';
import { shownPath } from '../base/text';
import { type BlamedCommit, blameLine } from '../git/blame';
import { textInside } from '../graph/read-source';
import { decisionsAround, decisionsFirst, decisionsLike } from '../memory/code/decisions-about';
import { doubtedElsewhere } from '../memory/code/doubted-elsewhere';
import {
  type JudgedMemory,
  memoriesInFile,
  placeMeant,
  requireCode,
  type SymbolMemories,
} from '../memory/code/memories-of-file';
import type { Verdict } from '../memory/code/touches';
import type { Memory } from '../memory/memory';
import { type NodeDetails, nodeDetails } from '../memory/people/node-details';
import type { CodeHandle } from './handle';
import { meantLine } from './meant-line';

/**
 * How a memory was found. `code`: it is on this code. `file`: on nothing but the whole file. `time`: it was decided about
 * when the commit was made. `words`: it says something like it.
 */
export type FoundBy = 'code' | 'file' | 'time' | 'words';

export interface ExplainedMemory
  extends Pick<
      NodeDetails,
      'id' | 'kind' | 'content' | 'confidence' | 'valid_from' | 'valid_until' | 'tombstoned' | 'marks'
    >,
    Pick<NodeDetails, 'rationale' | 'alternatives_rejected' | 'superseded_by'> {
  readonly found: FoundBy;
  /** What has become of the code that it is on; null where it is not on this code, or nobody has seen that it fits. */
  readonly verdict: Verdict | null;
  /** This code is as it was, and other code of the memory is in doubt. */
  readonly doubted_elsewhere: boolean;
}

export interface WhyHere {
  readonly file_path: string;
  readonly line: number;
  /** The innermost function or class there, qualified; null outside of all. */
  readonly symbol: string | null;
  /** Null for what is not committed, or where there is no Git. */
  readonly commit: BlamedCommit | null;
  /** On this code, decisions first; the nearest other decisions that are open only where there is no decision on it. */
  readonly memories: readonly ExplainedMemory[];
}

export interface AskWhy {
  /** With the line, or a symbol, behind it where `line` is missing. */
  readonly file: string;
  readonly line: number | undefined;
  readonly text: string | undefined;
  readonly signal: AbortSignal;
}

const MOST_ON_CODE = 6;
const MOST_OTHERS = 3;
/** Of those from the hours of a commit, in which much may be imported. */
const MOST_AROUND = 200;

/** The kind of change that a subject begins with, as https://www.conventionalcommits.org has it. */
const KIND_OF_CHANGE = /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?=(?:\([^)]{1,60}\))?!?: )/i;

/**
 * @throws SvcError unavailable where code has no root, invalid_input for a path outside it, and for a line that is not given or
 * that its file has not, not_found for a file that is not there
 */
export async function whyHere(
  { memory, graph, git }: Pick<CodeHandle, 'memory' | 'graph' | 'git'>,
  { text, signal, ...given }: AskWhy,
): Promise<WhyHere> {
  requireCode(memory);
  const { file, line } = await placeMeant(memory, given.file, given.line);
  if (line === undefined) throw lineMissing();
  const file_path = memory.code.relativePath(file);
  const now = text ?? (graph && textInside(graph.root, file_path));
  requireLine(now, file_path, line);
  if (now === undefined) await requireFile(memory, file_path);
  const all = await memory.code.inFile(file_path, text);
  const meant = now === undefined ? line : meantLine(file_path, now, line, all);
  const { symbols } = await memoriesInFile(memory, file, meant, text);
  const here = all.filter((one) => one.code_type !== 'file' && one.start_line <= meant && meant <= one.end_line);
  const innermost = here.reduce<(typeof here)[number] | undefined>(
    (best, one) => (best && best.end_line - best.start_line <= one.end_line - one.start_line ? best : one),
    undefined,
  );
  const blamed = Math.max(1, Math.min(line, lastLine(now) ?? line));
  const commit =
    graph === undefined
      ? undefined
      : await blameLine({ root: graph.root, host: git, signal, path: file_path, line: blamed, text }).catch(withoutGit);
  const verdicts = new Map<string, Verdict | null>();
  // The innermost symbol is the last one, and what is about it says more of the line.
  const around = symbols.toReversed();
  const known = (some: typeof symbols): JudgedMemory[] =>
    some.flatMap(({ memories }) => memories.filter(({ weak }) => !weak));
  const onCode = known(around);
  for (const one of onCode) if (!verdicts.has(one.id)) verdicts.set(one.id, toldOf(one));
  const isFile = ({ code_type }: SymbolMemories): boolean => code_type === 'file';
  const ofLine = keptFirst(known(around.filter((one) => !isFile(one))));
  const ofFile = keptFirst(known(around.filter(isFile)));
  const first = [...new Set([...ofLine, ...ofFile].map(({ id }) => id))].slice(0, MOST_ON_CODE);
  const isDecided = onCode.some((one) => one.kind === 'decision' && !isProposed(one));
  const beside = (ids: readonly string[]): string[] => ids.filter((id) => !verdicts.has(id)).slice(0, MOST_OTHERS);
  const most = MOST_OTHERS + verdicts.size;
  const inFile = isDecided ? [] : await decisionsInFile(memory, { file, line, text });
  // Of what was decided in the same hours, what is about this file says most.
  const then = commit && !isDecided ? await decisionsAround(memory, commit.date, MOST_AROUND) : [];
  const ofTime = beside([...inFile.filter((id) => then.includes(id)), ...then.filter((id) => !inFile.includes(id))]);
  const words = [commit?.subject.replace(KIND_OF_CHANGE, '') ?? '', innermost?.name ?? ''].join(' ');
  const isKnown = isDecided || ofTime.length > 0;
  const like = isKnown ? [] : beside([...new Set([...inFile, ...(await decisionsLike(memory, words, most))])]);
  const fitting = first.filter((id) => holds(verdicts.get(id)));
  const { code_type = 'file', name = file_path } = innermost ?? {};
  const elsewhere = await doubtedElsewhere(memory, fitting, { file_path, code_type, name }, text);
  const explain = async (id: string, found: FoundBy): Promise<ExplainedMemory> => {
    const { kind, content, confidence, valid_from, valid_until, tombstoned, marks, ...more } = await nodeDetails(
      memory,
      id,
    );
    const { rationale, alternatives_rejected, superseded_by } = more;
    return {
      ...{ id, kind, content, confidence, valid_from, valid_until, tombstoned, marks },
      ...{ rationale, alternatives_rejected, superseded_by, found, verdict: verdicts.get(id) ?? null },
      doubted_elsewhere: elsewhere.has(id),
    };
  };
  const asked: (readonly [string, FoundBy])[] = [
    ...first.map((id) => [id, ofLine.some((one) => one.id === id) ? 'code' : 'file'] as const),
    ...ofTime.map((id) => [id, 'time'] as const),
    ...like.map((id) => [id, 'words'] as const),
  ];
  return {
    ...{ file_path, line, symbol: innermost?.name ?? null, commit: commit ?? null },
    memories: await Promise.all(asked.map(([id, found]) => explain(id, found))),
  };
}

/** That code is as it was when an old memory was linked to it says nothing of whether it holds. */
function toldOf({ verdict, unseen }: JudgedMemory): Verdict | null {
  return unseen && holds(verdict) ? null : verdict;
}

function holds(verdict: Verdict | null | undefined): boolean {
  return verdict === 'unchanged' || verdict === 'moved';
}

function isProposed({ marks }: JudgedMemory): boolean {
  return marks?.includes('proposed') ?? false;
}

/** Decisions first, and what nobody has kept last. */
function keptFirst(memories: readonly JudgedMemory[]): JudgedMemory[] {
  return decisionsFirst(memories).toSorted((a, b) => Number(isProposed(a)) - Number(isProposed(b)));
}

/** Of the lines that Git knows: behind the last line break of a file it has none. Undefined where there is no text. */
function lastLine(text: string | undefined): number | undefined {
  const lines = text?.split('\n');
  return lines && lines.length - (lines.at(-1) === '' ? 1 : 0);
}

function lineMissing(): SvcError {
  return invalidInput(
    phrase`${parameter('line')} is not given`,
    phrase`Give it behind ${parameter('file_path')}, as in src/store.ts:40`,
  );
}

/** @param text of the file; undefined where it cannot be read, or is not there */
function requireLine(text: string | undefined, path: string, line: number): void {
  const lines = text?.split('\n').length ?? line;
  if (line > lines) throw invalidInput(`${shownPath(path)} has no line ${line}`, `Give a line from 1 to ${lines}`);
}

async function requireFile({ code }: Memory, path: string): Promise<void> {
  if ((await code.modifiedAt(path)) !== undefined) return;
  throw notFound(
    `There is no file ${shownPath(path)}`,
    'Give a file that is there, relative to the project. "svc-memory for-code" tells what is remembered on one that is gone',
  );
}

/** Ids of the decisions on other code of the file, those on the code nearest to the line first. */
async function decisionsInFile(
  memory: Memory,
  { file, line, text }: Pick<AskWhy, 'file' | 'text'> & { readonly line: number },
): Promise<string[]> {
  const { symbols } = await memoriesInFile(memory, file, undefined, text);
  const away = ({ symbol }: (typeof symbols)[number]): number =>
    symbol ? Math.max(symbol.start_line - line, line - symbol.end_line, 0) : Number.MAX_SAFE_INTEGER;
  const ids = symbols
    .toSorted((one, other) => away(one) - away(other))
    .flatMap(({ memories }) => memories.filter((one) => one.kind === 'decision' && !one.weak && !isProposed(one)))
    .map(({ id }) => id);
  return [...new Set(ids)];
}

/** What is remembered can be told without it. */
function withoutGit(error: unknown): undefined {
  if (error instanceof SvcError) return undefined;
  throw error;
}
