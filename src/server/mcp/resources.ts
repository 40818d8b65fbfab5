/** The resources that people attach in a client. */
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js';
import { isPlainId, shownDay, shownId } from '../base/shown';
import { cut, oneLine } from '../base/text';
import type { NodeDetails } from '../memory/people/node-details';
import type { ListedSession } from '../memory/sessions/list-sessions';
import { type Ask, orElse } from './ask';
import { resourceNotFound } from './protocol-error';

const BRIEFING = 'svc-memory://briefing';
const NODE = 'svc-memory://node/';
const SESSION = 'svc-memory://session/';
const ENTITY = 'svc-memory://entity/';
const mimeType = 'text/markdown';

/** How many of the newest sessions are listed by name; older ones are reached by their id. */
const LISTED_SESSIONS = 20;
const MAX_TITLE = 80;
/** A person attaches an entity on purpose: it may be larger than an answer that nobody asked for. */
const ENTITY_BUDGET_TOKENS = 2_000;

export async function listResources(ask: Ask): Promise<ListResourcesResult> {
  const sessions = await orElse([], async () => {
    const { value } = await ask('memory_list_sessions', { limit: LISTED_SESSIONS });
    // An id that no program of ours gives out leads nowhere as an address.
    return (value as ListedSession[]).filter((session) => session.tombstoned === 0 && isPlainId(session.id));
  });
  return {
    resources: [
      {
        uri: BRIEFING,
        name: 'briefing',
        title: 'Project briefing',
        description: 'Decisions and conventions of the last 30 days, as memory_recall gives them for "project context"',
        mimeType,
      },
      ...sessions.map(({ id, content, recorded_at }) => ({
        uri: SESSION + id,
        name: id,
        title: cut(oneLine(content), MAX_TITLE),
        description: `Session of ${shownDay(recorded_at)}`,
        mimeType,
      })),
    ],
  };
}

export function listTemplates(): ListResourceTemplatesResult {
  return {
    resourceTemplates: [
      {
        uriTemplate: `${NODE}{id}`,
        name: 'node',
        title: 'Memory',
        description: 'One memory with its rationale, what it is about and what it replaced',
        mimeType,
      },
      {
        uriTemplate: `${SESSION}{id}`,
        name: 'session',
        title: 'Session',
        description: 'What was stored in one session',
        mimeType,
      },
      {
        uriTemplate: `${ENTITY}{name}`,
        name: 'entity',
        title: 'Entity',
        description: 'All that is currently known about one entity, newest first',
        mimeType,
      },
    ],
  };
}

/**
 * @param address the resource in its folder, where the URI names one
 * @throws ProtocolError -32002 for a URI that leads nowhere
 */
export async function readResource(ask: Ask, uri: string, address = uri): Promise<ReadResourceResult> {
  return { contents: [{ uri, mimeType, text: await textOf(ask, address) }] };
}

async function textOf(ask: Ask, uri: string): Promise<string> {
  if (uri === BRIEFING) return (await ask('memory_recall', { query: 'project context' })).text;
  const [node, session, entity] = [NODE, SESSION, ENTITY].map((start) => variableOf(uri, start));
  const id = node ?? session;
  if (id !== undefined) {
    const { text, value } = await ask('node', { id });
    // The value is what the tool `node` declares as its output.
    if (session === undefined || (value as NodeDetails).kind === 'session') return text;
    throw resourceNotFound(`${shownId(id)} is no session. Read ${NODE}${shownId(id)} instead.`);
  }
  if (entity !== undefined) {
    return (await ask('memory_about', { entity, budget_tokens: ENTITY_BUDGET_TOKENS })).text;
  }
  throw resourceNotFound(
    `There is no resource ${oneLine(cut(uri, 100))}. There are ${BRIEFING}, ${NODE}{id}, ${SESSION}{id} and ${ENTITY}{name}.`,
  );
}

/** What stands for the variable of a template that starts like this. */
function variableOf(uri: string, start: string): string | undefined {
  if (!uri.startsWith(start) || uri.length === start.length) return undefined;
  try {
    return decodeURIComponent(uri.slice(start.length));
  } catch {
    return undefined;
  }
}
