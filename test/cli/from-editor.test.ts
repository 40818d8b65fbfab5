import { expect, it } from 'vitest';
import { withCommandLine } from '../support/command-line';

it('no variable makes a person, an argument of the editor does, and none in an agent', () =>
  withCommandLine(async (place) => {
    await place.ok('init');
    const stored = async (content: string, before: string[], env: Record<string, string>): Promise<unknown> => {
      const { out } = await place.run([...before, 'store', content, '--kind', 'fact', '--json'], { env });
      const { node_id } = JSON.parse(out) as { node_id: string };
      const { standing, origin } = await place.json<{ standing: string; origin: { name: string } }>('node', node_id);
      return [standing, origin.name];
    };
    expect(await stored('One', [], { SVC_BY_PERSON: '1' })).toEqual(['stored', 'cli']);
    expect(await stored('Two', ['--from-editor'], {})).toEqual(['confirmed', 'VS Code']);
    expect(await stored('Three', ['--from-editor'], { AI_AGENT: 'x' })).toEqual(['stored', 'cli']);
  }));
