// npm run l10n: gathers the texts of the extension and the language server that can be translated into
// l10n/bundle.l10n.json, which translators start from. test/tidy/l10n.test.ts checks that it is current,
// for which it takes the text: the command line of @vscode/l10n-dev writes files alone.
// @ts-check
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installMissing, ROOT } from './setup.mjs';

export const BUNDLE = join(ROOT, 'l10n', 'bundle.l10n.json');

/** Where people are spoken to with `vscode.l10n.t`, or with `l10n.t` of the package that stands in for it. */
const SPEAKING = ['src/extension', 'src/server/lsp'];

/** What the sources say in them, as the text of the file. @returns {Promise<string>} */
export async function bundleText() {
  const sources = SPEAKING.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => ({ extension: '.ts', contents: readFileSync(join(ROOT, folder, path), 'utf8') })),
  );
  const { getL10nJson } = await import('@vscode/l10n-dev');
  const found = Object.entries(await getL10nJson(sources)).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(found), null, 2)}\n`;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await installMissing();
  writeFileSync(BUNDLE, await bundleText());
}
