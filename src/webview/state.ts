/** The state of the explorer that survives a reload. */
import { CHOICE_ORDER, type MemoryKind } from '../kinds/kinds';
import type { Place, View } from '../protocol/explorer';

/** What a person looked for and is writing, kept over reloads and while the tab is hidden. */
export interface ExplorerState {
  readonly version: typeof VERSION;
  /** The folder whose memory is shown; empty for the first one. */
  readonly folder: string;
  /** The namespace that is shown; empty for the one that the editor is in. */
  readonly namespace: string;
  readonly place: Place;
  readonly back: readonly Place[];
  readonly forward: readonly Place[];
  readonly search: SearchState;
  readonly timeline: TimelineState;
  readonly draft: Draft | null;
}

/** The text that is to supersede a memory, while it is written. */
export interface Draft {
  /** Of the memory. */
  readonly id: string;
  readonly content: string;
  /** What the memory said when the form was opened; null where an older version of the extension kept the draft. */
  readonly before: Said | null;
  /** Null until somebody types there, as the memory has it. */
  readonly rationale: string | null;
  /** The same of what was rejected, one per line. */
  readonly rejected: string | null;
}

/** What the form has of a memory. */
export interface Said {
  readonly content: string;
  readonly rationale: string;
  readonly rejected: readonly string[];
}

export interface SearchState {
  readonly query: string;
  readonly budget: number;
  readonly hops: number;
  /** Empty for all. */
  readonly kinds: readonly MemoryKind[];
  /** A date as YYYY-MM-DD; empty for now. */
  readonly asOf: string;
  readonly minConfidence: number;
}

export interface TimelineState {
  readonly topic: string;
  readonly kinds: readonly MemoryKind[];
  /** The stretch of time that is shown, in milliseconds since the epoch; null for all. */
  readonly range: TimeRange | null;
}

export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

const VERSION = 1;
const VIEWS: readonly View[] = ['search', 'timeline', 'graph', 'audit', 'memory'];
/** The way back keeps at most this many places. */
const MAX_TRAIL = 50;
export const MIN_BUDGET = 50;
export const MAX_BUDGET = 100_000;
export const DEFAULT_BUDGET = 500;
const MAX_HOPS = 2;

export const INITIAL_STATE: ExplorerState = {
  version: VERSION,
  folder: '',
  namespace: '',
  place: { view: 'search' },
  back: [],
  forward: [],
  // What an agent asks at the start of a conversation.
  search: { query: 'project context', budget: DEFAULT_BUDGET, hops: 1, kinds: [], asOf: '', minConfidence: 0 },
  timeline: { topic: '', kinds: [], range: null },
  draft: null,
};

/** Goes somewhere; the way back is kept. */
export function go(state: ExplorerState, place: Place): ExplorerState {
  if (samePlace(state.place, place)) return state;
  return { ...state, place, back: [...state.back, state.place].slice(-MAX_TRAIL), forward: [] };
}

export function goBack(state: ExplorerState): ExplorerState {
  const place = state.back.at(-1);
  if (!place) return state;
  return { ...state, place, back: state.back.slice(0, -1), forward: [state.place, ...state.forward] };
}

export function goForward(state: ExplorerState): ExplorerState {
  const [place, ...forward] = state.forward;
  if (!place) return state;
  return { ...state, place, back: [...state.back, state.place], forward };
}

/** In another folder or namespace ids mean nothing: whatever names one is left. */
export function changeWhose(state: ExplorerState, folder: string, namespace: string): ExplorerState {
  if (state.folder === folder && state.namespace === namespace) return state;
  const view = state.place.view === 'memory' ? 'search' : state.place.view;
  const timeline = { ...state.timeline, range: null };
  return { ...state, folder, namespace, place: { view }, back: [], forward: [], timeline, draft: null };
}

export function samePlace(one: Place, other: Place): boolean {
  return one.view === other.view && one.id === other.id;
}

/** The budget that was typed, within what the tool takes. */
export function usableBudget(typed: number): number {
  return Number.isFinite(typed) ? Math.min(MAX_BUDGET, Math.max(MIN_BUDGET, Math.round(typed))) : DEFAULT_BUDGET;
}

export function usableConfidence(typed: number): number {
  return Number.isFinite(typed) ? Math.min(1, Math.max(0, typed)) : 0;
}

/** With the kind in it, or without it when it was there. All of them is the same as none: no filter. */
export function toggleKind(kinds: readonly MemoryKind[], kind: MemoryKind): readonly MemoryKind[] {
  const next = CHOICE_ORDER.filter((each) => (each === kind) !== kinds.includes(each));
  return next.length === CHOICE_ORDER.length ? [] : next;
}

/** What was kept by this or by an older version of the extension; what is not understood is as at the first start. */
export function restored(kept: unknown): ExplorerState {
  if (!isObject(kept) || kept.version !== VERSION) return INITIAL_STATE;
  const { search, timeline } = kept;
  return {
    version: VERSION,
    folder: text(kept.folder, ''),
    namespace: text(kept.namespace, ''),
    place: placeOf(kept.place) ?? INITIAL_STATE.place,
    back: places(kept.back),
    forward: places(kept.forward),
    search: isObject(search)
      ? {
          query: text(search.query, INITIAL_STATE.search.query),
          budget: usableBudget(number(search.budget, DEFAULT_BUDGET)),
          hops: Math.min(MAX_HOPS, Math.max(0, Math.round(number(search.hops, 1)))),
          kinds: kindsOf(search.kinds),
          asOf: /^\d{4}-\d{2}-\d{2}$/.test(text(search.asOf, '')) ? text(search.asOf, '') : '',
          minConfidence: usableConfidence(number(search.minConfidence, 0)),
        }
      : INITIAL_STATE.search,
    timeline: isObject(timeline)
      ? { topic: text(timeline.topic, ''), kinds: kindsOf(timeline.kinds), range: rangeOf(timeline.range) }
      : INITIAL_STATE.timeline,
    draft: draftOf(kept.draft),
  };
}

function draftOf(value: unknown): Draft | null {
  if (!isObject(value) || typeof value.id !== 'string') return null;
  const typed = (field: unknown): string | null => (typeof field === 'string' ? field : null);
  const { id, content, before } = value;
  const [rationale, rejected] = [typed(value.rationale), typed(value.rejected)];
  return { id, content: text(content, ''), before: saidOf(before), rationale, rejected };
}

function saidOf(value: unknown): Said | null {
  if (!isObject(value) || typeof value.content !== 'string' || !Array.isArray(value.rejected)) return null;
  const rejected = value.rejected.filter((one) => typeof one === 'string');
  return { content: value.content, rationale: text(value.rationale, ''), rejected };
}

function places(value: unknown): Place[] {
  return Array.isArray(value) ? value.flatMap((each) => placeOf(each) ?? []).slice(-MAX_TRAIL) : [];
}

function placeOf(value: unknown): Place | undefined {
  if (!isObject(value)) return undefined;
  const view = VIEWS.find((each) => each === value.view);
  if (view === undefined) return undefined;
  if (typeof value.id === 'string' && value.id !== '') return { view, id: value.id };
  return view === 'memory' ? undefined : { view };
}

function rangeOf(value: unknown): TimeRange | null {
  if (!isObject(value)) return null;
  const [from, to] = [number(value.from, Number.NaN), number(value.to, Number.NaN)];
  return from < to ? { from, to } : null;
}

function kindsOf(value: unknown): MemoryKind[] {
  return Array.isArray(value) ? CHOICE_ORDER.filter((kind) => value.includes(kind)) : [];
}

function text(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function number(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
