/** Reads changed files again, many events as one turn. */
import { relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Uri } from '../../protocol/requests';
import { refreshCode } from '../code/refresh-code';
import { type Editor, inBackground } from './editor';
import type { Folder } from './folder';

/** Events of one save or checkout come within this time of each other, in milliseconds. */
const SETTLE_MS = 150;
/** What is saved without a pause is read after this time all the same. */
const LONGEST_WAIT_MS = 1_000;
/** So many are no saves, but another branch: the editor has much to do with them first, and would stutter beside us. */
const CROWD = 100;
const CROWD_SETTLE_MS = 1_500;
const CROWD_LONGEST_WAIT_MS = 5_000;
/** Who asks about files that changed has them judged at once, and not beside the same files being read for later. */
const STANDS_BACK_MS = 1_000;
/** Files read in one turn; what is beyond it has the next one. */
const BATCH = 2_000;
/** Other programs' own folders, where files come and go by the thousand. */
const IGNORED = /(?:^|\/)(?:\.git|\.svc|\.hg|\.svn|node_modules)(?:\/|$)/;
const OF_GIT = /(?:^|\/)\.git\//;

/** So long is read at once. */
const TURN_MS = 20;
/** Time may pass without work: the machine sleeps, or another process holds the graph. */
const LONGEST_REST_MS = 200;

interface Waiting {
  readonly paths: Set<string>;
  timer: NodeJS.Timeout | undefined;
  since: number;
  running: Promise<void>;
}

/** Files that were saved, made, deleted or renamed: read again, many events as one turn. */
export class CodeQueue {
  private readonly waiting = new WeakMap<Folder, Waiting>();

  constructor(private readonly editor: Editor) {}

  add(uris: readonly Uri[]): void {
    const touched = new Set<Folder>();
    for (const uri of uris) {
      const place = this.editor.folders.of(uri);
      if (!place) continue;
      const { folder, path } = place;
      const inside = relative(folder.path, path).split(sep).join('/');
      if (OF_GIT.test(inside)) folder.gitChanged();
      if (IGNORED.test(inside)) continue;
      this.of(folder).paths.add(path);
      touched.add(folder);
    }
    for (const folder of touched) this.schedule(folder);
  }

  /** Adds, and resolves when they are done. */
  async now(uris: readonly Uri[]): Promise<void> {
    this.add(uris);
    for (const folder of new Set(uris.map((uri) => this.editor.folders.of(uri)?.folder))) {
      if (folder) await this.run(folder);
    }
  }

  private of(folder: Folder): Waiting {
    const known = this.waiting.get(folder);
    if (known) return known;
    const made: Waiting = { paths: new Set(), timer: undefined, since: 0, running: Promise.resolve() };
    this.waiting.set(folder, made);
    return made;
  }

  private schedule(folder: Folder): void {
    const own = this.of(folder);
    const now = performance.now();
    if (own.timer) clearTimeout(own.timer);
    else own.since = now;
    const [settle, longest] =
      own.paths.size < CROWD ? [SETTLE_MS, LONGEST_WAIT_MS] : [CROWD_SETTLE_MS, CROWD_LONGEST_WAIT_MS];
    const wait = Math.max(0, Math.min(settle, own.since + longest - now));
    const begin = async (): Promise<void> => {
      await this.editor.inWork.quiet(STANDS_BACK_MS);
      await this.run(folder);
    };
    own.timer = setTimeout(() => inBackground(this.editor, begin()), wait);
  }

  private run(folder: Folder): Promise<void> {
    const own = this.of(folder);
    clearTimeout(own.timer);
    own.timer = undefined;
    own.running = own.running
      .catch(() => undefined)
      .then(async () => {
        while (own.paths.size > 0) {
          const batch = [...own.paths].slice(0, BATCH);
          for (const path of batch) own.paths.delete(path);
          await this.refresh(folder, batch);
        }
      });
    return own.running;
  }

  private async refresh(folder: Folder, paths: readonly string[]): Promise<void> {
    if (!folder.hasStore()) return;
    const project = await folder.project(this.editor.settings().folder(folder.uri).namespace, false);
    const { graph, memory } = project;
    if (!graph || memory.code.unavailable || !(await graph.current())) return;
    const inside = paths.flatMap((path) => {
      const way = relative(graph.root, path);
      return way === '' || way.startsWith('..') ? [] : [way.split(sep).join('/')];
    });
    if (inside.length === 0) return;
    try {
      // Verdicts are judged from the files: who looks at one of them need not wait until all are read.
      if (inside.length >= CROWD) this.editor.changed(folder, []);
      // What is not trusted is looked at, and nothing in it is written.
      if (this.editor.settings().trusted) await refreshCode(project, inside, halfTime());
    } finally {
      // Verdicts are judged from the files, so they may be others although nothing was, or could be, written.
      this.editor.changed(folder, []);
    }
    await folder.check();
  }
}

/** Reads for a moment, and leaves the processor to the editor for as long. */
function halfTime(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    const worked = performance.now() - began;
    if (worked < TURN_MS) return;
    await sleep(Math.min(worked, LONGEST_REST_MS));
    began = performance.now();
  };
}
