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
  const path = fileOf(node);
  return node.kind === 'file' ? path : `${path}#${node.code?.name ?? node.label}`;
}

/** Nearest to the middle first; for the list beside the drawing. */
export function inOrder(model: GraphModel): GraphNode[] {
  return [...model.nodes.values()].sort(
    (a, b) => a.hops - b.hops || a.type.localeCompare(b.type) || a.label.localeCompare(b.label),
  );
}

/** Nodes that belong together: those on one file, and those about one entity. */
export interface Cluster {
  readonly id: string;
  readonly label: string;
}

/** Fewer are no cluster. */
const FEWEST_TOGETHER = 2;

/**
 * By key, the cluster that a node is drawn in: the file that most of its symbols are in, else the entity that most of the
 * others are about, too. What is in the middle is what all of them have in common, and stands alone, as sessions do.
 */
export function clustersOf({ nodes, edges, roots }: GraphModel): ReadonlyMap<string, Cluster> {
  const neighbours = new Map<string, GraphNode[]>();
  for (const { from, to } of edges.values()) {
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      const node = nodes.get(other);
      if (node) neighbours.set(one, [...(neighbours.get(one) ?? []), node]);
    }
  }
  const around = (key: string): readonly GraphNode[] => neighbours.get(key) ?? [];
  const drawnFiles = new Set([...nodes.values()].flatMap((node) => (node.type === 'symbol' ? [fileOf(node)] : [])));
  const clusterOf = (node: GraphNode): Cluster | undefined => {
    if (roots.includes(node.key) || node.type === 'session') return undefined;
    if (node.type === 'symbol') return ofFile(fileOf(node));
    if (node.type === 'entity') {
      // `src/store.ts#open`, and the file itself.
      const [path = ''] = node.label.split('#', 1);
      return drawnFiles.has(path) ? ofFile(path) : ofEntity(node);
    }
    const files = around(node.key).flatMap((one) => (one.type === 'symbol' ? [fileOf(one)] : []));
    const [file] = [...files].sort((a, b) => times(files, b) - times(files, a) || a.localeCompare(b));
    if (file !== undefined) return ofFile(file);
    const [entity] = around(node.key)
      .filter(({ key, type }) => type === 'entity' && !roots.includes(key))
      .sort((a, b) => around(b.key).length - around(a.key).length || a.key.localeCompare(b.key));
    return entity && ofEntity(entity);
  };
  const found = [...nodes.values()].flatMap((node) => {
    const cluster = clusterOf(node);
    return cluster ? [[node.key, cluster] as const] : [];
  });
  const ids = found.map(([, { id }]) => id);
  return new Map(found.filter(([, { id }]) => times(ids, id) >= FEWEST_TOGETHER));
}

const ofFile = (path: string): Cluster => ({ id: `file:${path}`, label: path });
const ofEntity = ({ key, label }: GraphNode): Cluster => ({ id: `entity:${key}`, label });

function fileOf({ code, key }: GraphNode): string {
  return code?.file_path ?? key.slice(0, key.indexOf('#'));
}

function times(all: readonly string[], one: string): number {
  return all.filter((other) => other === one).length;
}
