/** Rules of Cline: a folder, or in older versions a file. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ruleReader } from '../rules';
import type { SourceReader } from '../source-reader';

const PLACE = '.clinerules';
const ofFolder = ruleReader({ name: 'cline', folder: { path: PLACE, pattern: /\.(?:md|txt)$/i }, globs: 'paths' });
const ofFile = ruleReader({ name: 'cline', files: [PLACE] });

export const cline: SourceReader = {
  ...ofFolder,
  detect: (around) => {
    const isFile = statSync(join(around.root, PLACE), { throwIfNoEntry: false })?.isFile() === true;
    return (isFile ? ofFile : ofFolder).detect(around);
  },
};
