/** Which files of a folder have memories in doubt, for badges and counts. */
import { join } from 'node:path';
import type { FileDecoration, Verdict } from '../../protocol/requests';
import { projectDoubts } from '../code/doubts-of-project';
import type { CodeDoubt, KnownFiles } from '../memory/code/doubts';
import type { Folder } from './folder';
import { doubtSentence } from './phrases';
import { uriOf } from './uris';

const MOST_CHANGES = 10;
const ORDER: readonly Verdict[] = ['changed', 'gone'];

interface Judged {
  readonly decorations: readonly FileDecoration[];
  /** Distinct memories on functions, classes and the like, or on files that are gone. */
  readonly stale: number;
  /** Distinct memories on nothing but whole files that changed. */
  readonly stale_files: number;
}

const NOTHING: Judged = { decorations: [], stale: 0, stale_files: 0 };

/** What became of the code that a folder's memories are about. Judged when it is asked for, and kept until told. */
export class Doubts {
  private readonly known = new WeakMap<Folder, Map<string, Kept>>();

  /** @param noted what to call when the graph was told where symbols are; undefined where nothing may be written */
  constructor(private readonly noted: (folder: Folder) => (() => void) | undefined) {}

  /** @throws SvcError unavailable without a store */
  async of(folder: Folder, namespace: string): Promise<Judged> {
    const kept = this.kept(folder, namespace);
    kept.judged ??= judge(folder, namespace, kept.files, this.noted(folder)).catch((error: unknown) => {
      kept.judged = undefined;
      throw error;
    });
    return kept.judged;
  }

  /** Something changed: the next question is judged again. */
  forget(folder: Folder): void {
    for (const kept of this.known.get(folder)?.values() ?? []) {
      kept.before ??= kept.judged;
      kept.judged = undefined;
    }
  }

  /** Judges again what was asked for before. @returns whether anything of it is different now */
  async differs(folder: Folder): Promise<boolean> {
    let different = false;
    for (const [namespace, kept] of this.known.get(folder) ?? []) {
      const before = kept.before;
      if (!before) continue;
      kept.before = undefined;
      const [then, now] = await Promise.all(
        [before, this.of(folder, namespace)].map((one) => one.catch(() => NOTHING)),
      );
      different ||= JSON.stringify(then) !== JSON.stringify(now);
    }
    return different;
  }

  private kept(folder: Folder, namespace: string): Kept {
    const byNamespace = this.known.get(folder) ?? new Map<string, Kept>();
    this.known.set(folder, byNamespace);
    const kept = byNamespace.get(namespace) ?? { files: new Map(), judged: undefined, before: undefined };
    byNamespace.set(namespace, kept);
    return kept;
  }
}

interface Kept {
  readonly files: KnownFiles;
  judged: Promise<Judged> | undefined;
  before: Promise<Judged> | undefined;
}

async function judge(
  folder: Folder,
  namespace: string,
  known: KnownFiles,
  noted: (() => void) | undefined,
): Promise<Judged> {
  const project = await folder.project(namespace, false);
  const doubts = await projectDoubts(project, known, noted);
  const root = project.graph?.root;
  if (root === undefined || doubts.length === 0) return NOTHING;
  const files = new Map<string, CodeDoubt[]>();
  for (const doubt of doubts) {
    if (isWholeFile(doubt)) continue;
    // A symbol that is elsewhere now is shown there, where people can look at it.
    const path = doubt.now?.file_path ?? doubt.key.file_path;
    const own = files.get(path);
    if (own) own.push(doubt);
    else files.set(path, [doubt]);
  }
  return {
    decorations: [...files].map(([path, own]) => decoration(uriOf(join(root, path)), own)),
    ...counted(doubts),
  };
}

/** Some line of a file changes each day, and seldom matters to what is known of the whole: nobody is called for it. */
function isWholeFile({ key, verdict }: CodeDoubt): boolean {
  return key.code_type === 'file' && verdict === 'changed';
}

function counted(doubts: readonly CodeDoubt[]): Pick<Judged, 'stale' | 'stale_files'> {
  const all = new Set(doubts.flatMap((doubt) => doubt.node_ids));
  const stale = new Set(doubts.filter((doubt) => !isWholeFile(doubt)).flatMap((doubt) => doubt.node_ids)).size;
  return { stale, stale_files: all.size - stale };
}

function decoration(uri: string, doubts: readonly CodeDoubt[]): FileDecoration {
  const worst = new Map<string, Verdict>();
  for (const { verdict, node_ids } of doubts) {
    for (const id of node_ids) {
      const before = worst.get(id);
      if (!before || ORDER.indexOf(verdict) > ORDER.indexOf(before)) worst.set(id, verdict);
    }
  }
  const count = (verdict: Verdict): number => [...worst.values()].filter((one) => one === verdict).length;
  return {
    uri,
    changed: count('changed'),
    gone: count('gone'),
    changes: doubts.slice(0, MOST_CHANGES).map(({ key, verdict }) => doubtSentence(key, verdict)),
  };
}
