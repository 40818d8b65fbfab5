/** Sends memories to the memory of a team. */
import { MEMORY_KINDS } from '../../kinds/kinds';
import { conflict } from '../base/errors';
import { shownId } from '../base/shown';
import type { NodeDetails } from '../memory/people/node-details';
import { findSecret } from '../secrets/find-secret';
import { secretRefusal } from './refuse-secrets';

/** What `memory_store` of the server takes. */
export interface Sent {
  readonly kind: string;
  readonly content: string;
  readonly entities: readonly string[];
  readonly confidence: number;
  readonly valid_from: string;
  readonly rationale?: string;
  readonly alternatives_rejected?: readonly string[];
}

/** @throws SvcError for what a team is not given */
export function toSend(node: NodeDetails): Sent {
  const { id, kind, content, rationale, alternatives_rejected, confidence, valid_from } = node;
  const what = shownId(id);
  if (!MEMORY_KINDS.some((one) => one === kind)) throw conflict(`${what} is no memory`, 'Give ids of memories');
  if (node.tombstoned !== 0 || node.valid_until !== null) throw conflict(`${what} is closed`, 'Give one that holds');
  if (node.standing === 'proposed') throw conflict(`${what} waits in Review`, 'Keep it there first');
  const entities = node.entities.map((entity) => entity.content);
  const texts = [content, ...(rationale === null ? [] : [rationale]), ...alternatives_rejected, ...entities];
  for (const text of texts) {
    const secret = findSecret(text);
    if (secret) throw secretRefusal(what, secret);
  }
  return {
    ...{ kind, content, entities, confidence, valid_from },
    ...(rationale === null ? {} : { rationale }),
    ...(alternatives_rejected.length === 0 ? {} : { alternatives_rejected }),
  };
}
