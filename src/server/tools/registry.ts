/** The tools of the memory server and the command line. */
import { audit } from './audit';
import { check } from './check';
import { chronicle } from './chronicle';
import { compare } from './compare';
import type { Tool } from './define-tool';
import { entities } from './entities';
import { graph } from './graph';
import { groups } from './groups';
import { history } from './history';
import { link } from './link';
import { memoryAbout } from './memory-about';
import { memoryClearSession } from './memory-clear-session';
import { memoryEndSession } from './memory-end-session';
import { memoryForCode } from './memory-for-code';
import { memoryForget } from './memory-forget';
import { memoryImport } from './memory-import';
import { memoryListSessions } from './memory-list-sessions';
import { memoryRecall } from './memory-recall';
import { memoryStartSession } from './memory-start-session';
import { memoryStats } from './memory-stats';
import { memoryStore } from './memory-store';
import { memorySwitchNamespace } from './memory-switch-namespace';
import { memoryTimeline } from './memory-timeline';
import { memoryToCode } from './memory-to-code';
import { memoryVerify } from './memory-verify';
import { memoryVerifyStaleness } from './memory-verify-staleness';
import { memoryWhy } from './memory-why';
import { namespaces } from './namespaces';
import { node } from './node';
import { nodes } from './nodes';
import { restore } from './restore';
import { review } from './review';
import { sessions } from './sessions';
import { settle } from './settle';
import { share } from './share';
import { team } from './team';
import { undo } from './undo';
import { whyHere } from './why-here';

/** Every tool of the memory server, in the order in which clients see them. The only door to the domain. */
export const MEMORY_TOOLS: readonly Tool[] = [
  memoryStore,
  memoryRecall,
  memoryAbout,
  memoryWhy,
  memoryTimeline,
  memoryEndSession,
  memoryForget,
  memoryVerify,
  memoryStats,
  memoryStartSession,
  memoryListSessions,
  memoryClearSession,
  memoryForCode,
  memoryToCode,
  memoryImport,
  memorySwitchNamespace,
  memoryVerifyStaleness,
  node,
  nodes,
  groups,
  entities,
  chronicle,
  namespaces,
  graph,
  history,
  restore,
  review,
  audit,
  sessions,
  settle,
  link,
  share,
  team,
  undo,
  check,
  compare,
  whyHere,
];
