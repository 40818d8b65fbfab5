import { expect, it } from 'vitest';
import { withFollowedRepository } from '../support/followed-repository';
import { repeated } from '../support/hostile-sources';

const SOURCE = 'export function fine() {\n  return 1;\n}\n';

it('a checkout that brings a folder of sources that take too long has less patience, and has all that people write', () =>
  withFollowedRepository({ 'a.ts': SOURCE }, async ({ build, write, refresh, project }) => {
    await build();
    const names = Array.from({ length: 12 }, (_, i) => `hostile/${String(i).padStart(2, '0')}.ts`);
    for (const [i, name] of names.entries()) await write(name, repeated('[', 60 + i));
    await write('hostile/fine.ts', SOURCE);
    expect(await refresh('hostile')).toMatchObject({ indexed: 1 });
    const graph = await project.graph?.current();
    const left = await graph?.all<{ reason: string }>('SELECT reason FROM graph_left_out ORDER BY path');
    expect(left).toHaveLength(names.length);
    expect(left?.map(({ reason }) => reason)).toContain('takes too long after others');
  }));
