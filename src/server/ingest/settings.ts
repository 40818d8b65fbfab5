/** What is settled about ingesting in a project before anything is read: its root, its configuration, its hosts. */
import { existsSync } from 'node:fs';
import { locateStore, type Surroundings } from '../../store-place/locate';
import { PROVIDERS } from '../llm/providers';
import { type Config, configFile, readConfig } from '../project/config';
import { graphRoot } from '../project/graph-root';
import { announcedHosts } from '../project/host-sockets';

export interface IngestSettings {
  /** Of the code graph. */
  readonly root: string;
  readonly config: Config;
  /** Sockets of MCP servers of this project whose client offers its model. */
  readonly announcedHosts: () => readonly string[];
}

/** @throws SvcError for the configuration file */
export function ingestSettings(around: Surroundings): IngestSettings {
  const root = graphRoot(around);
  const config = readConfig(configFile(locateStore(around), root, existsSync, around.home), KEY_PLACES);
  return { root, config, announcedHosts: () => announcedHosts(around.home, root) };
}

/** How keys look that must not lie in a file, and where they belong. */
const KEY_PLACES = Object.entries(PROVIDERS).flatMap(([provider, { keyShape, keyVariable }]) =>
  keyShape && keyVariable !== undefined ? [{ provider, shape: keyShape, variable: keyVariable }] : [],
);
