import { expect, it } from 'vitest';
import { read } from './project-files';

interface Key {
  readonly command: string;
  readonly args?: object;
  readonly key: string;
  readonly mac?: string;
  readonly when?: string;
}

const { keybindings } = (JSON.parse(read('package.json')) as { contributes: { keybindings: readonly Key[] } })
  .contributes;

it.each([
  ['a Mac', true],
  ['other machines', false],
])('no key stands twice in the list of keys on %s', (_, isMac) => {
  const listed = keybindings
    .filter(({ when = '' }) => !(isMac && when.includes('!isMac')))
    .map(({ command, args, key, mac, when }) => JSON.stringify([command, args, (isMac && mac) || key, when]));
  expect(listed.filter((one, i) => listed.indexOf(one) < i)).toEqual([]);
});
