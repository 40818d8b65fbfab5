/** The actions on the page of a memory. */
import { live } from 'lit/directives/live.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { isStructural } from '../../kinds/kinds';
import { stillRejected } from '../../kinds/still-rejected';
import type { Answer, NodePage } from '../../protocol/explorer';
import type { App } from '../app';
import type { Draft, Said } from '../state';
import { fill, isOfTeam, whyReadOnly } from '../texts';
import { agentText } from './agent-text';

export interface MemoryActions {
  render(node: NodePage): unknown;
  undo(operation: number): void;
  /** For a memory that stood in a file alone, which was removed. */
  restoring(id: string): TemplateResult;
}

/** What a person does with a memory. Everything here can be taken back. @param changed asks for the page again */
export function actionsOf(app: App, changed: () => void): MemoryActions {
  let busy = false;

  /** Only one action at a time: a second click is ignored. */
  const alone = async (work: () => Promise<void>): Promise<void> => {
    if (busy) return;
    busy = true;
    await work().finally(() => {
      busy = false;
    });
  };
  const act = <Value>(work: () => Promise<Answer<Value>>, done: string | ((value: Value) => string)): Promise<void> =>
    alone(async () => {
      const isThere = whose(app);
      const answer = await work();
      changed();
      if (!answer.ok) return app.announce(answer.message);
      const { operation } = answer;
      // Elsewhere the number means something else.
      const undoing = operation === null ? undefined : { operation, run: () => void undo(operation) };
      app.announce(typeof done === 'string' ? done : done(answer.value), isThere() ? undoing : undefined);
    });
  const restore = (id: string): void => {
    const { texts } = app;
    void act(
      () => app.ask('restore', { node_id: id }),
      ({ path, unshared }) => {
        if (unshared !== undefined) return texts.isRestoredAlone;
        return path === undefined ? texts.isRestored : texts.isRestoredInFile;
      },
    );
  };
  const undo = (operation: number, { shows = changed, isRead = false, isRedo = false } = {}): Promise<void> =>
    alone(async () => {
      const { texts } = app;
      const isThere = whose(app);
      const answer = await app.ask('undo', { operation, isRead });
      if (answer.ok) shows();
      else changed();
      if (!answer.ok) return app.announce(answer.message);
      const { operation: back } = answer;
      const name = isRedo ? texts.undo : texts.redo;
      const undoing =
        back === null ? undefined : { operation: back, run: () => void undo(back, { isRedo: !isRedo }), name };
      app.announce(isRedo ? texts.isRedone : texts.isUndone, isThere() ? undoing : undefined);
    });
  /** Goes to what was written in the place of a memory; its undoing leads back. */
  const goOn = (
    node: NodePage,
    isThere: () => boolean,
    id: string | undefined,
    operation: number | null,
    done: string,
  ) => {
    if (app.state.draft?.id === node.id) app.change({ draft: null });
    const here = isThere();
    if (here && id !== undefined) app.go({ view: 'memory', id });
    const back = (): void => app.go({ view: 'memory', id: node.id });
    const undoing = operation === null ? undefined : { operation, run: () => void undo(operation, { shows: back }) };
    app.announce(done, here ? undoing : undefined);
  };
  const verify = (node: NodePage, status: 'confirm' | 'refute', done: string): Promise<void> =>
    act(() => app.ask('memory_verify', { node_id: node.id, status }), done);
  const supersede = (drawn: NodePage, draft: Draft): Promise<void> =>
    alone(async () => {
      const isThere = whose(app);
      // The page may not have been drawn since somebody else changed it.
      const fresh = await app.ask('node', { id: drawn.id });
      if (!isThere()) return;
      if (!fresh.ok) return app.announce(fresh.message);
      const node = fresh.value;
      const { content, before } = draft;
      const said = saidIn(node);
      // Words that take its place are about what it said.
      if (before && JSON.stringify(before) !== JSON.stringify(said)) {
        write({ before: said, ...(content === before.content ? { content: said.content } : {}) });
        changed();
        return app.announce(app.texts.isChangedMeanwhile);
      }
      const rationale = draft.rationale ?? said.rationale;
      const rejected = rejectedIn(node, draft);
      const answer = await app.ask('memory_store', {
        content: content.trim(),
        kind: node.kind,
        entities: node.entities.map((entity) => entity.content),
        supersedes: node.id,
        ...(rationale.trim() === '' ? {} : { rationale }),
        ...(rejected.length === 0 ? {} : { alternatives_rejected: rejected }),
      });
      if (!answer.ok) return app.announce(answer.message);
      const { node_id, path } = answer.value;
      const done = path === undefined ? app.texts.isSuperseded : app.texts.isSupersededInFile;
      goOn(node, isThere, node_id, answer.operation, fill(done, node.id));
    });

  /** What a person decides about a proposal, as in Review. */
  const settle = (node: NodePage, action: 'keep' | 'drop', done: string): Promise<void> =>
    act(() => app.ask('settle', { action, node_id: node.id }), done);
  const rewrite = (node: NodePage, { content }: Draft): Promise<void> =>
    alone(async () => {
      const isThere = whose(app);
      const answer = await app.ask('settle', { action: 'edit', node_id: node.id, content: content.trim() });
      if (!answer.ok) return app.announce(answer.message);
      goOn(node, isThere, answer.value.stored, answer.operation, app.texts.isKept);
    });

  const openForm = (node: NodePage): void => {
    const { id, content } = node;
    app.change({ draft: { id, content, before: saidIn(node), rationale: null, rejected: null } });
    requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById('new-content')?.focus()));
  };
  const closeForm = (): void => {
    app.change({ draft: null });
    requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById('supersede')?.focus()));
  };
  const write = (change: Partial<Draft>): void => {
    const { draft } = app.state;
    if (draft) app.change({ draft: { ...draft, ...change } });
  };

  return {
    // Of the history, which was read from the store.
    undo: (operation) => void undo(operation, { isRead: true }),
    restoring(id) {
      const { texts } = app;
      const readOnly = whyReadOnly(texts, app.folder) !== '';
      return html`<div class="actions" role="group" aria-label=${texts.actions}>
        <button class="secondary" ?disabled=${readOnly} @click=${() => restore(id)}>${texts.restore}</button>
      </div>`;
    },
    render(node) {
      if (isOfTeam(node.id)) return teamActions(app, node);
      const { texts } = app;
      const readOnly = whyReadOnly(texts, app.folder);
      const memory = !isStructural(node.kind);
      const open = node.valid_until === null && node.tombstoned === 0;
      const own = app.state.draft?.id === node.id ? app.state.draft : undefined;
      // What somebody has typed stays where the memory was closed meanwhile.
      const draft = own && (open || isTyped(own)) ? own : undefined;
      const save = open ? (node.standing === 'proposed' ? rewrite : supersede) : undefined;
      const button = (name: string, onClick: () => void, id = ''): TemplateResult =>
        html`<button class="secondary" id=${id === '' ? nothing : id} ?disabled=${readOnly !== ''} @click=${onClick}>${name}</button>`;
      return html`<div class="actions" role="group" aria-label=${texts.actions}>
          ${
            memory && open && node.standing === 'proposed'
              ? html`${button(texts.keep, () => void settle(node, 'keep', texts.isKept))}
                ${button(texts.rewrite, () => openForm(node), 'supersede')}
                ${button(texts.drop, () => void settle(node, 'drop', texts.isDropped))}`
              : nothing
          }
          ${
            memory && open && node.standing !== 'proposed'
              ? html`${button(texts.confirm, () => void verify(node, 'confirm', texts.isConfirmed))}
                ${button(texts.refute, () => void verify(node, 'refute', texts.isRefuted))}
                ${button(texts.rewrite, () => openForm(node), 'supersede')}`
              : nothing
          }
          ${
            node.tombstoned === 1
              ? button(texts.restore, () => restore(node.id))
              : memory && !(open && node.standing === 'proposed')
                ? button(
                    texts.forget,
                    () => void act(() => app.ask('memory_forget', { node_id: node.id }), texts.isForgotten),
                  )
                : nothing
          }
          <button class="secondary" @click=${() => app.go({ view: 'graph', id: node.id })}>${texts.showInGraph}</button>
          ${node.kind === 'decision' ? agentText(app, 'memory_why', { decision_ref: node.id }) : nothing}
        </div>
        ${readOnly === '' ? nothing : html`<p class="note">${readOnly}</p>`}
        ${draft ? form(app, node, draft, { write, close: closeForm, save }) : nothing}`;
    },
  };
}

