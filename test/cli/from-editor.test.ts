import { expect, it } from 'vitest';
import { withCommandLine } from '../support/command-line';

it('no variable makes a person, an argument of the editor does, and none in an agent', () =>
  withCommandLine(async (place) => {
    await place.ok('init');
    const standingAfter = async (content: string, before: string[], env: Record<string, string>): Promise<unknown> => {
      const { out } = await place.run([...before, 'store', content, '--kind', 'fact', '--json'], { env });
      const { node_id } = JSON.parse(out) as { node_id: string };
      return (await place.json<{ standing: string }>('node', node_id)).standing;
    };
    expect(await standingAfter('One', [], { SVC_BY_PERSON: '1' })).toBe('stored');
    expect(await standingAfter('Two', ['--from-editor'], {})).toBe('confirmed');
    expect(await standingAfter('Three', ['--from-editor'], { AI_AGENT: 'x' })).toBe('stored');
  }));
