/** Rules of Cursor. */
import { ruleReader } from '../rules';

export const cursor = ruleReader({
  name: 'cursor',
  files: ['.cursorrules'],
  folder: { path: '.cursor/rules', pattern: /\.(?:mdc|md)$/i },
  globs: 'globs',
});