/** What can be done with a memory that is the team's: it is taken elsewhere, and changed at its server alone. */
function teamActions(app: App, { id, kind }: NodePage): TemplateResult {
  const { texts, state, send } = app;
  const { folder, namespace } = state;
  const take = (where: 'link' | 'chat', name: string): TemplateResult =>
    html`<button class="secondary" @click=${() => send({ type: 'take', where, folder, namespace, id })}>${name}</button>`;
  return html`<div class="actions" role="group" aria-label=${texts.actions}>
      ${take('link', texts.copyLink)} ${take('chat', texts.insertIntoChat)}
      ${kind === 'decision' ? agentText(app, 'memory_why', { decision_ref: id }) : nothing}
    </div>
    <p class="note">${texts.readOnlyTeam}</p>`;
}

/** Tells later whether the memory of the same folder and namespace is still shown. */
function whose(app: App): () => boolean {
  const { folder, namespace } = app.state;
  return () => app.state.folder === folder && app.state.namespace === namespace;
}

interface FormActions {
  write(change: Partial<Draft>): void;
  close(): void;
  /** Undefined for a memory whose place nothing can take any more. */
  readonly save: ((node: NodePage, draft: Draft) => Promise<void>) | undefined;
}

function form({ texts }: App, node: NodePage, draft: Draft, { write, close, save }: FormActions): TemplateResult {
  const rejected = rejectedIn(node, draft).map((one) =>
    one
      .split('\n')
      .map((line) => line.trim())
      .join(' '),
  );
  const isNew = save !== undefined && draft.content.trim() !== '' && isChanged(node, draft);
  return html`<form class="supersede" aria-label=${texts.rewrite}
    @submit=${(event: Event) => {
      event.preventDefault();
      void save?.(node, draft);
    }}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Escape') close();
      // Enter alone begins a line of the text.
      else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isNew) void save?.(node, draft);
    }}>
    ${save ? nothing : html`<p class="note" role="status">${texts.isClosedMeanwhile}</p>`}
    <label>${texts.newContent}
      <textarea id="new-content" rows="4" required .value=${live(draft.content)}
        @input=${({ target }: Event) => write({ content: (target as HTMLTextAreaElement).value })}></textarea></label>
    ${
      // What is rewritten keeps its reasons.
      node.standing === 'proposed'
        ? nothing
        : html`<label>${texts.newRationale}
      <input type="text" .value=${live(draft.rationale ?? node.rationale ?? '')}
        @input=${({ target }: Event) => write({ rationale: (target as HTMLInputElement).value })}></label>`
    }
    ${
      node.standing === 'proposed' || (node.kind !== 'decision' && node.alternatives_rejected.length === 0)
        ? nothing
        : html`<label>${texts.newRejected}
      <textarea id="new-rejected" rows="2" .value=${live(draft.rejected ?? rejected.join('\n'))}
        @input=${({ target }: Event) => write({ rejected: (target as HTMLTextAreaElement).value })}></textarea></label>`
    }
    <div class="actions">
      ${save ? html`<button type="submit" class="primary" ?disabled=${!isNew}>${texts.save}</button>` : nothing}
      <button type="button" class="secondary" @click=${close}>${texts.cancel}</button>
    </div>
  </form>`;
}

function isTyped({ content, before, rationale, rejected }: Draft): boolean {
  return content !== before?.content || rationale !== null || rejected !== null;
}

function saidIn({ content, rationale, alternatives_rejected: rejected }: NodePage): Said {
  return { content, rationale: rationale ?? '', rejected };
}

/** As typed, one a line; until somebody types, without what the new text chooses. */
function rejectedIn(node: NodePage, { content, rejected }: Draft): readonly string[] {
  if (rejected === null) return stillRejected(node.alternatives_rejected, { now: content, before: node.content });
  return rejected.split('\n').flatMap((line) => line.trim() || []);
}

function isChanged(node: NodePage, draft: Draft): boolean {
  if (draft.content.trim() !== node.content.trim()) return true;
  if (node.standing === 'proposed') return false;
  const isSame = JSON.stringify(rejectedIn(node, draft)) === JSON.stringify(node.alternatives_rejected);
  return !isSame || (draft.rationale ?? node.rationale ?? '').trim() !== (node.rationale ?? '').trim();
}
