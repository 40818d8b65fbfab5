/** Turns a path that a user gave into a set of documents. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { notFound, wrongUsage } from '../base/errors';
import { quoted } from '../base/text';
import type { UnreadRules } from '../graph/ignore-rules';
import { documentsBelow, isMarkdown } from './documents';

/** Which documents a run is about. */
export interface Scope {
  /** What `svc sync` is to look at again, relative to the root; '' for the root itself. */
  readonly places: readonly string[];
  /** Documents that are there, relative to the root. */
  readonly paths: readonly string[];
  /** By the reason why they were left out. */
  readonly skipped: Readonly<Record<string, number>>;
  /** The files whose rules do not count, because they could not be read. */
  readonly unread_rules: readonly UnreadRules[];
}

/**
 * The Markdown documents at paths that a user gave: files, or folders of them that version control would keep.
 * @throws SvcError not_found, or invalid_input for a file that is not Markdown or is outside the root
 */
export function scopeOf(root: string, cwd: string, paths: readonly string[]): Scope {
  return scopeOfPlaces(root, [...new Set(paths.map((path) => placeOf(root, cwd, path)))]);
}

/** @throws SvcError as scopeOf */
function placeOf(root: string, cwd: string, path: string): string {
  const given = resolve(cwd, path);
  if (!existsSync(given))
    throw notFound(`There is no file or folder ${quoted(path)}`, 'Give the path of Markdown files');
  // Links are followed here, because people gave them; what they lead to must lie inside.
  const place = pathFrom(root, realpathSync(given));
  if (place === undefined) {
    throw wrongUsage(
      `${quoted(path)} is outside the project ${quoted(root)}`,
      'Give documents inside the project, or run the command in the project that they belong to',
    );
  }
  const stats = statSync(given);
  if (stats.isDirectory()) return place;
  if (!stats.isFile()) {
    throw wrongUsage(`${quoted(path)} is not a regular file`, 'Give a .md or .markdown file, or a folder of them');
  }
  if (!isMarkdown(given)) {
    throw wrongUsage(`${quoted(path)} is not a Markdown file`, 'Give a .md or .markdown file, or a folder of them');
  }
  return place;
}

/** What lies now at the places that were given before. */
export function scopeOfPlaces(root: string, places: readonly string[]): Scope {
  const paths = new Set<string>();
  const skipped: Record<string, number> = {};
  /** By path: places may lie inside of each other. */
  const unread = new Map<string, UnreadRules>();
  for (const place of places) {
    const stats = statSync(join(root, place), { throwIfNoEntry: false });
    if (stats?.isFile() && pathFrom(root, realpathSync(join(root, place))) !== undefined) paths.add(place);
    if (!stats?.isDirectory()) continue;
    const found = documentsBelow(root, place);
    for (const one of found.paths) paths.add(one);
    for (const [reason, count] of found.skipped) skipped[reason] = (skipped[reason] ?? 0) + count;
    for (const rules of found.unread_rules) unread.set(rules.path, rules);
  }
  return { places, paths: [...paths].sort(), skipped, unread_rules: [...unread.values()] };
}

/** Whether a document belongs to what was given. */
export function belongsTo(places: readonly string[], document: string): boolean {
  return places.some((place) => place === '' || document === place || document.startsWith(`${place}/`));
}

/** @returns with forward slashes; undefined when it leads outside */
function pathFrom(root: string, real: string): string | undefined {
  const way = relative(realpathSync(root), real);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined;
  return way.split(sep).join('/');
}
