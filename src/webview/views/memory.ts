/** The view of a memory, an entity or a session. */
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { isStructural } from '../../kinds/kinds';
import type {
  Answer,
  ChronicleEntry,
  HistoryEvent,
  NodePage,
  NodeReference,
  TouchedCode,
  Unresolved,
} from '../../protocol/explorer';
import type { App, ViewPart } from '../app';
import { latest } from '../connection';
import { day, fill, isOfTeam, moment, originName, stateName, verdictName } from '../texts';
import { actionsOf, type MemoryActions } from './memory-actions';
import { fileOf } from './memory-file';
import { historyOf } from './memory-history';
import { kindMark, marksOf, memoryRow } from './memory-row';

const PAGE = 50;
/** What the tool gives out at once. */
const MAX_LISTED = 1_000;
/** More of a long text is shown when one asks for it: laying out a megabyte takes a while. */
const MAX_CONTENT = 20_000;

const NO_HISTORY: Answer<{ readonly events: readonly HistoryEvent[] }> = {
  ...{ ok: true, value: { events: [] }, operation: null },
};

interface Shown {
  readonly node: NodePage;
  readonly history: readonly HistoryEvent[];
  /** What is known about an entity, or was stored in a session; newest first. */
  readonly about: readonly ChronicleEntry[];
  readonly more: boolean;
}

/** The page of a memory, an entity or a session. */
export function memoryView(app: App): ViewPart {
  const once = latest();
  let shown: Shown | undefined;
  let problem = '';
  /** The memory whose file was removed, which nothing else tells of. */
  let removed: string | undefined;
  let whole = false;
  const actions = actionsOf(app, () => load());

  const load = (): void => {
    const { id } = app.state.place;
    if (id === undefined) return;
    if (shown?.node.id !== id) {
      shown = undefined;
      whole = false;
    }
    // Asked for again with as much as is shown already.
    const listed = Math.min(MAX_LISTED, Math.max(PAGE, shown?.about.length ?? 0));
    void once(async (isLatest) => {
      const read = async (asksGit: boolean): Promise<void> => {
        // What became of a memory of the team is known at its server.
        const [node, history] = await Promise.all([
          app.ask('node', { id, with_commit: asksGit }),
          isOfTeam(id) ? NO_HISTORY : app.ask('history', { id, with_commits: asksGit }),
        ]);
        const about =
          node.ok && node.value.kind === 'entity' ? await app.ask('chronicle', { about: id, limit: listed }) : null;
        if (!isLatest()) return;
        problem = [node, history, about].find((answer) => answer?.ok === false)?.message ?? '';
        removed = !node.ok && node.code === 'conflict' ? id : undefined;
        shown = node.ok
          ? {
              node: node.value,
              history: history.ok ? history.value.events : [],
              about: about?.ok ? about.value.entries : [],
              more: about?.ok ? about.value.more : false,
            }
          : undefined;
        dropWhatIsUndone();
        app.redraw();
      };
      // A page does not wait for Git before it shows anything.
      const isShown = shown !== undefined;
      await read(isShown);
      if (!isShown && isLatest() && shown?.node.file) await read(true);
    });
  };
  /** What is announced can be taken back in the side bar, too. */
  const dropWhatIsUndone = (): void => {
    const { undo } = app.announcement;
    const isUndone = shown?.history.some((event) => event.operation === undo?.operation && event.undone_by !== null);
    if (undo && isUndone) app.announce('');
  };
  const showMore = async (): Promise<void> => {
    const before = shown;
    if (!before) return;
    const input = { about: before.node.id, limit: PAGE, before: before.about.at(-1)?.id };
    const answer = await app.ask('chronicle', input);
    // Another page, or the same one asked for again.
    if (shown !== before) return;
    if (!answer.ok) return app.announce(answer.message);
    shown = { ...before, about: [...before.about, ...answer.value.entries], more: answer.value.more };
    app.redraw();
  };
  const showWhole = (): void => {
    whole = true;
    app.redraw();
  };

  return {
    load,
    // One template for all that may happen: the heading stays the same element, and keeps the focus.
    render: () => html`
      <div class="titled">
        <h1 tabindex="-1">${
          shown
            ? html`${kindMark(app.texts, shown.node.kind)} <span class="id">${shown.node.id}</span>`
            : app.texts.memory
        }</h1>
        ${shown ? html`${marksOf(app, shown.node.marks) ?? nothing} ${stateMark(app, shown.node)}` : nothing}
      </div>
      ${
        removed !== undefined
          ? html`<p>${problem}</p>${actions.restoring(removed)}`
          : problem === ''
            ? nothing
            : html`<p class="problem" role="alert">${problem}</p>`
      }
      ${shown ? article(app, shown, { whole, showWhole, showMore: () => void showMore(), actions }) : nothing}`,
  };
}

