/** Writes decisions into a folder of records. */
import { basename, join } from 'node:path';
import { replaceFile } from '../../base/replace-file';
import type { ListedDecision } from '../../memory/transfer/list-decisions';
import { pathsIn, readFiles } from '../look';
import { fieldText, pageOf } from '../markdown';
import type { Adr } from './adr';
import { OWN_FIELDS } from './adr';
import { adrFileName, writeAdr } from './write-adr';

export interface WrittenAdrs {
  /** Names of files that were made or changed. */
  readonly written: readonly string[];
  /** How many files say already what they are to say. */
  readonly kept: number;
}

/**
 * Each decision gets a file, which it keeps: by the id in it. Files of others stay as they are, and so do their numbers.
 * @param folder absolute
 * @throws SvcError as replaceFile
 */
export function writeAdrs(root: string, folder: string, decisions: readonly ListedDecision[]): WrittenAdrs {
  const paths = pathsIn(folder, '', /\.md$/i);
  const files = readFiles(folder, paths).files;
  const fileOf = new Map(
    files.flatMap(({ path, text }) => {
      const id = fieldText(pageOf(text), OWN_FIELDS.id);
      return id === undefined ? [] : [[id, path] as const];
    }),
  );
  let last = Math.max(0, ...paths.map((path) => Number(/^\d{1,6}/.exec(basename(path))?.[0] ?? 0)));
  for (const { id, content } of decisions) {
    if (fileOf.has(id)) continue;
    last += 1;
    fileOf.set(id, adrFileName(last, content));
  }
  const before = new Map(files.map(({ path, text }) => [path, text]));
  const written: string[] = [];
  let kept = 0;
  for (const decision of decisions) {
    const path = fileOf.get(decision.id) ?? '';
    const text = writeAdr(recordOf(decision, fileOf));
    if (before.get(path) === text) kept += 1;
    else {
      replaceFile(root, join(folder, path), text);
      written.push(path);
    }
  }
  return { written, kept };
}

function recordOf(decision: ListedDecision, fileOf: ReadonlyMap<string, string>): Adr {
  const { content, rationale, alternatives_rejected, id, valid_from, valid_until, confidence, entities } = decision;
  const by = decision.superseded_by.flatMap((newer) => fileOf.get(newer) ?? []);
  const closed = by.length > 0 ? ({ is: 'superseded', by } as const) : ({ is: 'deprecated' } as const);
  return {
    ...{ content, alternatives_rejected, id, valid_from, confidence, about: entities, supersedes: [] },
    rationale: rationale ?? undefined,
    valid_until: valid_until ?? undefined,
    status: valid_until === null ? { is: 'accepted' } : closed,
  };
}
