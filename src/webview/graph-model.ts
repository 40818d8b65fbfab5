/** The nodes and edges that the graph shows. */
import type { GraphEdge, GraphNode, Neighbourhood } from '../protocol/explorer';

/** What is drawn: one neighbourhood, and those of the nodes that a person opened one after the other. */
export interface GraphModel {
  /** By key, in the order in which they came. */
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly edges: ReadonlyMap<string, GraphEdge>;
  readonly roots: readonly string[];
  readonly expanded: ReadonlySet<string>;
  /** Whether something was left out for want of room. */
  readonly truncated: boolean;
}

/** Nobody can read a larger graph. */
export const MAX_DRAWN = 300;

export function modelOf(found: Neighbourhood): GraphModel {
  const empty = {
    nodes: new Map(),
    edges: new Map(),
    roots: found.roots,
    expanded: new Set<string>(),
    truncated: false,
  };
  return found.roots.reduce<GraphModel>((model, root) => withNeighbourhood(model, root, found), empty);
}

/** Adds the neighbours of `key`, as far as there is room. */
export function withNeighbourhood(model: GraphModel, key: string, found: Neighbourhood): GraphModel {
  const nodes = new Map(model.nodes);
  let full = false;
  const steps = (nodes.get(key)?.hops ?? -1) + 1;
  for (const node of found.nodes) {
    const known = nodes.get(node.key);
    if (known) nodes.set(node.key, { ...node, hops: known.hops });
    else if (nodes.size >= MAX_DRAWN) full = true;
    else nodes.set(node.key, { ...node, hops: model.nodes.size === 0 ? node.hops : steps });
  }
  const edges = new Map(model.edges);
  for (const edge of found.edges) {
    if (nodes.has(edge.from) && nodes.has(edge.to)) edges.set(edgeKey(edge), edge);
  }
  return {
    nodes,
    edges,
    roots: model.roots,
    expanded: new Set([...model.expanded, key]),
    truncated: model.truncated || full || found.truncated,
  };
}

export function edgeKey({ type, from, to }: GraphEdge): string {
  return JSON.stringify([type, from, to]);
}

/** Neighbours that are not drawn yet. */
export function hiddenNeighbours(model: GraphModel, node: GraphNode): number {
  if (model.expanded.has(node.key)) return 0;
  let drawn = 0;
  for (const { from, to } of model.edges.values()) if (from === node.key || to === node.key) drawn++;
  return Math.max(0, node.degree - drawn);
}

/** What `graph` takes for this node. */
export function aroundOf(node: GraphNode): string {
  if (node.type !== 'symbol') return node.key;
  const path = node.code?.file_path ?? node.key.slice(0, node.key.indexOf('#'));
  return node.kind === 'file' ? path : `${path}#${node.code?.name ?? node.label}`;
}

/** Nearest to the middle first; for the list beside the drawing. */
export function inOrder(model: GraphModel): GraphNode[] {
  return [...model.nodes.values()].sort(
    (a, b) => a.hops - b.hops || a.type.localeCompare(b.type) || a.label.localeCompare(b.label),
  );
}
