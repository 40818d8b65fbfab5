/** What hooks tell an agent without being asked: at an edit, and on a prompt. Hosts wait for it, so no tool is in the way. */
import { SvcError } from '../base/errors';
import { editedLines } from '../code/edited-lines';
import { type LineRange, type MemoryAtEdit, memoriesAtEdit } from '../memory/code/memories-at-edit';
import { memoriesInFile } from '../memory/code/memories-of-file';
import type { CodeSymbol } from '../memory/code/touches';
import type { Memory } from '../memory/memory';
import type { RankedItem, RecallInput } from '../memory/recall/recall';
import type { Project } from '../project/open';
import { MOST_TOLD, type ToldMemories, tellOfCode, tellOfPrompt } from '../render/hook-lines';
import type { FoundElsewhere } from './answer-recall';

export interface Telling {
  readonly project: Project;
  /** Its memory, as far as reading goes. */
  readonly memory: Memory;
  /** Ids of memories that were told in this conversation. */
  readonly shown: readonly string[];
  /** What the copy of a team's memory holds about a question; undefined where there is none. It never throws. */
  readonly ofTeam?: OfTeam;
}

/** @param question with a limit: how many to look at, whether they fit or not */
export type OfTeam = (
  question: Omit<RecallInput, 'namespace' | 'limit'> & Partial<Pick<RecallInput, 'limit'>>,
  wanted?: (item: RankedItem) => boolean,
) => Promise<FoundElsewhere | undefined>;

/** A file that is about to be edited, and the pieces of its text that are. */
export interface FileAtEdit {
  /** Absolute. */
  readonly path: string;
  readonly pieces: readonly string[];
}

/** Of what the team holds, to find those that are worth telling. */
const MOST_LOOKED_AT = 25;

/** Memories on the code of an edit. */
export async function toldAtEdit(
  { project, memory, shown, ofTeam }: Telling,
  files: readonly FileAtEdit[],
): Promise<ToldMemories | undefined> {
  // Nobody asked, so a store that nobody accepted has nothing to say.
  if (project.access === 'foreign' || project.place.root === undefined) return undefined;
  const { root } = project.place;
  const told: MemoryAtEdit[] = [];
  for (const { path, pieces } of files) told.push(...(await memoriesOn(memory, root, path, pieces)));
  if (ofTeam && project.team())
    told.push(...(await ofTeamOn(ofTeam, shown, await codeAtEdit(memory, root, files), told)));
  const fresh = told.filter(({ id }) => !shown.includes(id));
  return fresh.length === 0 ? undefined : tellOfCode(project.tokenizer(), fresh);
}

/** None for a file outside of the project, or without a code graph. */
async function memoriesOn(
  memory: Memory,
  root: string,
  file: string,
  pieces: readonly string[],
): Promise<MemoryAtEdit[]> {
  try {
    const { file_path, symbols } = await memoriesInFile(memory, file);
    if (symbols.length === 0) return [];
    return memoriesAtEdit(file_path, symbols, editedLines(root, file_path, pieces));
  } catch (error) {
    if (error instanceof SvcError && (error.code === 'invalid_input' || error.code === 'unavailable')) return [];
    throw error;
  }
}

/** How a recall says that it found a memory by a name. */
const ENTITY = 'entity ';

/** By how a memory names it: `src/store.ts#open`, `src/store.ts`. */
type CodeAtEdit = ReadonlyMap<string, Pick<MemoryAtEdit, 'file_path' | 'name'>>;

/** Of all that is edited; more is no question to anybody. */
const MOST_EDITED = 20;

/** The symbols and files that are edited; files of other folders are left out. */
async function codeAtEdit(memory: Memory, root: string, files: readonly FileAtEdit[]): Promise<CodeAtEdit> {
  const symbols = new Map<string, { file_path: string; name: string | undefined }>();
  const whole = new Map<string, { file_path: string; name: undefined }>();
  for (const { path, pieces } of files) {
    try {
      const file_path = memory.code.relativePath(path);
      const ranges = editedLines(root, file_path, pieces);
      for (const { code_type, name, ...lines } of await memory.code.inFile(file_path)) {
        if (code_type !== 'file' && isAt(lines, ranges)) symbols.set(`${file_path}#${name}`, { file_path, name });
      }
      whole.set(file_path, { file_path, name: undefined });
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'invalid_input') throw error;
    }
  }
  return new Map([...[...symbols].slice(0, MOST_EDITED), ...[...whole].slice(0, MOST_EDITED)]);
}

/**
 * What the team remembers about that code, by its name: what became of it since is not known here, because a copy holds
 * no code.
 * @param own is told already, and not once more in the same words
 */
