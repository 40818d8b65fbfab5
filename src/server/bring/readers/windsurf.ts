/** Rules of Windsurf. */
import { ruleReader } from '../rules';

export const windsurf = ruleReader({
  name: 'windsurf',
  files: ['.windsurfrules'],
  folder: { path: '.windsurf/rules', pattern: /\.md$/i },
  globs: 'globs',
});
