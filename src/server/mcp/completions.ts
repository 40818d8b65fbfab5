/** Completes ids and names that a person is typing in a client. */
import type { CompleteResult } from '@modelcontextprotocol/sdk/types.js';
import type { NodeKind } from '../../kinds/kinds';
import { isPlainId } from '../base/shown';
import { oneLine } from '../base/text';
import type { ListedEntity, NodeSummary } from '../memory/people/node-details';
import { type Ask, orElse } from './ask';
import { invalidParams } from './protocol-error';

/** The protocol allows no more. */
const MAX_VALUES = 100;

type Completer = (ask: Ask, begun: string) => Promise<string[]>;

/** What can be completed: `<prompt>.<argument>` or `<URI template>.<variable>`. */
const COMPLETERS: Readonly<Record<string, Completer>> = {
  'brief.topic': entityNames,
  'why.decision': ids('decision'),
  'svc-memory://node/{id}.id': ids(),
  'svc-memory://session/{id}.id': ids('session'),
  'svc-memory://entity/{name}.name': entityNames,
};

/** Values for a field that somebody is filling in. Nothing to offer is an empty list. */
export async function complete(ask: Ask, ref: unknown, argument: unknown): Promise<CompleteResult> {
  const { name: prompt, uri } = fields(ref, 'ref');
  const { name, value } = fields(argument, 'argument');
  if (typeof value !== 'string') throw invalidParams('"argument" must have a "name" and the "value" typed so far.');
  const key = `${String(prompt ?? uri)}.${String(name)}`;
  const completer = Object.hasOwn(COMPLETERS, key) ? COMPLETERS[key] : undefined;
  const values = completer ? await orElse([], () => completer(ask, value.trim())) : [];
  return { completion: { values: values.slice(0, MAX_VALUES), hasMore: values.length > MAX_VALUES } };
}

function fields(value: unknown, parameter: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw invalidParams(`"${parameter}" is missing or is not an object.`);
}

/** Ids of these kinds that begin like this, newest first. */
function ids(...kinds: NodeKind[]): Completer {
  return async (ask, begun) => {
    const { value } = await ask('nodes', {
      kinds,
      closed: true,
      limit: MAX_VALUES + 1,
      ...(begun === '' ? {} : { id_prefix: begun }),
    });
    return (value as NodeSummary[]).map((node) => node.id).filter(isPlainId);
  };
}

async function entityNames(ask: Ask, begun: string): Promise<string[]> {
  const { value } = await ask('entities', { letters: begun, limit: MAX_VALUES + 1 });
  return (value as ListedEntity[]).filter(({ marks }) => marks === undefined).map((entity) => oneLine(entity.content));
}
