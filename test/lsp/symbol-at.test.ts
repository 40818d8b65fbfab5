import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withCommandLine } from '../support/command-line';
import { type EditorClient, startEditor } from '../support/editor-client';

const RETRY = `const LIMIT = 6;
export class Client {
  // Every six seconds.
  retry() {
    const again = () => LIMIT;
    return again();
  }
}
class Short { stop() {} }
res.send = function send(body) {
  return body;
};
`;

const at = (editor: EditorClient, path: string, line: number) =>
  editor.request('svc/symbolAt', { file: editor.uri(path), line });

it('names the symbol at a line of an unsaved text as the code graph would, without a store', async () => {
  await withCommandLine(async (place) => {
    const editor = await startEditor(place);
    try {
      await editor.open('src/client.ts', RETRY);
      const names = await Promise.all([1, 2, 3, 4, 6, 8, 9, 11].map((line) => at(editor, 'src/client.ts', line)));
      expect(names).toEqual(
        ['LIMIT', 'Client', 'Client.retry', 'Client.retry', 'Client.retry', 'Client', 'Short.stop', 'res.send'].map(
          (symbol) => ({
            ...{ read: true, symbol },
          }),
        ),
      );
      await editor.edit('src/client.ts', `function first() {}\n${RETRY}`);
      expect(await at(editor, 'src/client.ts', 1)).toEqual({ read: true, symbol: 'first' });
      expect(existsSync(join(place.folder, '.svc'))).toBe(false);
      expect(existsSync(join(place.home, '.svc'))).toBe(false);
    } finally {
      await editor.end();
    }
  });
});

const FORMS = `@Component({})
export class Page {
  @Input() name = 0;
  @on('click')
  open() {}
  // Of no one.

  close() {}

  /**
   * Goes on.
   */

  go() {}
}
/* A block. */

export function alone() {}
`;
const JAVA = `class One {
  @Override public String first() { return ""; }
  // Of the second.
  @Override
  public String second() { return ""; }
}
`;

it('takes comments and decorators above a symbol for it, and code that only looks like them for what it is', async () => {
  await withCommandLine(async (place) => {
    const editor = await startEditor(place);
    try {
      const namesIn = async (path: string, text: string) => {
        await editor.open(path, text);
        const lines = text.split('\n').map((_, i) => at(editor, path, i + 1));
        return (await Promise.all(lines)).map((found) => (found.read ? found.symbol : undefined));
      };
      const page = 'Page';
      expect(await namesIn('src/page.ts', FORMS)).toEqual([
        ...[page, page, page, 'Page.open', 'Page.open', page, page, 'Page.close', page],
        ...['Page.go', 'Page.go', 'Page.go', 'Page.go', 'Page.go', page, null, null, 'alone', null],
      ]);
      expect(await namesIn('src/crlf.ts', FORMS.replaceAll('\n', '\r\n'))).toEqual(await namesIn('src/page.ts', FORMS));
      const HEADS = '/** Copyright. */\n\nfunction a() {}\n\n/** @file It. */\n\nfunction b() {}\n';
      expect(await namesIn('src/heads.ts', HEADS)).toEqual([null, null, 'a', null, null, null, 'b', null]);
      const [one, first, second] = ['One', 'One.first', 'One.second'];
      expect(await namesIn('src/One.java', JAVA)).toEqual([one, first, second, second, second, one, null]);
    } finally {
      await editor.end();
    }
  });
});

it('says that it did not read what is in no language it knows, is not open, or lies outside of the window', async () => {
  await withCommandLine(async (place) => {
    const editor = await startEditor(place, { folders: [] });
    try {
      await editor.open('src/client.ts', RETRY);
      expect(await at(editor, 'src/client.ts', 6)).toEqual({ read: false });
    } finally {
      await editor.end();
    }
    const other = await startEditor(place);
    try {
      await other.open('notes.txt', RETRY);
      expect(await at(other, 'notes.txt', 6)).toEqual({ read: false });
      expect(await at(other, 'src/client.ts', 6)).toEqual({ read: false });
    } finally {
      await other.end();
    }
  });
});
