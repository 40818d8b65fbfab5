/** The drawing of the graph. */
import cytoscape, { type Core, type ElementDefinition, type LayoutOptions, type StylesheetJson } from 'cytoscape';
import type { NodeKind } from '../../kinds/kinds';
import type { GraphNode } from '../../protocol/explorer';
import { clustersOf, edgeKey, type GraphModel } from '../graph-model';
import { isDoubtful } from '../texts';

export interface GraphDrawing {
  /** Puts what is new into the drawing and takes out what is gone; the rest stays where it is. */
  show(model: GraphModel, selected: string | undefined): void;
  select(key: string): void;
  end(): void;
}

interface DrawingActions {
  expand(key: string): void;
  open(key: string): void;
}

const MAX_LABEL = 28;
/** Of a cluster: a path needs more room. */
const MAX_CLUSTER_LABEL = 40;
/** On the screen, in pixels. What would be smaller is left out; the list has all of them. */
const FONT_SIZE = 11;
/** Short labels keep their size down to this zoom: further away they would cover each other. */
const FARTHEST_LABELS = 0.3;
/** A node that stands for something: clusters are only drawn around them. */
const NODE = 'node[!cluster]';
const MAX_ZOOM = 2;
/** A few nodes are not blown up to fill the drawing. */
const MAX_FITTED = 1.2;

/** The drawing of a graph. This file is loaded only when one is drawn: the library is larger than all the rest. */
export function startDrawing(container: HTMLElement, { expand, open }: DrawingActions): GraphDrawing {
  // Cytoscape adds a style element unless one with this id is there; the page's policy forbids it, and style.css has
  // what would be in it.
  document.querySelector('link[rel=stylesheet]')?.setAttribute('id', '__________cytoscape_stylesheet');
  const cy = cytoscape({
    container,
    style: stylesheet(),
    minZoom: 0.1,
    maxZoom: MAX_ZOOM,
    boxSelectionEnabled: false,
    selectionType: 'single',
  });
  cy.on('onetap', NODE, ({ target }) => expand(target.id()));
  cy.on('dbltap', NODE, ({ target }) => open(target.id()));
  cy.on('zoom', () => keepLabelsReadable(cy));
  cy.on('layoutstop', () => {
    if (cy.zoom() > MAX_FITTED) cy.zoom(MAX_FITTED);
    cy.center();
    keepLabelsReadable(cy);
  });
  const themes = new MutationObserver(() => cy.style(stylesheet()));
  themes.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  const sizes = new ResizeObserver(() => cy.resize());
  sizes.observe(container);
  return {
    show(model, selected) {
      const first = cy.nodes().empty();
      if (update(cy, model)) arrange(cy, first);
      if (selected !== undefined) select(cy, selected);
    },
    select: (key) => select(cy, key),
    end() {
      themes.disconnect();
      sizes.disconnect();
      cy.destroy();
    },
  };
}

/** @returns whether nodes came or went */
function update(cy: Core, model: GraphModel): boolean {
  const clusters = clustersOf(model);
  const wanted = new Set([
    ...model.nodes.keys(),
    ...model.edges.keys(),
    ...[...clusters.values()].map((cluster) => cluster.id),
  ]);
  const gone = cy.elements().filter((each) => !wanted.has(each.id()));
  let changed = gone.nonempty();
  cy.batch(() => {
    // What is in a cluster stays when the cluster goes.
    for (const each of gone) each.children().move({ parent: null });
    gone.remove();
    for (const { id, label } of clusters.values()) {
      if (cy.getElementById(id).empty()) cy.add({ group: 'nodes', data: { id, label: endOf(label), cluster: true } });
    }
    for (const node of model.nodes.values()) {
      const drawn = cy.getElementById(node.key);
      const classes = classesOf(node, model.roots.includes(node.key));
      const parent = clusters.get(node.key)?.id ?? null;
      if (drawn.nonempty()) {
        drawn.data('label', shortLabel(node.label));
        drawn.classes(classes);
        if ((drawn.data('parent') ?? null) !== parent) drawn.move({ parent });
        continue;
      }
      changed = true;
      cy.add({
        group: 'nodes',
        data: { id: node.key, label: shortLabel(node.label), ...(parent === null ? {} : { parent }) },
        classes,
        position: near(cy, model, node),
      });
    }
    for (const edge of model.edges.values()) {
      const id = edgeKey(edge);
      if (cy.getElementById(id).nonempty()) continue;
      const added: ElementDefinition = {
        group: 'edges',
        data: { id, source: edge.from, target: edge.to },
        classes: edge.type.toLowerCase(),
      };
      cy.add(added);
    }
  });
  return changed;
}

/** New nodes begin beside the neighbour that brought them in, so that nothing jumps across the drawing. */
function near(cy: Core, model: GraphModel, node: GraphNode): { x: number; y: number } {
  for (const { from, to } of model.edges.values()) {
    const other = from === node.key ? to : to === node.key ? from : undefined;
    const drawn = other === undefined ? undefined : cy.getElementById(other);
    if (!drawn?.nonempty()) continue;
    const { x, y } = drawn.position();
    const angle = cy.nodes().length * 2.4;
    return { x: x + 80 * Math.cos(angle), y: y + 80 * Math.sin(angle) };
  }
  return { x: 0, y: 0 };
}

