import { expect, it } from 'vitest';
import { type Circumstances, selectProvider } from '../../../src/server/llm/select-provider';

const NOTHING: Circumstances = {
  ...{ flag: undefined, file: undefined, hostSocket: undefined },
  announcedHosts: () => [],
  hasKey: () => false,
  hostAnswers: async () => true,
  localAnswers: async () => false,
};
const keys = (...names: string[]): Pick<Circumstances, 'hasKey'> => ({ hasKey: (name) => names.includes(name) });

const CASES: readonly (readonly [what: string, circumstances: Partial<Circumstances>, provider: string | undefined])[] =
  [
    ['nothing at all', {}, undefined],
    ['a local server', { localAnswers: async () => true }, 'ollama'],
    ['a key before the local server', { ...keys('openai'), localAnswers: async () => true }, 'openai'],
    ['the first key of two', keys('openai', 'anthropic'), 'anthropic'],
    ['the flag before a key', { ...keys('anthropic'), flag: 'openai' }, 'openai'],
    ['the file as the flag', { ...keys('anthropic'), file: 'openai' }, 'openai'],
    ['the flag before the file', { flag: 'anthropic', file: 'openai' }, 'anthropic'],
    ['a host before the flag', { ...keys('openai'), flag: 'openai', hostSocket: 's' }, 'mcp'],
    ['a host before the file', { file: 'anthropic', hostSocket: 's' }, 'mcp'],
    ['the local provider, named, before a host', { flag: 'ollama', hostSocket: 's' }, 'ollama'],
    ['the local provider in the file before a host', { file: 'ollama', hostSocket: 's' }, 'ollama'],
    [
      'another flag than the file, which names the local one, in a host',
      { flag: 'openai', file: 'ollama', hostSocket: 's' },
      'mcp',
    ],
    ['none in a host', { flag: 'none', hostSocket: 's' }, 'none'],
    ['a dead host', { ...keys('openai'), hostSocket: 's', hostAnswers: async () => false }, 'openai'],
    ['a running server before keys', { ...keys('openai'), announcedHosts: () => ['a'] }, 'mcp'],
    [
      'a named provider outside of the host before a running server',
      { flag: 'openai', announcedHosts: () => ['a'] },
      'openai',
    ],
    ['mcp by name with a running server', { flag: 'mcp', announcedHosts: () => ['a'] }, 'mcp'],
  ];

it.each(CASES)('%s', async (_, circumstances, provider) => {
  const selection = await selectProvider({ ...NOTHING, ...circumstances });
  expect(selection.provider).toBe(provider);
  expect(selection.steps.at(-1)?.matched).toBe(true);
  expect(selection.steps.slice(0, -1).some(({ matched }) => matched)).toBe(false);
});

it('asks nobody that no rule needs, and takes the first running server that answers', async () => {
  const asked: string[] = [];
  const hostAnswers = async (socket: string): Promise<boolean> => asked.push(socket) > 1;
  const { socket } = await selectProvider({ ...NOTHING, announcedHosts: () => ['a', 'b', 'c'], hostAnswers });
  expect([asked, socket]).toEqual([['a', 'b'], 'b']);
  const never = async (): Promise<boolean> => {
    throw new Error('nobody is asked');
  };
  await selectProvider({ ...NOTHING, flag: 'none', hostSocket: 's', hostAnswers: never, localAnswers: never });
  await selectProvider({ ...NOTHING, ...keys('anthropic'), localAnswers: never });
});

it('refuses an unknown name before it looks for a host', async () => {
  for (const circumstances of [{ flag: 'gpt' }, { file: 'gpt' }]) {
    await expect(selectProvider({ ...NOTHING, ...circumstances, hostSocket: 's' })).rejects.toThrow(
      /^invalid_input: Provider not found/,
    );
  }
});
