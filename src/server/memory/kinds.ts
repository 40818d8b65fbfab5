/** Kinds that agents store (service.md, "Kinds for memory_store"). */
export const MEMORY_KINDS = ['fact', 'decision', 'action', 'outcome', 'procedure', 'preference'] as const;
/** Every kind of node; the two structural ones come last. */
export const NODE_KINDS = [...MEMORY_KINDS, 'entity', 'session'] as const;

export type MemoryKind = (typeof MEMORY_KINDS)[number];
export type NodeKind = (typeof NODE_KINDS)[number];

/** decisions.md, "id prefixes". */
export const ID_PREFIXES: Readonly<Record<NodeKind, string>> = {
  fact: 'f_',
  decision: 'd_',
  action: 'a_',
  outcome: 'o_',
  procedure: 'p_',
  preference: 'pr_',
  entity: 'e_',
  session: 's_',
};

const PREFIXES: ReadonlySet<string> = new Set(Object.values(ID_PREFIXES));
const ID_SHAPE = /^([a-z]{1,2}_)[a-z2-7]{8}$/;

/** Whether the text has the shape of a node id of ours. */
export function isNodeId(text: string): boolean {
  const prefix = ID_SHAPE.exec(text)?.[1];
  return prefix !== undefined && PREFIXES.has(prefix);
}
