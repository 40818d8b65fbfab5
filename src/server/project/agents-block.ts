import { existsSync } from 'node:fs';
import { lstat, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidInput, unavailable } from '../base/errors';
import { shownPath } from '../base/text';
import type { AgentFile } from './agent-hooks';
import { replaceFile } from './client-config';

/** What agents read before they begin. */
const AGENTS = 'AGENTS.md';
const COPILOT = join('.github', 'copilot-instructions.md');

const BEGIN = '<!-- svc-memory: this block is kept by "svc-memory agents-block" -->';
const END = '<!-- /svc-memory -->';
/** Four lines, because every agent pays for them in every conversation. */
const LINES = [
  '- At the start of a task call `memory_recall` with the query `project context`, then ask it about the topic at hand.',
  '- Before you decide or change something, recall what was decided about it; `memory_why` gives the reasons.',
  '- Store what should outlast this conversation with `memory_store`: decisions with `rationale` and `alternatives_rejected`, and in `entities` the functions and files they are about. No secrets.',
  '- Confirm or refute with `memory_verify` what proves right or wrong, and close with `memory_end_session` and a summary.',
];
/** A beginning that lost its end is no block: what stands between it and the next one is somebody's text. */
const BLOCK = new RegExp(`${escaped(BEGIN)}(?:(?!${escaped(BEGIN)})[\\s\\S])*?${escaped(END)}(?:\\r?\\n)?`);

/**
 * Writes the block into the files that have it, else into the one that is there, else into a new AGENTS.md. Text around
 * it stays as it is.
 * @throws SvcError unavailable when a file cannot be read or written, invalid_input when it is no UTF-8 text
 */
export async function writeAgentsBlock(root: string): Promise<AgentFile[]> {
  const files = [await read(root, AGENTS), await read(root, COPILOT)];
  const marked = files.filter(({ text }) => text !== undefined && BLOCK.test(text));
  const present = files.filter(({ text }) => text !== undefined).slice(0, 1);
  const chosen = marked.length > 0 ? marked : present.length > 0 ? present : files.slice(0, 1);
  return Promise.all(chosen.map(({ path, text }) => put(path, text ?? '')));
}

/** Takes the block out of every file, and a file away that held nothing else. @throws SvcError as writeAgentsBlock */
export async function removeAgentsBlock(root: string): Promise<AgentFile[]> {
  const done: AgentFile[] = [];
  for (const { path, text } of [await read(root, AGENTS), await read(root, COPILOT)]) {
    if (text === undefined) continue;
    const rest = withoutBlocks(text);
    if (rest === text) {
      done.push({ path, outcome: 'kept' });
      continue;
    }
    // What a link leads to is not ours to take away.
    if (rest.trim() === '' && !(await lstat(path)).isSymbolicLink()) await takeAway(path);
    else await replaceFile(path, rest);
    done.push({ path, outcome: 'removed' });
  }
  return done.length > 0 ? done : [{ path: join(root, AGENTS), outcome: 'missing' }];
}

function withoutBlocks(text: string): string {
  const found = BLOCK.exec(text);
  if (!found) return text;
  const before = text.slice(0, found.index);
  const after = text.slice(found.index + found[0].length);
  // The empty line that stood before the block goes with it.
  return withoutBlocks(after === '' ? before.replace(/(\r?\n)\r?\n$/, '$1') : before + after.replace(/^\r?\n/, ''));
}

async function put(path: string, text: string): Promise<AgentFile> {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const block = [BEGIN, ...LINES, END, ''].join(eol);
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  // A function, because what a replacement says of `$` is no text.
  const written = BLOCK.test(text) ? text.replace(BLOCK, () => block) : text + gap + block;
  if (written === text) return { path, outcome: 'kept' };
  await replaceFile(path, written);
  return { path, outcome: 'written' };
}

async function read(root: string, name: string): Promise<{ path: string; text: string | undefined }> {
  const path = join(root, name);
  if (!existsSync(path)) return { path, text: undefined };
  const bytes = await readFile(path).catch(() => {
    throw unavailable(`${shownPath(path)} cannot be read`, 'Give this user the right to read it');
  });
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    throw invalidInput(`${shownPath(path)} is no UTF-8 text`, 'It was left untouched. Save it as UTF-8 and try again');
  }
}

async function takeAway(path: string): Promise<void> {
  await rm(path).catch(() => {
    throw unavailable(`${shownPath(path)} cannot be removed`, 'Give this user the right to write its folder');
  });
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
