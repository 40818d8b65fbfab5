/** Opens what an ingestion needs. */
import { existsSync } from 'node:fs';
import { codeTerms } from '../code/code-terms';
import type { StoreFile } from '../db/store-file';
import { requireGraphFile } from './code-graph';
import { type Config, configFile, type KeyPlace, readConfig } from './config';
import { graphRoot } from './graph-root';
import { announcedHosts } from './host-sockets';
import { type IndexOptions, type IndexReport, indexCode } from './index-code';
import { locateStore } from './locate';

/** What ingesting stands on: a project with its code graph and its configuration. */
export interface IngestGround {
  readonly root: string;
  readonly config: Config;
  readonly graph: StoreFile;
  /** What bringing the graph up to date did. */
  readonly built: IndexReport;
  readonly announcedHosts: () => readonly string[];
  /** The terms under which a text is found. */
  readonly termsOf: (text: string) => string;
}

export interface GroundOptions extends Omit<IndexOptions, 'path'> {
  readonly keys: readonly KeyPlace[];
}

/** Reads only what is needed to say which provider would be chosen. @throws SvcError for the configuration file */
export function ingestSettings({ around, keys }: Pick<GroundOptions, 'around' | 'keys'>) {
  const root = graphRoot(around);
  const config = readConfig(configFile(locateStore(around), root, existsSync, around.home), keys);
  return { root, config, announcedHosts: () => announcedHosts(around.home, root) };
}

/**
 * Brings the code graph up to date, however far an earlier build got: documents are bound to the code as it is now.
 * @throws SvcError for the configuration file, and where no graph can be built
 */
export async function openIngestGround(options: GroundOptions): Promise<IngestGround> {
  const settings = ingestSettings(options);
  const built = await indexCode({ ...options, path: settings.root });
  return {
    ...settings,
    graph: await requireGraphFile(settings.root, { home: options.around.home, git: options.git }, false),
    built,
    termsOf: codeTerms,
  };
}