interface ArticleActions {
  readonly whole: boolean;
  showWhole(): void;
  showMore(): void;
  readonly actions: MemoryActions;
}

function article(app: App, shown: Shown, { whole, showWhole, showMore, actions }: ArticleActions): TemplateResult {
  const { texts } = app;
  const { node, history } = shown;
  return html`<article class="page">
    ${replacing(app, node)} ${isWaiting(node) ? nearly(app, node) : nothing}
    ${content(app, nameOf(node), whole, showWhole)} ${actions.render(node)} ${facts(app, node)}
    ${node.rationale ? part(texts.rationale, html`<p class="text">${node.rationale}</p>`) : nothing}
    ${
      node.alternatives_rejected.length > 0
        ? part(
            texts.rejected,
            html`<ul>${node.alternatives_rejected.map((each) => html`<li class="text">${each}</li>`)}</ul>`,
          )
        : nothing
    }
    ${chain(app, node)} ${node.entities.length > 0 ? part(texts.about, references(app, node.entities)) : nothing}
    ${isWaiting(node) ? nothing : nearly(app, node)}
    ${node.unresolved ? part(texts.unresolved, unresolvedNames(app, node.unresolved)) : nothing}
    ${node.aliases.length > 0 ? part(texts.aliases, html`<p class="text">${node.aliases.join(', ')}</p>`) : nothing}
    ${node.code.length > 0 ? part(texts.code, code(app, node.code)) : nothing}
    ${stored(app, shown, showMore)} ${provenance(app, node)} ${historyOf(app, history, actions.undo)}
  </article>`;
}

/** A session that nobody named is called by what it was about, as in the side bar. */
function nameOf({ kind, content, session }: NodePage): string {
  return (kind === 'session' ? session?.topic : null) ?? content;
}

/** Above the text: what is read as what holds otherwise does not any more, or would close something. */
function replacing(app: App, { replaces, superseded_by }: NodePage): unknown {
  const [said, others] =
    replaces.length > 0 ? [app.texts.wouldReplace, replaces] : [app.texts.supersededBy, superseded_by];
  return others.length === 0 ? nothing : html`<aside class="replaced"><p>${said}</p>${references(app, others)}</aside>`;
}

/** Of what waits above the text, too: it is decided with these in mind. */
function nearly(app: App, node: NodePage): unknown {
  if (!node.near) return nothing;
  const others = references(app, node.near);
  return isWaiting(node)
    ? html`<aside class="replaced"><p>${app.texts.near}</p>${others}</aside>`
    : part(app.texts.near, others);
}

function isWaiting({ standing }: NodePage): boolean {
  return standing === 'proposed';
}

function content({ texts }: App, text: string, whole: boolean, showWhole: () => void): TemplateResult {
  if (whole || text.length <= MAX_CONTENT) return html`<p class="text content">${text}</p>`;
  return html`<p class="text content">${text.slice(0, MAX_CONTENT)}…</p>
    <button class="secondary" @click=${showWhole}>${fill(texts.showWhole, text.length)}</button>`;
}

function stateMark({ texts }: App, node: NodePage): unknown {
  const state = stateName(texts, node);
  const doubt = (['gone', 'changed'] as const).find((one) => node.code.some(({ verdict }) => verdict === one));
  // Whether it can be believed stands where one looks first.
  return html`<span class="state">${state === '' ? texts.open : state}</span>
    ${state !== '' || doubt === undefined ? nothing : html`<span class="verdict verdict-${doubt}">${verdictName(texts, doubt)}</span>`}`;
}

function part(title: string, body: unknown): TemplateResult {
  return html`<section><h2>${title}</h2>${body}</section>`;
}

function facts({ texts }: App, node: NodePage): TemplateResult {
  return html`<dl class="facts">
    <dt>${texts.valid}</dt>
    <dd>${
      node.valid_until === null
        ? fill(texts.validSince, moment(node.valid_from))
        : fill(texts.validBetween, moment(node.valid_from), moment(node.valid_until))
    }</dd>
    ${
      isStructural(node.kind)
        ? nothing
        : html`<dt>${texts.confidence}</dt>
          <dd><meter min="0" max="1" .value=${node.confidence} aria-label=${texts.confidence}></meter>
            ${node.confidence.toFixed(2)}</dd>`
    }
    <dt>${texts.recorded}</dt><dd>${moment(node.recorded_at)}</dd>
    <dt>${texts.namespaceTitle}</dt><dd>${node.namespace}</dd>
  </dl>`;
}

