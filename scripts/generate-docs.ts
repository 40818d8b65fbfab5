// npm run docs: writes the pages that are made from the program itself. test/tidy/docs.test.ts checks that they are
// current.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { agentFiles } from './docs/agent-files';
import { withChatTools } from './docs/chat-tools';
import { cliPage } from './docs/cli-page';
import { clientsPage } from './docs/clients-page';
import { pluginFiles } from './docs/plugin-files';
import { settingsPage } from './docs/settings-page';
import { toolsPage } from './docs/tools-page';

mkdirSync('docs', { recursive: true });
writeFileSync('docs/cli.md', await cliPage());
writeFileSync('docs/clients.md', clientsPage());
writeFileSync('docs/settings.md', settingsPage());
writeFileSync('docs/tools.md', toolsPage());
writeFileSync('package.json', withChatTools(readFileSync('package.json', 'utf8')));
for (const [path, text] of Object.entries(agentFiles())) writeFileSync(`agent/${path}`, text);
for (const [path, text] of Object.entries(pluginFiles())) {
  mkdirSync(dirname(`plugin/${path}`), { recursive: true });
  writeFileSync(`plugin/${path}`, text);
}
