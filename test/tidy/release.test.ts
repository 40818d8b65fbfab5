// What a release needs besides its packages.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { addressesAt, addressOf, missingAddress } from '../../scripts/release-address.mjs';
import { ROOT, read } from './project-files';

const ADDRESS = 'https://git.example/some/where';

describe('the address of the project', () => {
  it('is the one that is given, else that of the runner, and never nobody’s', () => {
    const runner = { GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'other/where' };
    expect(addressOf(ADDRESS, runner)).toBe(ADDRESS);
    expect(addressOf(undefined, runner)).toBe('https://git.example/other/where');
    expect(() => addressOf(undefined, {})).toThrow('Nobody said where the repository is');
    for (const wrong of ['where', 'http://git.example/some/where', `${ADDRESS}.git`, 'https://git.example']) {
      expect(() => addressOf(wrong, {})).toThrow('is no address of a repository');
    }
  });

  it('is named in package.json as repository, homepage and bugs, which agree', () => {
    const all = addressesAt(ADDRESS);
    expect(missingAddress(all)).toBeUndefined();
    expect(missingAddress({})).toContain('does not say where the repository is');
    expect(missingAddress({ ...all, bugs: { url: 'https://git.example/else/issues' } })).toContain('several');
    const { homepage: _, ...without } = all;
    expect(missingAddress(without)).toContain('several');
  });

  it('stands nowhere in the project, and without it nothing is published', () => {
    expect(Object.keys(JSON.parse(read('package.json')))).toEqual(
      expect.not.arrayContaining(['repository', 'homepage', 'bugs']),
    );
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    const [, script = '', ...args] = (scripts.prepublishOnly ?? '').split(' ');
    const { status, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: ROOT, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('release:address')]);
  });

  it('is written before each package of the workflow, for six platforms and npm', () => {
    const workflow = read('.github/workflows/package.yml');
    expect(workflow.match(/target: [\w-]+/g)).toHaveLength(6);
    expect(workflow.match(/- run: npm run release:address\n/g)).toHaveLength(2);
    expect(workflow).toContain('npm run package -- --release');
    expect(workflow).toContain('- run: npm pack\n');
  });
});

/** As headings get their anchors on pages of repositories. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const PAGES = ['README', 'CONTRIBUTING', 'ARCHITECTURE', 'SECURITY', 'docs/behaviour', 'docs/clients'];

test.each(PAGES.map((name) => `${name}.md`))('links and pictures of %s lead to what Git knows', (page) => {
  const known = new Set(execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n'));
  const prose = read(page).replace(/^(?:```|~~~)[\s\S]*?^(?:```|~~~)$/gm, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const wrong = links.filter((target) => {
    if (/^https:\/\//.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    if (!known.has(file) || !existsSync(join(ROOT, file))) return true;
    const titles = [...read(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => anchorOf(title));
    return anchor !== undefined && !titles.includes(anchor);
  });
  expect(wrong).toEqual([]);
});
