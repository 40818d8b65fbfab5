/** Reads, writes and removes the files that tell agents of the memory. */
import { rmdirSync } from 'node:fs';
import { dirname, join, parse, sep } from 'node:path';
import { invalidInput } from '../base/errors';
import { realPlace } from '../base/paths';
import { type Reading, readIfThere } from '../base/regular-file';
import { refuseLinks, removeFile, replaceFile } from '../base/replace-file';
import { shownPath } from '../base/text';

/** Of a file of settings, and of a text that people write for agents. */
const MAX_PROJECT_BYTES = 1_000_000;
/** Some agents keep a good deal more than settings in the files of their user. */
const MAX_USER_BYTES = 16_000_000;

export interface AgentText {
  /** Below it nothing is written through a link. */
  readonly root: string;
  readonly path: string;
  /** The folder that stays, however empty it is: the project, or the home directory. */
  readonly base: string;
  /** The byte order mark that the file begins with, if it does. */
  readonly mark: string;
  /** Without the mark; undefined when there is no file. */
  readonly text: string | undefined;
}

/**
 * A file of a project.
 * @throws SvcError invalid_input when it is no file of the project or no UTF-8 text, unavailable when it cannot be read
 */
export function readProjectText(root: string, name: string): AgentText {
  return readText({ root, base: root, path: join(root, name) });
}

/**
 * A file of the user, who may keep it elsewhere and link to it: then that file is meant. @throws SvcError as
 * readProjectText
 */
export function readUserText(home: string, name: string): AgentText {
  const path = realPlace(join(home, name));
  return readText({ root: parse(path).root, base: realPlace(home), path });
}

/** As it is by now. @throws SvcError as readProjectText */
export function readAgain({ root, base, path }: AgentText): AgentText {
  return readText({ root, base, path });
}

function readText(place: Pick<AgentText, 'root' | 'path' | 'base'>): AgentText {
  const { root, base, path } = place;
  const reading: Reading =
    root === base ? { max: MAX_PROJECT_BYTES, links: { inside: root } } : { max: MAX_USER_BYTES, links: 'followed' };
  const bytes = readIfThere(path, reading);
  if (!bytes) return { ...place, mark: '', text: undefined };
  let raw: string;
  try {
    raw = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidInput(`${shownPath(path)} is not UTF-8 text`, 'It was left untouched. Save it as UTF-8 and try again');
  }
  const mark = raw.startsWith('\ufeff') ? '\ufeff' : '';
  return { ...place, mark, text: raw.slice(mark.length) };
}

/**
 * Writes the text, or takes the file away, and the folders that this leaves empty.
 * @throws SvcError invalid_input for a link, unavailable when it cannot be written
 */
export function writeText({ root, base, path, mark }: AgentText, text: string | undefined): void {
  if (text !== undefined) {
    replaceFile(root, path, mark + text);
    return;
  }
  removeFile(root, path);
  try {
    for (let folder = dirname(path); folder.startsWith(base + sep); folder = dirname(folder)) rmdirSync(folder);
  } catch {
    // Others have files in it.
  }
}

/** @throws SvcError invalid_input when it or a folder on the way to it is a link */
export function refuseToFollow({ root, path }: AgentText): void {
  refuseLinks(root, path);
}
