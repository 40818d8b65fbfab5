import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { DOCUMENT_SHAPES, openImages } from '../support/hostile-documents';
import { repeated } from '../support/hostile-sources';
import { build, cost } from './graph';
import { ROOT, startMemoryServer, withPlace, withServer } from './servers';

/** What the largest and the worst costs: memory of builds and of a server, and time for what is made to take long. */
export interface Limits {
  readonly trees: readonly Tree[];
  readonly lines: readonly LongLine[];
  readonly documents: readonly HostileDocument[];
  readonly sources: HostileSources;
}

/** A first build of sources of one kind. */
export interface Tree {
  readonly kind: string;
  readonly files: number;
  readonly lines: number;
  readonly peak: number | undefined;
}

/** One message in one line at the MCP server. */
export interface LongLine {
  readonly text: string;
  readonly bytes: number;
  /** What the server's memory grew by at most, in bytes; undefined where the system does not tell. */
  readonly growth: number | undefined;
}

/** A megabyte of one shape. */
export interface HostileDocument {
  readonly shape: string;
  readonly leftOut: boolean;
  /** Of `svc ingest` as a whole, in seconds. */
  readonly cpu: number;
}

/** Sources that are all left out. */
export interface HostileSources {
  readonly count: number;
  readonly kilobytes: number;
  /** Of `svc build` as a whole, in seconds. */
  readonly cpu: number;
}

export interface LimitsOptions {
  /** A folder with sources of several languages. */
  readonly sources: string | undefined;
  readonly large: boolean;
  readonly progress: (text: string) => void;
}

interface Kind {
  readonly kind: string;
  readonly names: RegExp;
  /** Where this machine has such sources in any case. */
  readonly here: () => readonly string[];
}

const MILLION = 1_000_000;
const NONE = (): readonly string[] => [];
const KINDS: readonly Kind[] = [
  { kind: 'TypeScript', names: /(?<!\.d)\.[mc]?tsx?$/, here: () => [join(ROOT, 'node_modules')] },
  { kind: 'Python', names: /\.py$/, here: pythonFolders },
  { kind: 'Rust', names: /\.rs$/, here: NONE },
  { kind: 'C', names: /\.[ch]$/, here: NONE },
  { kind: 'shell', names: /\.sh$/, here: NONE },
];
const WHERE =
  'unpack, for example, what "apt-get source --download-only cargo git redis autoconf" gets, and name the folder with --sources';

export async function measureLimits({ sources, large, progress }: LimitsOptions): Promise<Limits> {
  const trees: Tree[] = [];
  for (const kind of large ? KINDS : []) {
    progress(`limits: a tree of ${kind.kind}`);
    const tree = await measureTree(kind.kind, [kind], sources);
    if (tree) trees.push(tree);
    else progress(`limits: there are no sources of ${kind.kind}: ${WHERE}`);
  }
  if (large) {
    progress('limits: a tree of all of them');
    const mixed = await measureTree('all of them', KINDS, sources);
    if (mixed) trees.push(mixed);
  }
  progress('limits: lines of 50 MB');
  const lines = [
    await measureLine('ASCII', 'a rather long memory, '.repeat(LINE_BYTES / 22)),
    await measureLine('CJK', '数据库迁移需要先备份，'.repeat(LINE_BYTES / 33)),
  ];
  progress('limits: hostile documents');
  const documents = await measureDocuments();
  progress('limits: hostile sources');
  return { trees, lines, documents, sources: await measureSources(large ? 100 : 20) };
}

/** @param kinds each takes its share of a million lines */
function measureTree(kind: string, kinds: readonly Kind[], sources: string | undefined): Promise<Tree | undefined> {
  return withPlace(async ({ folder }) => {
    mkdirSync(join(folder, '.git'));
    let files = 0;
    let lines = 0;
    for (const { names, here } of kinds) {
      const roots = [...here(), ...(sources === undefined ? [] : [resolve(sources)])];
      const most = lines + MILLION / kinds.length;
      for (const [i, root] of roots.entries()) {
        for (const file of filesBelow(root, names)) {
          const length = readFileSync(file, 'utf8').split('\n').length;
          if (lines + length > most) break;
          // Not below a folder that a build passes over.
          const copy = join(folder, `s${i}`, relative(root, file).replaceAll('node_modules', 'modules'));
          mkdirSync(dirname(copy), { recursive: true });
          copyFileSync(file, copy);
          files += 1;
          lines += length;
        }
      }
    }
    if (files === 0) return undefined;
    const { resident } = await build(folder);
    return { kind, files, lines, peak: resident };
  });
}

function filesBelow(root: string, names: RegExp): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Python's own library and what is installed beside it; none without Python. */
function pythonFolders(): string[] {
  const script = 'import sysconfig; print(*dict.fromkeys(map(sysconfig.get_path, ["stdlib", "platlib"])), sep="\\n")';
  const { stdout, status } = spawnSync('python3', ['-c', script], { encoding: 'utf8' });
  return status === 0 ? stdout.trim().split('\n') : [];
}

const LINE_BYTES = 50_000_000;

/** A memory that is refused for its length, which is known only when the message has been read. */
function measureLine(text: string, content: string): Promise<LongLine> {
  return withPlace((place) =>
    withServer(startMemoryServer(place), async (server) => {
      const store = (what: string) => server.text('memory_store', { kind: 'fact', content: what });
      await store('a short one');
      const before = server.residentBytes();
      const isStored = await store(content).then(
        () => true,
        () => false,
      );
      if (isStored) throw new Error('A memory of 50 MB was stored');
      const peak = server.peakBytes();
      const growth = before === undefined || peak === undefined ? undefined : peak - before;
      return { text, bytes: Buffer.byteLength(content), growth };
    }),
  );
}

function measureDocuments(): Promise<HostileDocument[]> {
  return withPlace(async ({ folder }) => {
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, 'store.ts'), 'export class Store {}\n');
    await build(folder);
    const measured: HostileDocument[] = [];
    for (const [shape, text] of Object.entries({ ...DOCUMENT_SHAPES, 'open images': openImages })) {
      writeFileSync(join(folder, 'document.md'), text(990));
      const answer = join(folder, 'answer.json');
      const ingest = `exec "$0" "$1" ingest document.md --llm none --json > "$2"`;
      const { cpu } = await cost('bash', ['-c', ingest, process.execPath, join(ROOT, 'dist/svc.js'), answer], folder);
      const { not_parsed } = JSON.parse(readFileSync(answer, 'utf8')) as { not_parsed: readonly object[] };
      measured.push({ shape, leftOut: not_parsed.length > 0, cpu });
      rmSync(answer);
    }
    return measured;
  });
}

function measureSources(files: number): Promise<HostileSources> {
  return withPlace(async ({ folder }) => {
    const kilobytes = 60;
    mkdirSync(join(folder, '.git'));
    for (let i = 0; i < files; i++) writeFileSync(join(folder, `f${i}.ts`), `// ${i}\n${repeated('[', kilobytes)}`);
    const { cpu } = await build(folder);
    return { count: files, kilobytes, cpu };
  });
}
