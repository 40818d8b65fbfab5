/** The view of the graph. */
import { live } from 'lit/directives/live.js';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { GraphNode, ListedEntity } from '../../protocol/explorer';
import type { App, ViewPart } from '../app';
import { debounced, latest } from '../connection';
import { aroundOf, type GraphModel, hiddenNeighbours, inOrder, modelOf, withNeighbourhood } from '../graph-model';
import { fill } from '../texts';
import type { GraphDrawing } from './graph-drawing';
import { graphNodeRow } from './graph-node-row';

const LIMIT = 60;
const SUGGESTED = 20;
const PAUSE_MS = 150;

/** What lies around an entity, a memory or a symbol: drawn, and as a list that says the same. */
export function graphView(app: App): ViewPart {
  const once = latest();
  const suggesting = latest();
  const afterTyping = debounced(PAUSE_MS);
  let model: GraphModel | undefined;
  /** What the model was asked for. */
  let around: string | undefined;
  let selected: string | undefined;
  let typed: string | undefined;
  let suggestions: readonly ListedEntity[] = [];
  let problem = '';
  let drawing: GraphDrawing | undefined;
  let place: HTMLElement | undefined;

  const show = (next: GraphModel | undefined): void => {
    model = next;
    if (model) drawing?.show(model, selected);
    app.redraw();
  };
  const load = (): void => {
    const { id } = app.state.place;
    if (id !== around) {
      around = id;
      typed = undefined;
      selected = undefined;
      model = undefined;
      problem = '';
    }
    suggest(typed ?? '');
    if (id === undefined) {
      app.redraw();
      return;
    }
    void once(async (isLatest) => {
      const opened = [...(model?.expanded ?? [])].flatMap((key) => model?.nodes.get(key) ?? []);
      const answer = await app.ask('graph', { around: id, hops: 2, limit: LIMIT });
      if (!isLatest()) return;
      if (!answer.ok || answer.value.roots.length === 0) {
        problem = answer.ok ? notFound(app, id, answer.value.nearest) : answer.message;
        return show(undefined);
      }
      problem = '';
      let next = modelOf(answer.value);
      // What was opened stays open when something changed.
      for (const node of opened) {
        if (next.expanded.has(node.key) || !next.nodes.has(node.key)) continue;
        const more = await app.ask('graph', { around: aroundOf(node), limit: LIMIT });
        if (more.ok) next = withNeighbourhood(next, node.key, more.value);
      }
      if (!isLatest()) return;
      show(next);
    });
  };
  const suggest = (letters: string): void =>
    void suggesting(async (isLatest) => {
      const answer = await app.ask('entities', { letters, limit: SUGGESTED });
      if (!isLatest()) return;
      suggestions = answer.ok ? answer.value : [];
      // They are all that is shown before anything is chosen.
      if (app.state.place.id === undefined) problem = answer.ok ? '' : answer.message;
      app.redraw();
    });
  const expand = async (node: GraphNode): Promise<void> => {
    select(node.key);
    const middle = around;
    if (!model || model.expanded.has(node.key)) return;
    const answer = await app.ask('graph', { around: aroundOf(node), limit: LIMIT });
    // Something else is drawn meanwhile, or it was clicked twice.
    if (!model || around !== middle || model.expanded.has(node.key)) return;
    if (!answer.ok) return app.announce(answer.message);
    const before = model.nodes.size;
    const next = withNeighbourhood(model, node.key, answer.value);
    show(next);
    app.announce(fill(app.texts.added, next.nodes.size - before, next.nodes.size));
  };
  const select = (key: string): void => {
    if (selected === key) return;
    selected = key;
    drawing?.select(key);
    app.redraw();
  };
  const open = (node: GraphNode): void => {
    if (node.type !== 'symbol') {
      app.go({ view: 'memory', id: node.key });
      return;
    }
    const { code } = node;
    if (code?.start_line == null || code.end_line === null) return;
    const { file_path, start_line, end_line } = code;
    app.send({ type: 'openCode', folder: app.state.folder, place: { file_path, start_line, end_line } });
  };
  const find = (text: string): void => {
    if (text.trim() !== '') app.go({ view: 'graph', id: text.trim() });
  };
  const mount = (element: Element | undefined): void => {
    if (element === place) return;
    drawing?.end();
    drawing = undefined;
    place = element instanceof HTMLElement ? element : undefined;
    if (place) void draw(place);
  };
  /** The library is loaded when a graph is drawn for the first time. */
  const draw = async (into: HTMLElement): Promise<void> => {
    const { startDrawing } = await import('./graph-drawing');
    if (place !== into || drawing) return;
    const nodeOf = (act: (node: GraphNode) => void) => (key: string) => {
      const node = model?.nodes.get(key);
      if (node) act(node);
    };
    drawing = startDrawing(into, { expand: nodeOf((node) => void expand(node)), open: nodeOf(open) });
    if (model) drawing.show(model, selected);
  };

  return {
    load,
    render: () => html`
      <h1 tabindex="-1">${app.texts.graph}</h1>
      ${search(app, typed ?? nameOf(model) ?? app.state.place.id ?? '', suggestions, {
        type: (text) => {
          typed = text;
          afterTyping(() => suggest(text));
        },
        find,
      })}
      ${problem === '' ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
      ${model ? shown(app, model, selected, { mount, select, expand: (node) => void expand(node), open }) : start(app, suggestions)}`,
  };
}

