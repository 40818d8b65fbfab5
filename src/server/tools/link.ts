/** `link`: a person puts a memory on code. */
import * as z from 'zod/v4';
import { invalidInput, unavailable } from '../base/errors';
import { parameter, phrase } from '../base/phrase';
import { quoted } from '../base/text';
import { keepTextsOf } from '../code/keep-texts';
import { linkedSymbols } from '../memory/code/linked-symbols';
import { putOnCode } from '../memory/code/put-on-code';
import { type MatchedNames, matchNames } from '../memory/code/touches';
import { valuesNamed } from '../memory/code/values-named';
import type { Memory } from '../memory/memory';
import { elsewhere } from '../memory/other-namespace';
import { matchEntities } from '../memory/remember';
import { putSharedOnCode } from '../project/edit-shared';
import { defineTool } from './define-tool';
import { namespace, nodeId } from './input';

export const link = defineTool({
  name: 'link',
  title: 'Put a memory on code',
  description:
    'Says that a memory is also about a function or a file. Its author, its time and its text stay as they are. Can be undone.',
  audience: 'human',
  effect: 'write',
  positional: ['node_id', 'code'],
  input: z.strictObject({
    node_id: nodeId('Id of an open memory'),
    code: namespace('src/store.ts#open (function) or src/store.ts (file)'),
    namespace: namespace('Where it lies; default: the active one').optional(),
  }),
  output: z.object({
    node_id: z.string(),
    linked: z.int(),
    operation: z.int().nullable(),
    path: z.string().optional(),
  }),
  gather: async ({ memory, project }, { node_id, code, namespace: named }) => {
    const there = elsewhere(memory, named);
    const { unavailable: none } = memory.code;
    if (none) throw unavailable(none.problem, none.remedy);
    const { name, matched: ofName } = await meant(there, code);
    const matched = new Map([...ofName, ...(await valuesOf(there, node_id, name))]);
    const shared = memory.shared.has(node_id)
      ? await putSharedOnCode(project, there, node_id, name, matched)
      : undefined;
    return { name, matched, shared };
  },
  run: async ({ memory }, { node_id, namespace: named }, { name, matched, shared }) =>
    shared ?? putOnCode(elsewhere(memory, named), { node_id, code: name }, matched),
  settled: async (project, done, { matched }) => {
    await keepTextsOf(project, [...matched.values()].flat());
    return done;
  },
});

/** What the text of a memory names in that file is its code from then on, too: docs/behaviour.md, "Links to code". */
async function valuesOf(memory: Memory, nodeId: string, name: string): Promise<MatchedNames> {
  const row = await memory.sql.get<{ content: string }>('SELECT content FROM mem_nodes WHERE id = $nodeId', { nodeId });
  return matchNames(memory, valuesNamed(row?.content ?? '', [name]));
}

/** A name of code as memories call it, and what it stands for. */
interface Meant {
  readonly name: string;
  readonly matched: MatchedNames;
}

/**
 * A function of a language that the code graph does not read is in its file, as far as is known.
 * @throws SvcError invalid_input for what is no code
 */
async function meant(memory: Memory, code: string): Promise<Meant> {
  const name = asOthersSpellIt(memory, code);
  const found = async (asked: string) => {
    const { matched, unresolved } = await matchEntities(memory, {
      ...{ entities: [asked], namespace: memory.scope.namespace },
    });
    return { symbols: linkedSymbols({ names: [...matched.keys()] }, matched), unresolved };
  };
  const { symbols, unresolved } = await found(name);
  if (symbols.length > 0) return { name, matched: new Map([[name, symbols]]) };
  const [path = ''] = name.split('#');
  const ofFile = path !== name && unresolved.length === 0 ? (await found(path)).symbols : [];
  if (ofFile.length > 0) return { name, matched: new Map([[name, ofFile]]) };
  const nearest = unresolved.flatMap((one) => one.nearest);
  throw invalidInput(
    phrase`${quoted(code)} given as ${parameter('code')} is no code that is known here`,
    nearest.length === 0
      ? 'Give the path of a source file, or path#function. "svc build" reads the code'
      : `Did you mean ${nearest.map((one) => quoted(one)).join(' or ')}?`,
  );
}

/** One path has one spelling. @throws SvcError invalid_input for a path that leads out of the project */
function asOthersSpellIt({ code: index }: Memory, code: string): string {
  if (!/[/\\#]/.test(code)) return code;
  const [path = '', ...symbol] = code.trim().split('#');
  return path === '' ? code : [index.relativePath(path), ...symbol].join('#');
}
