/** `share`: puts memories into files of the repository, for people. */
import * as z from 'zod/v4';
import { parameter } from '../base/phrase';
import { shareOut } from '../memory/share-out';
import { planFiles, removeFiles, writeFiles } from '../project/share';
import { leftOutByGit } from '../project/shared-commits';
import { findSecret } from '../secrets/find-secret';
import { defineTool } from './define-tool';
import { nodeId } from './input';
import { secretRefusal } from './refuse-secrets';

/** One act of a person. */
const MOST = 200;

export const share = defineTool({
  name: 'share',
  title: 'Share with the repository',
  description:
    'Puts memories into Markdown files in .svc/memories, one each, to be committed and reviewed like code: a decision is a record in the form of MADR. They leave the store, and are read from the files, here and by all who have them. Can be undone.',
  audience: 'human',
  effect: 'write',
  positional: ['node_ids'],
  input: z.strictObject({
    node_ids: z.array(nodeId('Id of an open memory')).min(1).max(MOST).describe('Ids of open memories'),
  }),
  output: z.object({
    shared: z.array(z.object({ node_id: z.string(), path: z.string() })),
    stays_closed: z.array(z.string()).optional().describe('Memories of the store that these took the place of'),
    ignored_by: z.string().optional().describe('The rule by which Git leaves these files out'),
    operation: z.int(),
  }),
  gather: async ({ memory, project, allowSecret, signal }, { node_ids }) => {
    const files = await planFiles(project, memory, node_ids);
    for (const [i, { texts }] of files.entries()) {
      if (allowSecret) break;
      for (const text of texts) {
        const secret = findSecret(text);
        if (secret) throw secretRefusal(parameter('node_ids', `[${i}]`), secret);
      }
    }
    project.prepareFolder();
    // Before the transaction: a memory that is in both is read from its file, one that is in none would be lost.
    writeFiles(project, project.home, files);
    return { files, isDone: false, signal };
  },
  run: async ({ memory }, _, gathered) => {
    const operation = await shareOut(memory, gathered.files);
    gathered.isDone = true;
    // Where a file is not, nothing is in the place of what it has replaced.
    const replaced = gathered.files.flatMap(({ supersedes }) => supersedes.filter((id) => !memory.shared.has(id)));
    return {
      shared: gathered.files.map(({ node_id, path }) => ({ node_id, path })),
      ...(replaced.length === 0 ? {} : { stays_closed: [...new Set(replaced)] }),
      operation,
    };
  },
  tidyUp: async ({ place }, gathered) => {
    if (!gathered.isDone && place.root !== undefined) removeFiles(place.root, gathered.files);
  },
  settled: async (project, output, { signal }) => {
    await project.shared.refresh();
    const paths = output.shared.map(({ path }) => path);
    const [leftOut] = await leftOutByGit(project, paths, signal);
    return leftOut ? { ...output, ignored_by: leftOut.rule } : output;
  },
});