function arrange(cy: Core, first: boolean): void {
  const calm = first || window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const options = {
    name: 'cose',
    animate: calm ? false : 'end',
    animationDuration: 250,
    randomize: false,
    fit: true,
    padding: 30,
    nodeRepulsion: () => 12_000,
    idealEdgeLength: () => 90,
    nodeDimensionsIncludeLabels: true,
  };
  // The declared type does not know 'end', which the documentation has.
  cy.layout(options as unknown as LayoutOptions).run();
}

/** Short labels keep their size on the screen, however far away the drawing is; those of memories are in the list as well. */
function keepLabelsReadable(cy: Core): void {
  const size = FONT_SIZE / Math.min(1, Math.max(cy.zoom(), FARTHEST_LABELS));
  cy.nodes('[?cluster], .root, .entity, .symbol, :selected').style('font-size', size);
}

function select(cy: Core, key: string): void {
  cy.nodes(':selected').unselect().removeStyle('font-size');
  cy.getElementById(key).select();
  keepLabelsReadable(cy);
}

function classesOf(node: GraphNode, isRoot: boolean): string[] {
  const closed = node.state !== null && (node.state.tombstoned === 1 || node.state.valid_until !== null);
  const doubtful = node.code !== null && isDoubtful(node.code.verdict);
  return [
    node.type === 'symbol' ? 'symbol' : node.kind,
    ...(isRoot ? ['root'] : []),
    ...(closed ? ['closed'] : []),
    ...(doubtful ? ['doubtful'] : []),
    ...(node.marks ? ['marked'] : []),
  ];
}

function shortLabel(label: string): string {
  const line = label.replace(/\s+/g, ' ');
  return line.length > MAX_LABEL ? `${line.slice(0, MAX_LABEL - 1)}…` : line;
}

/** Of a path the end tells most. */
function endOf(label: string): string {
  return label.length > MAX_CLUSTER_LABEL ? `…${label.slice(1 - MAX_CLUSTER_LABEL)}` : label;
}

/** Kinds have different shapes as well. */
const SHAPES: Readonly<Record<NodeKind | 'symbol', string>> = {
  fact: 'ellipse',
  decision: 'diamond',
  action: 'ellipse',
  outcome: 'hexagon',
  procedure: 'ellipse',
  preference: 'ellipse',
  entity: 'round-rectangle',
  session: 'barrel',
  symbol: 'rectangle',
};

/** The editor's colours at this moment. */
function stylesheet(): StylesheetJson {
  const style = getComputedStyle(document.body);
  const color = (name: string): string => style.getPropertyValue(name).trim() || style.color;
  const text = color('--vscode-editor-foreground');
  const back = color('--vscode-editor-background');
  const rules = [
    {
      selector: 'node',
      style: {
        label: 'data(label)',
        color: text,
        'font-size': FONT_SIZE,
        'min-zoomed-font-size': 8,
        'font-family': style.fontFamily,
        'text-valign': 'bottom',
        'text-margin-y': 4,
        'text-outline-color': back,
        'text-outline-width': 2,
        'text-wrap': 'wrap',
        'text-max-width': '110px',
        width: 20,
        height: 20,
        'border-width': 1,
        'border-color': text,
        'overlay-opacity': 0,
      },
    },
    ...Object.entries(SHAPES).map(([kind, shape]) => ({
      selector: `.${kind}`,
      style: { 'background-color': color(`--kind-${kind}`), shape },
    })),
    {
      selector: 'edge',
      style: {
        width: 1,
        'line-color': color('--edge'),
        'target-arrow-color': color('--edge'),
        'target-arrow-shape': 'triangle',
        'arrow-scale': 0.7,
        'curve-style': 'bezier',
        opacity: 0.6,
        'overlay-opacity': 0,
      },
    },
    {
      selector: 'node[?cluster]',
      style: {
        shape: 'round-rectangle',
        'background-color': text,
        'background-opacity': 0.05,
        'border-style': 'solid',
        'border-color': color('--edge'),
        'border-opacity': 0.4,
        color: color('--edge'),
        'text-valign': 'top',
        'text-margin-y': -2,
        'text-max-width': '400px',
        padding: '12px',
        events: 'no',
      },
    },
    { selector: 'edge.supersedes', style: { 'line-style': 'dashed', width: 2 } },
    { selector: 'edge.touches', style: { 'line-style': 'dotted' } },
    { selector: '.root', style: { width: 30, height: 30, 'font-weight': 'bold' } },
    { selector: '.closed', style: { 'background-opacity': 0.25, 'border-style': 'dashed' } },
    { selector: '.marked', style: { 'border-width': 3, 'border-style': 'dotted', 'border-color': color('--edge') } },
    { selector: '.doubtful', style: { 'border-width': 3, 'border-color': color('--doubt') } },
    { selector: 'node:selected', style: { 'border-width': 3, 'border-color': color('--vscode-focusBorder') } },
  ];
  // The declared type knows no rules that are put together; the library checks names and values itself.
  return rules as unknown as StylesheetJson;
}
