import { expect, it } from 'vitest';
import { withCodeProject } from '../support/code-project';

const SAYS = '# About\n\n`openStore` is here.\n';
const FILES = {
  'src/store.ts': 'export function openStore(): void {}\n',
  'README.md': SAYS,
  'docs/design.md': SAYS,
  'docs/history-of-ideas.md': SAYS,
  'docs/changes-to-the-store.md': SAYS,
  'CHANGELOG.md': SAYS,
  'docs/History.md': SAYS,
  'RELEASE_NOTES-2.md': SAYS,
  'LICENSE.md': SAYS,
  'packages/a/change-log.markdown': SAYS,
  'CODE_OF_CONDUCT.md': SAYS,
};

interface Report {
  readonly documents: { readonly read: number };
  readonly skipped: Readonly<Record<string, number>>;
}

it('leaves changelogs, licences and the like out of a folder, and reads those that are named', () =>
  withCodeProject(FILES, async ({ svc }) => {
    const ingest = async (...paths: string[]): Promise<Report> => {
      const { status, out, err } = await svc(['ingest', '--llm', 'none', '--json', ...paths]);
      expect(err).not.toContain('error');
      expect(status).toBe(0);
      return JSON.parse(out) as Report;
    };
    expect(await ingest('.')).toMatchObject({ documents: { read: 4 }, skipped: { 'changelog or licence': 6 } });
    expect(await ingest('CHANGELOG.md', 'docs/History.md')).toMatchObject({ documents: { read: 2 }, skipped: {} });
    expect((await svc(['ingest', '--llm', 'none', 'README.md', 'nothing.md'])).err).toContain(
      'There is no file or folder "nothing.md"',
    );
  }));
