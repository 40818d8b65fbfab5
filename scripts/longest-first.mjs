// The order in which `npm test` starts the files of tests: those that take longest first, so that none of them is still at
// work alone when all others have ended.
// @ts-check
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { ROOT } from './setup.mjs';

/** Those that take more than twenty seconds or an editor, by how long each took when it was measured. */
export const LONGEST = [
  'test/cli/examples.test.ts',
  'test/graph/path-independence.test.ts',
  'test/installations/without-compiling.test.ts',
  'test/graph/hostile-sources.test.ts',
  'test/graph/not-judged.test.ts',
  'test/cli/foreign-store.test.ts',
  'test/ingest/providers.test.ts',
  'test/stdio/moved-store.test.ts',
  'test/cli/hostile-documents.test.ts',
  'test/cli/check-symbols.test.ts',
  'test/graph/refactorings-told.test.ts',
  'test/cli/check-hostile-git.test.ts',
  'test/cli/killed.test.ts',
  'test/graph/ctags.test.ts',
  'test/cli/restore-backup.test.ts',
  'test/stdio/log-without-file.test.ts',
  'test/graph/build.test.ts',
  'test/cli/sync.test.ts',
  'test/cli/tools.test.ts',
  'test/cli/review.test.ts',
  'test/graph/refactorings-followed.test.ts',
  'test/graph/memories-on-code.test.ts',
  'test/ingest/delegation.test.ts',
  'test/ingest/bindings.test.ts',
  'test/cli/transfer.test.ts',
  'test/cli/check.test.ts',
  'test/lsp/lifetime.test.ts',
  'test/cli/check-git-filters.test.ts',

  'test/workbench/proof.test.ts',
  'test/workbench/language-server.test.ts',
  'test/workbench/host-model.test.ts',
  'test/workbench/palette.test.ts',
  'test/workbench/side-bar-places.test.ts',
  'test/workbench/backups.test.ts',
  'test/workbench/foreign-store.test.ts',
  'test/workbench/explorer-page.test.ts',
  'test/workbench/ingest.test.ts',
  'test/workbench/several-folders.test.ts',
  'test/workbench/code.test.ts',
  'test/workbench/staleness.test.ts',
  'test/workbench/palette-places.test.ts',
  'test/workbench/restricted-mode.test.ts',
  'test/workbench/side-bar.test.ts',
  'test/workbench/explorer.test.ts',
  'test/workbench/mcp-servers.test.ts',
];

/** Others follow as vitest has them: by the time of the last run or, in a fresh clone, by their size. */
export class LongestFirst extends BaseSequencer {
  /** @override @param {Parameters<BaseSequencer['sort']>[0]} files */
  async sort(files) {
    const order = new Map(LONGEST.map((name, i) => [name, i]));
    const groupOf = (/** @type {typeof files[number]} */ file) => file.project.config.sequence.groupOrder;
    const placeOf = (/** @type {typeof files[number]} */ file) =>
      order.get(relative(ROOT, file.moduleId)) ?? LONGEST.length;
    const sorted = await super.sort(files);
    // One after another, those of a project share their processes.
    const projectOf = (/** @type {typeof files[number]} */ file) => file.project.name;
    return sorted.sort(
      (a, b) => groupOf(a) - groupOf(b) || placeOf(a) - placeOf(b) || projectOf(a).localeCompare(projectOf(b)),
    );
  }
}
