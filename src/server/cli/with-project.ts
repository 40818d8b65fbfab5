import { locateStore } from '../project/locate';
import type { Project } from '../project/open';
import type { Cli, GlobalOptions } from './cli';

/** Opens the store that belongs to where the command runs, and closes it after `work`, whatever happens. */
export async function withProject<Result>(
  cli: Cli,
  options: GlobalOptions,
  work: (project: Project) => Promise<Result>,
): Promise<Result> {
  // The native driver is loaded only by commands that need a store.
  const { openProject } = await import('../project/open');
  const project = await openProject({
    place: locateStore(cli.around),
    holder: cli.holder,
    log: cli.log,
    tokenizer: cli.tokenizer,
    namespace: options.namespace ?? cli.namespace,
    assets: cli.programs,
  });
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}