/** What stands in the middle, as people call it. */
function nameOf(model: GraphModel | undefined): string | undefined {
  const [root, another] = model?.roots ?? [];
  const node = root === undefined || another !== undefined ? undefined : model?.nodes.get(root);
  return node?.type === 'entity' ? node.label : undefined;
}

function notFound({ texts }: App, around: string, nearest: readonly string[]): string {
  return `${fill(texts.notInGraph, around)} ${nearest.length > 0 ? fill(texts.nearest, nearest.join(', ')) : ''}`;
}

interface SearchActions {
  type(text: string): void;
  find(text: string): void;
}

function search(
  app: App,
  text: string,
  suggestions: readonly ListedEntity[],
  { type, find }: SearchActions,
): TemplateResult {
  const { texts } = app;
  const field = (form: EventTarget | null): string =>
    (form as HTMLFormElement).querySelector<HTMLInputElement>('input')?.value ?? '';
  return html`<form class="controls" role="search" @submit=${(event: Event) => {
    event.preventDefault();
    find(field(event.currentTarget));
  }}>
    <label class="wide">${texts.around}
      <input type="search" id="around" list="entities" spellcheck="false" .value=${live(text)}
        @input=${({ target }: Event) => type((target as HTMLInputElement).value)}></label>
    <datalist id="entities">${suggestions.map(({ content }) => html`<option value=${content}></option>`)}</datalist>
    <button type="submit" class="primary">${texts.show}</button>
  </form>`;
}

/** Before anything is chosen: the entities that most is known about. */
function start(app: App, suggestions: readonly ListedEntity[]): unknown {
  if (app.state.place.id !== undefined || suggestions.length === 0) return nothing;
  return html`<section aria-labelledby="entities-title">
    <h2 id="entities-title">${app.texts.mostKnown}</h2>
    <ul class="references">
      ${suggestions.map(
        ({ id, content, degree }) => html`<li>
          <button class="link" data-node=${id} @click=${() => app.go({ view: 'graph', id })}>${content}</button>
          <span class="meta">${degree}</span></li>`,
      )}
    </ul>
  </section>`;
}

interface ShownActions {
  mount(element: Element | undefined): void;
  select(key: string): void;
  expand(node: GraphNode): void;
  open(node: GraphNode): void;
}

function shown(app: App, model: GraphModel, selected: string | undefined, actions: ShownActions): TemplateResult {
  const { texts } = app;
  return html`
    <div role="status" class="summary">
      ${fill(texts.graphSize, model.nodes.size, model.edges.size)}${model.truncated ? ` · ${texts.graphTruncated}` : nothing}
    </div>
    <p class="note">${texts.graphHint}</p>
    <div class="graph">
      <div class="graph-drawing" role="img" aria-label=${fill(texts.graphDrawing, model.nodes.size)} ${ref(actions.mount)}></div>
      <section class="graph-list" aria-labelledby="nodes-title">
        <h2 id="nodes-title">${texts.graphList}</h2>
        <ul class="rows">
          ${repeat(
            inOrder(model),
            ({ key }) => key,
            (node) =>
              graphNodeRow(app, node, {
                selected: node.key === selected,
                hidden: hiddenNeighbours(model, node),
                ...actions,
              }),
          )}
        </ul>
      </section>
    </div>`;
}
