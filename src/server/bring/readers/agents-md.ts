/** AGENTS.md, which most agents read. */
import { ruleReader } from '../rules';

export const agentsMd = ruleReader({ name: 'agents-md', files: ['AGENTS.md'] });
