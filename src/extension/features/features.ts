/** What the extension contributes: loaded once it is active. */
import type { Feature } from '../editor';
import { autoBuild } from './auto-build';
import { chatTools } from './chat-tools/chat-tools';
import { explorer } from './explorer';
import { foreignStoreNotice } from './foreign-store-notice';
import { hostModel } from './host-model';
import { lostStoreNotice } from './lost-store-notice';
import { mcpServers } from './mcp-servers';
import { memoryViews } from './memory-views';
import { palette } from './palette';
import { refusedStorePath } from './refused-store-path';
import { terminalCommands } from './terminal-commands';
import { whyHere } from './why-here/why-here';

/** Each is on its own: one that fails leaves the others working. */
export const FEATURES: Readonly<Record<string, Feature>> = {
  mcpServers,
  chatTools,
  memoryViews,
  explorer,
  palette,
  whyHere,
  autoBuild,
  terminalCommands,
  hostModel,
  refusedStorePath,
  foreignStoreNotice,
  lostStoreNotice,
};
