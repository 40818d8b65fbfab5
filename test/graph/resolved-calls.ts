import { expect, it } from 'vitest';
import { withCodeProject } from '../support/code-project';

export interface ResolvedCase {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  /** By the symbol that is asked about: its line of calls; undefined where it has none. */
  readonly calls: Readonly<Record<string, string | undefined>>;
  /** The same for what it inherits from. */
  readonly inherits?: Readonly<Record<string, string | undefined>>;
  /** The same for what calls it. */
  readonly callers?: Readonly<Record<string, string | undefined>>;
}

/** Builds each project with `svc build`, and reads what `query_codebase` says of its symbols. */
export function resolves(cases: readonly ResolvedCase[]): void {
  it.each(cases)('resolves $what', async ({ files, calls, inherits = {}, callers = {} }) => {
    await withCodeProject(files, async ({ build, graphServer }) => {
      await build();
      const server = await graphServer();
      const said = async (asked: object, label: string) => {
        const found: Record<string, string | undefined> = {};
        for (const name of Object.keys(asked)) {
          const answer = await server.text('query_codebase', { query: name });
          const [first = ''] = answer.split('\n### ').slice(1);
          found[name] = new RegExp(`^- ${label}: (.*)$`, 'm').exec(first)?.[1];
        }
        return found;
      };
      expect(await said(calls, 'calls')).toEqual(calls);
      expect(await said(inherits, 'inherits')).toEqual(inherits);
      expect(await said(callers, 'called by')).toEqual(callers);
    });
  });
}
