/** What people may do in a project: docs/team.md, "Roles". */
import { type SvcError, unavailable } from '../base/errors';
import type { Effect, Tool } from '../tools/define-tool';
import { MEMORY_TOOLS } from '../tools/registry';

export const ROLES = ['reader', 'writer', 'maintainer'] as const;
export type Role = (typeof ROLES)[number];

const NEEDED: Readonly<Record<Effect, Role>> = { read: 'reader', write: 'writer', destroy: 'maintainer' };
/** They ask the code or the files of whoever calls, and these are not where the server is. */
const AT_HOME = new Set(['share', 'team']);

/** What can be called at a server: all but what needs a working tree. */
export const SERVED_TOOLS: readonly Tool[] = MEMORY_TOOLS.filter(
  ({ name, effect, runsGit }) => !(effect === 'read' && runsGit) && !AT_HOME.has(name),
);

export function mayCall(role: Role, { effect }: Pick<Tool, 'effect'>): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(NEEDED[effect]);
}

/** Why somebody with this role may not call a tool. */
export function refusalOf(role: Role, tool: Pick<Tool, 'effect' | 'name'>): SvcError | undefined {
  if (mayCall(role, tool)) return undefined;
  return unavailable(
    `Your role in this project is ${role}, and ${tool.name} needs the role ${NEEDED[tool.effect]}`,
    'Nothing was changed. The operator of the server can give you that role',
  );
}
