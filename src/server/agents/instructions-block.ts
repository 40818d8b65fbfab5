/** Writes our block into AGENTS.md and similar files, and removes it. */
import { join } from 'node:path';
import { asMarkdown, RULES, WITHOUT_TOOLS } from '../guidance/sentences';
import { type AgentText, readProjectText, refuseToFollow, writeText } from './agent-text';
import type { AgentFile } from './hooks';
import { blockOf, withBlockOf } from './marked-block';

/** What agents read before they begin. */
const AGENTS = 'AGENTS.md';
const COPILOT = join('.github', 'copilot-instructions.md');

const BEGIN = '<!-- svc-memory: this block is kept by "svc-memory agents-block" -->';
/** Enough by itself, because some hosts show their models no instructions of a server. */
const LINES = [
  ...[RULES.begin, RULES.edit, RULES.store, RULES.leaveOut, RULES.recallFirst, RULES.about, RULES.record, RULES.end],
  WITHOUT_TOOLS,
].map((rule) => `- ${asMarkdown(rule)}`);
const BLOCK = blockOf(BEGIN);

/**
 * Writes the block into the files that have it, else into the one that is there, else into a new AGENTS.md. Text around
 * it stays as it is.
 * @throws SvcError unavailable when a file cannot be read or written, invalid_input when it is not UTF-8 text, or a link
 */
export function writeAgentsBlock(root: string): AgentFile[] {
  return writeAll(filesForBlock(root).map((file) => ({ file, text: withBlock(file.text ?? '') })));
}

/** Takes the block out of every file, and a file away that held nothing else. @throws SvcError as writeAgentsBlock */
export function removeAgentsBlock(root: string): AgentFile[] {
  const present = filesWithText(root).map((file) => ({ file, text: withoutBlocks(file.text) }));
  const done = writeAll(present);
  if (done.length === 0) return [{ path: join(root, AGENTS), outcome: 'missing' }];
  return done.map((file) => (file.outcome === 'written' ? { ...file, outcome: 'removed' } : file));
}

/** Where the block is, or belongs. @throws SvcError as writeAgentsBlock */
export function filesForBlock(root: string): AgentText[] {
  const present = filesWithText(root);
  const marked = present.filter(({ text }) => BLOCK.test(text));
  if (marked.length > 0) return marked;
  return present.length > 0 ? present.slice(0, 1) : [readProjectText(root, AGENTS)];
}

/** @throws SvcError as writeAgentsBlock */
export function filesWithText(root: string): (AgentText & { readonly text: string })[] {
  return [AGENTS, COPILOT].flatMap((name) => {
    const { text, ...file } = readProjectText(root, name);
    return text === undefined ? [] : [{ ...file, text }];
  });
}

interface Change {
  readonly file: AgentText;
  readonly text: string;
}

/** All of them or, where one is a link, none. */
function writeAll(changes: readonly Change[]): AgentFile[] {
  for (const { file, text } of changes) if (text !== file.text) refuseToFollow(file);
  return changes.map(({ file, text }) => {
    if (text === file.text) return { path: file.path, outcome: 'kept' };
    writeText(file, text.trim() === '' ? undefined : text);
    return { path: file.path, outcome: 'written' };
  });
}

export function withoutBlocks(text: string): string {
  const found = BLOCK.exec(text);
  if (!found) return text;
  const before = text.slice(0, found.index);
  const after = text.slice(found.index + found[0].length);
  // The empty line that stood before the block goes with it.
  return withoutBlocks(after === '' ? before.replace(/(\r?\n)\r?\n$/, '$1') : before + after.replace(/^\r?\n/, ''));
}

export function withBlock(text: string): string {
  return withBlockOf(BEGIN, LINES, text);
}