async function ofTeamOn(
  ofTeam: OfTeam,
  shown: readonly string[],
  code: CodeAtEdit,
  own: readonly MemoryAtEdit[],
): Promise<MemoryAtEdit[]> {
  if (code.size === 0) return [];
  const places = new Map<string, Pick<MemoryAtEdit, 'file_path' | 'name'>>();
  const isOnIt = ({ id, kind, marks = [], reasons = [] }: RankedItem): boolean => {
    const place = reasons.flatMap((reason) =>
      reason.startsWith(ENTITY) ? (code.get(reason.slice(ENTITY.length)) ?? []) : [],
    )[0];
    if (!place || kind === 'entity' || marks.includes('proposed') || shown.includes(id)) return false;
    places.set(id, place);
    return true;
  };
  const question = { query: [...code.keys()].join(' '), as_of: undefined, min_confidence: 0, kinds: [], hops: 0 };
  const theirs = await ofTeam({ ...question, limit: MOST_LOOKED_AT + shown.length }, isOnIt);
  const items = theirs?.join([]).items ?? [];
  return items.flatMap((item) => {
    const place = places.get(item.id);
    if (!place || own.some(({ kind, content }) => kind === item.kind && content === item.content)) return [];
    return [{ ...item, ...place, verdict: 'not judged' as const }];
  });
}

/** A longer prompt is cut: what it is about stands at its beginning. */
const LONGEST_PROMPT = 2_000;

/** A word that is meant as code: a path, `path#name`, `x.y`, `name()`, camelCase or snake_case. */
const CODE_WORD = /(?:[\w$-]*[/\\.#_])+[\w$#.-]*\w(?:\(\))?|[\w$]+\(\)|[a-z][a-z0-9]*[A-Z]\w*/g;
const MOST_CODE_WORDS = 10;
const MOST_SYMBOLS = 5;

async function memoriesOnNamedCode(memory: Memory, prompt: string): Promise<MemoryAtEdit[]> {
  const words = [...new Set(prompt.match(CODE_WORD) ?? [])].slice(0, MOST_CODE_WORDS);
  if (words.length === 0 || memory.code.unavailable) return [];
  const symbols = [...(await memory.code.match(words)).values()].flat().slice(0, MOST_SYMBOLS);
  const told: MemoryAtEdit[] = [];
  for (const symbol of symbols) {
    const { file_path, symbols: all } = await memoriesInFile(memory, symbol.file_path);
    told.push(...memoriesAtEdit(file_path, all, linesOf(symbol)));
  }
  return told.filter(({ id }, i) => told.findIndex((one) => one.id === id) === i);
}

function isAt({ start_line, end_line }: SymbolLines, ranges: readonly LineRange[] | undefined): boolean {
  return !ranges || ranges.some(({ start, end }) => start_line <= end && start <= end_line);
}

type SymbolLines = Pick<CodeSymbol, 'start_line' | 'end_line'>;

/** All of a file that is named as a whole. */
function linesOf({ code_type, start_line, end_line }: CodeSymbol): LineRange[] | undefined {
  return code_type === 'file' ? undefined : [{ start: start_line, end: end_line }];
}

/** Memories about what a prompt names: words alone are no reason to speak. */
export async function toldOfPrompt(
  { project, memory, shown, ofTeam }: Telling,
  prompt: string,
): Promise<ToldMemories | undefined> {
  if (project.access === 'foreign') return undefined;
  const query = prompt.slice(0, LONGEST_PROMPT);
  const onCode = (await memoriesOnNamedCode(memory, query)).filter(({ id }) => !shown.includes(id));
  if (onCode.length > 0) return tellOfCode(project.tokenizer(), onCode);
  const { recall } = await import('../memory/recall/recall');
  const question = { query, as_of: undefined, min_confidence: 0, kinds: [], hops: 0 };
  const [{ items }, theirs] = await Promise.all([
    recall(memory, { ...question, namespace: undefined, limit: MOST_TOLD + shown.length }),
    // What was told already must not take the places of the rest.
    ofTeam?.({ ...question, limit: MOST_LOOKED_AT + shown.length }, (item) => isTold(item) && !shown.includes(item.id)),
  ]);
  const own = items.filter(isTold);
  const fresh = (theirs?.join(own).items ?? own).filter(({ id }) => !shown.includes(id));
  return fresh.length === 0 ? undefined : tellOfPrompt(project.tokenizer(), fresh);
}

/** It holds words of the prompt, and is about an entity that the prompt names. */
function isTold({ marks = [], reasons = [] }: RankedItem): boolean {
  return (
    !marks.includes('proposed') && reasons.includes('words') && reasons.some((reason) => reason.startsWith('entity '))
  );
}