/** From the oldest to the one that holds now; this one is marked. */
function chain(app: App, node: NodePage): unknown {
  const { texts } = app;
  if (node.chain.length < 2) return nothing;
  return part(
    texts.chain,
    html`<ol class="chain">
      ${node.chain.map((link) => {
        const dates = `${day(link.valid_from)} – ${link.valid_until === null ? texts.now : day(link.valid_until)}`;
        return link.id === node.id
          ? html`<li aria-current="true"><span class="text">${shortened(link.content)}</span> <span class="meta">${dates} · ${texts.thisOne}</span></li>`
          : html`<li><button class="link" @click=${() => app.go({ view: 'memory', id: link.id })}>${shortened(link.content)}</button>
              <span class="meta">${dates} · ${link.id}</span></li>`;
      })}
    </ol>`,
  );
}

const MAX_SHORT = 200;

function shortened(text: string): string {
  return text.length > MAX_SHORT ? `${text.slice(0, MAX_SHORT)}…` : text;
}

function references(app: App, nodes: readonly NodeReference[]): TemplateResult {
  return html`<ul class="references">
    ${nodes.map(({ id, content }) =>
      // An entity of the team has no page here.
      isOfTeam(id)
        ? html`<li class="text">${shortened(content)}</li>`
        : html`<li><button class="link" @click=${() => app.go({ view: 'memory', id })}>${shortened(content)}</button></li>`,
    )}
  </ul>`;
}

function code(app: App, touched: readonly TouchedCode[]): TemplateResult {
  const { texts } = app;
  return html`<ul class="code">
    ${touched.map(({ file_path, name, code_type, verdict, now }) => {
      const where = now ? `${now.file_path}:${now.start_line}` : file_path;
      return html`<li>
        ${
          now
            ? html`<button class="link" aria-label=${fill(texts.openCode, now.name, where)}
                @click=${() => app.send({ type: 'openCode', folder: app.state.folder, place: now })}>${now.name}</button>`
            : html`<span class="text">${name}</span>`
        }
        <span class="meta">${code_type === 'file' ? where : `${code_type} · ${where}`}</span>
        ${verdict === null ? nothing : html`<span class="verdict verdict-${verdict}">${verdictName(texts, verdict)}</span>`}
      </li>`;
    })}
  </ul>`;
}

function unresolvedNames({ texts }: App, names: readonly Unresolved[]): TemplateResult {
  return html`<ul class="references">
    ${names.map(
      ({ name, nearest }) =>
        html`<li class="text">${shortened(name)}
          ${nearest.length > 0 ? html`<span class="meta">${fill(texts.nearest, nearest.join(', '))}</span>` : nothing}</li>`,
    )}
  </ul>`;
}

function provenance(app: App, node: NodePage): unknown {
  const { texts } = app;
  const { session, origin, file } = node;
  if (!session && !origin && !file) return nothing;
  // A session goes on in other processes: the history of a memory says which of them stored it.
  const holder = session?.id === node.id ? session.holder : null;
  return part(
    texts.provenance,
    html`<dl class="facts">
      ${
        origin
          ? html`<dt>${texts.from}</dt><dd>${originName(texts, origin)} · ${texts.standingNames[node.standing]}</dd>
            ${origin.store === null ? nothing : html`<dt>${texts.fromStore}</dt><dd class="id">${origin.store}</dd>`}
            ${origin.hash === null ? nothing : html`<dt>${texts.fromHash}</dt><dd class="id">${origin.hash}</dd>`}`
          : nothing
      }
      ${file ? fileOf(app, file) : nothing}
      ${
        !session || session.id === node.id
          ? nothing
          : html`<dt>${texts.kindNames.session}</dt>
            <dd><button class="link" @click=${() => app.go({ view: 'memory', id: session.id })}>${shortened(session.topic ?? session.content)}</button>
              <span class="meta">${session.valid_until === null ? texts.open : texts.closed} · ${session.id}</span></dd>`
      }
      ${
        holder
          ? html`<dt>${texts.client}</dt><dd>${holder.client}</dd>
            <dt>${texts.holder}</dt><dd>${fill(texts.processOn, holder.pid, holder.host)}</dd>`
          : nothing
      }
    </dl>`,
  );
}

function stored(app: App, { node, about, more }: Shown, showMore: () => void): unknown {
  const { texts } = app;
  const entries = node.kind === 'session' ? node.nodes : about;
  if (entries.length === 0) return nothing;
  return part(
    node.kind === 'session' ? texts.storedInIt : texts.knownAboutIt,
    html`<ul class="rows">
        ${entries.map((entry) =>
          memoryRow(app, {
            id: entry.id,
            kind: entry.kind,
            content: shortened(entry.content),
            date: day(entry.valid_from),
            confidence: entry.confidence,
            marks: entry.marks,
            state: stateName(texts, entry),
          }),
        )}
      </ul>
      ${more ? html`<button class="secondary more" @click=${showMore}>${texts.showMore}</button>` : nothing}`,
  );
}
