/** Asks readers for what is there. */
import { SvcError } from '../base/errors';
import { MAX_DRAFTS } from './fit';
import type { SourceName } from './source-names';
import type { Source, SourceReader, Surroundings } from './source-reader';

/** Of one reader. A folder with more is no place where people write notes. */
const MAX_SOURCES = 500;

/** A source, and the name of who read it. */
export interface FoundSource extends Source {
  readonly reader: SourceName;
}

/** What the readers found, in their order; nothing of what one of them could not read. */
export async function findSources(
  readers: readonly SourceReader[],
  around: Surroundings,
  onReading: (name: string) => void,
): Promise<FoundSource[]> {
  const sources: FoundSource[] = [];
  for (const reader of readers) {
    for (const name of (await reader.detect(around)).slice(0, MAX_SOURCES)) {
      around.signal.throwIfAborted();
      onReading(name);
      sources.push({ ...bounded(await readOne(reader, around, name)), reader: reader.name });
    }
  }
  return sources.filter(({ drafts, unread }) => drafts.length + unread.length > 0);
}

/** One source that cannot be read keeps nobody from the others. */
async function readOne(reader: SourceReader, around: Surroundings, name: string): Promise<Source> {
  try {
    return await reader.read(around, name);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { name, hash: '', drafts: [], unread: [error.problem] };
  }
}

function bounded(source: Source): Source {
  const more = source.drafts.length - MAX_DRAFTS;
  if (more <= 0) return source;
  return {
    ...source,
    drafts: source.drafts.slice(0, MAX_DRAFTS),
    unread: [...source.unread, `${more} more of it are left out: at most ${MAX_DRAFTS} are brought of one source`],
  };
}
