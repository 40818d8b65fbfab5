/** `svc-memory export --to`. */
import { relative, resolve } from 'node:path';
import { counted } from '../../base/counted';
import { unavailable } from '../../base/errors';
import { leadsOut } from '../../base/project-path';
import { shownPath } from '../../base/text';
import type { Cli, ExitStatus, GlobalOptions } from '../cli';
import { withProject } from '../with-project';

/** What `--to` takes. */
export const FORMS = ['adr'] as const;
export type Form = (typeof FORMS)[number];

/** Writes the decisions of the namespace into a folder, one file each: docs/behaviour.md, "Export". */
export function exportAdrs(cli: Cli, target: string, options: GlobalOptions): Promise<ExitStatus> {
  return withProject(cli, options, async ({ memory, place }) => {
    if (memory.foreign) {
      throw unavailable(
        'This store is foreign, and records of decisions have no room to say so: they would look like those of this project',
        'Look at the store, and accept it with "svc-memory trust"; or use "svc-memory export", which names its source',
      );
    }
    const { listDecisions } = await import('../../memory/transfer/list-decisions');
    const { writeAdrs } = await import('../../bring/adr/write-adrs');
    const folder = resolve(cli.around.cwd, target);
    const { cwd } = cli.around;
    // Below these no link is followed; a folder elsewhere is a person's own choice.
    const root =
      [place.root, cwd].find((one) => one !== undefined && !leadsOut(relative(one, folder) || '.')) ?? folder;
    const { written, kept } = writeAdrs(root, folder, await listDecisions(memory));
    const others = kept === 0 ? '' : `; ${counted(kept, 'file')} said the same already`;
    await cli.output.text(`Wrote ${counted(written.length, 'decision')} to ${shownPath(folder)}${others}`);
    return 0 as const;
  });
}
