import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { cliPage } from '../../scripts/docs/cli-page';
import { settingsPage } from '../../scripts/docs/settings-page';
import { toolsPage } from '../../scripts/docs/tools-page';

const page = (name: string): string => readFileSync(resolve(__dirname, '../../docs', name), 'utf8');

test('docs/cli.md is what the program says; "npm run docs" writes it again', () => {
  expect(page('cli.md')).toBe(cliPage());
});

test('docs/settings.md is what package.json declares; "npm run docs" writes it again', () => {
  expect(page('settings.md')).toBe(settingsPage());
});

test('docs/tools.md is what the tools declare; "npm run docs" writes it again', () => {
  expect(page('tools.md')).toBe(toolsPage());
});

test('no line of help is wider than a terminal of 80 columns', () => {
  expect(
    cliPage()
      .split('\n')
      .filter((line) => line.length > 80),
  ).toEqual([]);
});
