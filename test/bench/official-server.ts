import type { RpcClient } from './rpc-client';

/** One memory as an entity of the official server: its name is the id, its only observation the content. */
export interface OfficialEntity {
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
}

interface Graph {
  readonly entities: readonly OfficialEntity[];
}

export async function createEntities(server: RpcClient, entities: readonly OfficialEntity[]): Promise<void> {
  await server.text('create_entities', { entities });
}

/** One call with the question as it stands. The server looks for it as a whole, as a piece of text. */
export async function searchOnce(server: RpcClient, question: string): Promise<readonly OfficialEntity[]> {
  const { entities } = await server.value<Graph>('search_nodes', { query: question });
  return entities;
}

/** One call for each word, as a patient agent would do; those found by most words first, then as they are stored. */
export async function searchEachWord(server: RpcClient, words: readonly string[]): Promise<OfficialEntity[]> {
  const found = new Map<string, { readonly entity: OfficialEntity; words: number }>();
  for (const word of words) {
    for (const entity of await searchOnce(server, word)) {
      const known = found.get(entity.name);
      if (known) known.words++;
      else found.set(entity.name, { entity, words: 1 });
    }
  }
  return [...found.values()].sort((a, b) => b.words - a.words).map(({ entity }) => entity);
}
