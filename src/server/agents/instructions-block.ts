/** Writes our block into AGENTS.md and similar files, and removes it. */
import { join } from 'node:path';
import { invalidInput } from '../base/errors';
import { readIfThere } from '../base/regular-file';
import { refuseLinks, removeFile, replaceFile } from '../base/replace-file';
import { shownPath } from '../base/text';
import { asMarkdown, RULES, WITHOUT_TOOLS } from '../guidance/sentences';
import { MAX_AGENT_FILE_BYTES } from './client-config';
import type { AgentFile } from './hooks';

/** What agents read before they begin. */
const AGENTS = 'AGENTS.md';
const COPILOT = join('.github', 'copilot-instructions.md');

const BEGIN = '<!-- svc-memory: this block is kept by "svc-memory agents-block" -->';
const END = '<!-- /svc-memory -->';
/** Enough by itself, because some hosts show their models no instructions of a server. */
const LINES = [
  ...[RULES.begin, RULES.edit, RULES.store, RULES.leaveOut, RULES.recallFirst, RULES.about, RULES.record, RULES.end],
  WITHOUT_TOOLS,
].map((rule) => `- ${asMarkdown(rule)}`);
/** A start mark without an end mark is not a block: the text up to the next block belongs to the user. */
const BLOCK = new RegExp(`${escaped(BEGIN)}(?:(?!${escaped(BEGIN)})[\\s\\S])*?${escaped(END)}(?:\\r?\\n)?`);

/**
 * Writes the block into the files that have it, else into the one that is there, else into a new AGENTS.md. Text around
 * it stays as it is.
 * @throws SvcError unavailable when a file cannot be read or written, invalid_input when it is not UTF-8 text, or a link
 */
export function writeAgentsBlock(root: string): AgentFile[] {
  const files = [read(root, AGENTS), read(root, COPILOT)];
  const marked = files.filter(({ text }) => text !== undefined && BLOCK.test(text));
  const present = files.filter(({ text }) => text !== undefined).slice(0, 1);
  const chosen = marked.length > 0 ? marked : present.length > 0 ? present : files.slice(0, 1);
  return writeAll(
    root,
    chosen.map(({ path, text }) => ({ path, before: text, after: withBlock(text ?? '') })),
  );
}

/** Takes the block out of every file, and a file away that held nothing else. @throws SvcError as writeAgentsBlock */
export function removeAgentsBlock(root: string): AgentFile[] {
  const present = [read(root, AGENTS), read(root, COPILOT)].flatMap(({ path, text }) =>
    text === undefined ? [] : [{ path, before: text, after: withoutBlocks(text) }],
  );
  const done = writeAll(root, present);
  if (done.length === 0) return [{ path: join(root, AGENTS), outcome: 'missing' }];
  return done.map((file) => (file.outcome === 'written' ? { ...file, outcome: 'removed' } : file));
}

interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** All of them or, where one is a link, none. */
function writeAll(root: string, changes: readonly Change[]): AgentFile[] {
  for (const { path, before, after } of changes) if (after !== before) refuseLinks(root, path);
  return changes.map(({ path, before, after }) => {
    if (after === before) return { path, outcome: 'kept' };
    if (after.trim() === '') removeFile(root, path);
    else replaceFile(root, path, after);
    return { path, outcome: 'written' };
  });
}

function withoutBlocks(text: string): string {
  const found = BLOCK.exec(text);
  if (!found) return text;
  const before = text.slice(0, found.index);
  const after = text.slice(found.index + found[0].length);
  // The empty line that stood before the block goes with it.
  return withoutBlocks(after === '' ? before.replace(/(\r?\n)\r?\n$/, '$1') : before + after.replace(/^\r?\n/, ''));
}

function withBlock(text: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const block = [BEGIN, ...LINES, END, ''].join(eol);
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  // A function, because what a replacement says of `$` is no text.
  return BLOCK.test(text) ? text.replace(BLOCK, () => block) : text + gap + block;
}

function read(root: string, name: string): { path: string; text: string | undefined } {
  const path = join(root, name);
  const bytes = readIfThere(path, { max: MAX_AGENT_FILE_BYTES, links: { inside: root } });
  if (!bytes) return { path, text: undefined };
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    throw invalidInput(`${shownPath(path)} is not UTF-8 text`, 'It was left untouched. Save it as UTF-8 and try again');
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
