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
  /** What the copy of a team's memory holds about a prompt; undefined where there is none. It never throws. */
  readonly ofTeam?: OfTeam;
}

export type OfTeam = (
  question: Omit<RecallInput, 'namespace' | 'limit'>,
  wanted?: (item: RankedItem) => boolean,
) => Promise<FoundElsewhere | undefined>;

/** A file that is about to be edited, and the pieces of its text that are. */
export interface FileAtEdit {
  /** Absolute. */
  readonly path: string;
  readonly pieces: readonly string[];
}

/** Memories on the code of an edit. */
export async function toldAtEdit(
  { project, memory, shown }: Telling,
  files: readonly FileAtEdit[],
): Promise<ToldMemories | undefined> {
  // Nobody asked, so a store that nobody accepted has nothing to say.
  if (project.access === 'foreign' || project.place.root === undefined) return undefined;
  const told: MemoryAtEdit[] = [];
  for (const { path, pieces } of files) told.push(...(await memoriesOn(memory, project.place.root, path, pieces)));
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
    ofTeam?.(question, isTold),
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
