import { expect, test } from 'vitest';
import { ClientViews } from '../../../src/server/project/client-views';
import { callTool } from '../../../src/server/tools/call-tool';
import { MEMORY_TOOLS } from '../../../src/server/tools/registry';
import { withMemory } from '../../support/memory';

test('two clients of one opened project have sessions of their own, and none moves the namespace of the other', () =>
  withMemory(async ({ project }) => {
    const [one, other] = [new ClientViews(project), new ClientViews(project)];
    const store = (views: ClientViews, input: object = {}) =>
      callTool(MEMORY_TOOLS, views.of('default'), 'memory_store', { content: 'x', kind: 'fact', ...input });
    await store(one);
    await store(other, { content: 'y' });
    await store(one, { content: 'z' });
    await store(one, { namespace: 'elsewhere' });
    const rows = await project.store.all<{ ns: number; memories: number }>(
      `SELECT seq >> 32 AS ns, count(*) AS memories FROM mem_nodes WHERE kind = 'fact' GROUP BY session ORDER BY session`,
    );
    expect(rows).toEqual([
      { ns: 1, memories: 2 },
      { ns: 1, memories: 1 },
      { ns: 2, memories: 1 },
    ]);
    expect([one, other].map((views) => views.of('default').memory.scope.namespace)).toEqual(['default', 'default']);
    expect(one.of('elsewhere').memory.scope.session).toBeDefined();
    expect(other.of('elsewhere').memory.scope.session).toBeUndefined();
  }));
