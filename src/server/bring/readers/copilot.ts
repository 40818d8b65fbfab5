/** Custom instructions of GitHub Copilot. */
import { ruleReader } from '../rules';

export const copilot = ruleReader({
  name: 'copilot',
  files: ['.github/copilot-instructions.md'],
  folder: { path: '.github/instructions', pattern: /\.instructions\.md$/i },
  globs: 'applyTo',
});
