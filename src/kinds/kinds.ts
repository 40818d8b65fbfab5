/** The table of kinds: all that differs from kind to kind and that no process can do without the others knowing it. */

interface NodeRow {
  /** How its ids begin: one or two letters and `_`. Stored ids keep theirs, so a released prefix never changes. */
  readonly prefix: `${string}_`;
  /** In the plural, above its section of an answer. */
  readonly heading: string;
  /** Its place among the sections of an answer, and where people choose among kinds. */
  readonly section: number;
  /** The editor's icon. */
  readonly icon: string;
}

interface MemoryRow extends NodeRow {
  /** Its place in a lens and a hover: first what people want to know first. */
  readonly lens: number;
  /** Whether it is in the briefing however old it is: docs/behaviour.md, "Briefing". */
  readonly standing: boolean;
}

/** Kinds that agents store: docs/behaviour.md, "Kinds and ids". Tools and settings name them in the order of the rows. */
const MEMORIES = {
  fact: { prefix: 'f_', heading: 'Facts', section: 2, icon: 'note', lens: 4, standing: false },
  decision: { prefix: 'd_', heading: 'Decisions', section: 1, icon: 'law', lens: 1, standing: true },
  action: { prefix: 'a_', heading: 'Actions', section: 5, icon: 'tools', lens: 6, standing: false },
  outcome: { prefix: 'o_', heading: 'Outcomes', section: 6, icon: 'flag', lens: 5, standing: false },
  procedure: { prefix: 'p_', heading: 'Procedures', section: 3, icon: 'checklist', lens: 2, standing: true },
  preference: { prefix: 'pr_', heading: 'Preferences', section: 4, icon: 'heart', lens: 3, standing: true },
} satisfies Record<string, MemoryRow>;

/** Nodes that memories hang on. */
const STRUCTURAL = {
  entity: { prefix: 'e_', heading: 'Entities', section: 7, icon: 'symbol-misc' },
  session: { prefix: 's_', heading: 'Sessions', section: 8, icon: 'comment-discussion' },
} satisfies Record<string, NodeRow>;

export type MemoryKind = keyof typeof MEMORIES;
export type StructuralKind = keyof typeof STRUCTURAL;
export type NodeKind = MemoryKind | StructuralKind;

export const KINDS: Readonly<Record<MemoryKind, MemoryRow> & Record<StructuralKind, NodeRow>> = {
  ...MEMORIES,
  ...STRUCTURAL,
};

export const MEMORY_KINDS = Object.keys(MEMORIES) as readonly MemoryKind[];
export const STRUCTURAL_KINDS = Object.keys(STRUCTURAL) as readonly StructuralKind[];
/** Every kind of node; the structural ones come last. */
export const NODE_KINDS: readonly NodeKind[] = [...MEMORY_KINDS, ...STRUCTURAL_KINDS];

export const SECTION_ORDER = NODE_KINDS.toSorted((a, b) => KINDS[a].section - KINDS[b].section);
/** In the order in which people choose among them. */
export const CHOICE_ORDER = SECTION_ORDER.filter((kind) => !isStructural(kind));
export const LENS_ORDER = MEMORY_KINDS.toSorted((a, b) => KINDS[a].lens - KINDS[b].lens);

/** Whether it is no memory; a kind of a store that somebody else wrote, which may be any text, is taken for one. */
export function isStructural(kind: NodeKind): kind is StructuralKind {
  return Object.hasOwn(STRUCTURAL, kind);
}
