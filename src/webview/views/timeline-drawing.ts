/** The drawing of the timeline. */
import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from 'lit/html.js';
import { CHOICE_ORDER, type MemoryKind } from '../../kinds/kinds';
import type { ChronicleBucket, ChronicleEntry } from '../../protocol/explorer';
import type { App } from '../app';
import type { TimeRange } from '../state';
import { day, fill, stateName } from '../texts';
import { momentAt, moved, piles, position, stacked, ticks, zoomed } from '../time-axis';

const LABEL_WIDTH = 96;
const LANE = 40;
const AXIS = 26;
const MARK = 5;
const ROWS = 3;
const STRETCH_WIDTH = 8;
const KEY_MOVE = 0.15;
const KEY_ZOOM = 0.7;

/** Stretches of time that a drawing of this width counts in. */
export function stretches(width: number): number {
  return Math.max(10, Math.floor((width - LABEL_WIDTH) / STRETCH_WIDTH));
}

interface Drawn {
  readonly app: App;
  readonly width: number;
  /** What is on the screen. */
  readonly range: TimeRange;
  readonly look: (range: TimeRange | null) => void;
  /** Oldest first; undefined where they are too many to be drawn one by one. */
  readonly marks: readonly ChronicleEntry[] | undefined;
  /** What the buckets were counted for. */
  readonly counted: { readonly range: TimeRange; readonly stretches: number };
  readonly buckets: readonly ChronicleBucket[];
}

/**
 * One lane for each kind. Never more than a few hundred shapes, whatever the store holds: single memories where they are
 * few, else how many there are in each stretch of time. The list below it says the same in words.
 */
export function drawing(drawn: Drawn): TemplateResult {
  const { app, width, range, look } = drawn;
  const { texts, state } = app;
  const kinds = state.timeline.kinds.length === 0 ? CHOICE_ORDER : state.timeline.kinds;
  const inner = Math.max(50, width - LABEL_WIDTH);
  const height = kinds.length * LANE + AXIS;
  return html`<div class="drawing" role="group" tabindex="0" aria-label=${texts.drawingKeys}
      @keydown=${(event: KeyboardEvent) => onKey(event, range, look)}
      @wheel=${(event: WheelEvent) => onWheel(event, range, inner, look)}
      @pointerdown=${(event: PointerEvent) => onDrag(event, range, inner, look)}>
    <svg width=${width} height=${height} role="img" aria-label=${drawingSummary(drawn)}>
      ${kinds.map((kind, i) => lane(drawn, kind, i, inner))}
      <g transform="translate(${LABEL_WIDTH} 0)">
        ${drawn.marks ? successions(drawn.marks, kinds, range, inner) : nothing}
        ${ticks(range, inner, app.language).map(({ at, label }) => {
          const x = position(range, inner, at);
          return svg`<line class="tick" x1=${x} x2=${x} y1="0" y2=${height - AXIS + 4}></line>
            <text class="tick" x=${x} y=${height - 8} text-anchor=${x < 40 ? 'start' : x > inner - 40 ? 'end' : 'middle'}>${label}</text>`;
        })}
      </g>
    </svg>
  </div>
  <p class="note">${drawn.marks ? texts.marksKey : texts.barsKey}</p>`;
}

function drawingSummary({ app, range }: Drawn): string {
  return fill(app.texts.drawingOf, day(new Date(range.from).toISOString()), day(new Date(range.to).toISOString()));
}

function lane(drawn: Drawn, kind: MemoryKind, i: number, inner: number): SVGTemplateResult {
  const bottom = (i + 1) * LANE;
  return svg`<g class="lane kind-${kind}">
    <line class="base" x1="0" x2=${LABEL_WIDTH + inner} y1=${bottom} y2=${bottom}></line>
    <text class="lane" x="0" y=${bottom - LANE / 2 + 4}>${drawn.app.texts.kindNames[kind]}</text>
    <svg x=${LABEL_WIDTH} y=${bottom - LANE} width=${inner} height=${LANE}>
      ${drawn.marks ? marks(drawn, drawn.marks, kind, inner) : bars(drawn, kind, inner)}
    </svg>
  </g>`;
}

function marks({ app, range }: Drawn, entries: readonly ChronicleEntry[], kind: MemoryKind, inner: number): unknown {
  const own = entries.filter((entry) => entry.kind === kind);
  const xs = own.map((entry) => position(range, inner, Date.parse(entry.valid_from)));
  const rows = stacked(xs, MARK * 2 + 1, ROWS);
  const below = piles(xs, MARK * 2 + 1, ROWS, rows);
  return own.map((entry, i) => {
    const x = xs[i] ?? 0;
    const y = rowAt(rows[i] ?? 0);
    const state = stateName(app.texts, entry);
    const until = entry.valid_until === null ? undefined : position(range, inner, Date.parse(entry.valid_until));
    return svg`<g class="mark ${state === '' ? '' : 'closed'} ${entry.tombstoned ? 'forgotten' : ''}"
        @click=${() => app.go({ view: 'memory', id: entry.id })}>
      <title>${`${day(entry.valid_from)} ${state === '' ? '' : `(${state}) `}${entry.content}`}</title>
      ${until === undefined ? nothing : svg`<line class="valid" x1=${x} x2=${until} y1=${y} y2=${y}></line>`}
      <circle cx=${x} cy=${y} r=${MARK}></circle>
      ${below[i] ? svg`<text class="pile" x=${x + MARK + 3} y=${y + 4}>+${below[i]}</text>` : nothing}
      ${state === '' ? nothing : svg`<line class="cross" x1=${x - MARK} x2=${x + MARK} y1=${y + MARK} y2=${y - MARK}></line>`}
    </g>`;
  });
}

function rowAt(row: number): number {
  return LANE - MARK - 3 - row * (MARK * 2 + 1);
}

/** From what was superseded to what superseded it, where both are drawn. */
function successions(
  entries: readonly ChronicleEntry[],
  kinds: readonly MemoryKind[],
  range: TimeRange,
  inner: number,
): unknown {
  const places = new Map(
    entries.map((entry) => [
      entry.id,
      { x: position(range, inner, Date.parse(entry.valid_from)), y: (kinds.indexOf(entry.kind) + 0.5) * LANE },
    ]),
  );
  return entries.map((entry) => {
    const from = places.get(entry.id);
    const to = entry.superseded_by === null ? undefined : places.get(entry.superseded_by);
    if (!from || !to) return nothing;
    const top = Math.min(from.y, to.y) - LANE * 0.4;
    return svg`<path class="succession" d="M ${from.x} ${from.y} C ${from.x} ${top}, ${to.x} ${top}, ${to.x} ${to.y}"></path>`;
  });
}

function bars({ app, range, counted, buckets, look }: Drawn, kind: MemoryKind, inner: number): unknown {
  const own = buckets.filter((bucket) => bucket.kind === kind);
  // One scale for all lanes: heights can be compared.
  const most = Math.max(1, ...buckets.map(({ count }) => count));
  const length = (counted.range.to - counted.range.from) / counted.stretches;
  return own.map(({ index, count, closed }) => {
    const from = counted.range.from + index * length;
    const x = position(range, inner, from);
    const wide = Math.max(1, position(range, inner, from + length) - x - 1);
    const tall = barHeight(count, most);
    const dead = (tall * closed) / count;
    return svg`<g class="bar" @click=${() => look({ from: from - length, to: from + 2 * length })}>
      <title>${fill(app.texts.barTitle, day(new Date(from).toISOString()), count, closed)}</title>
      <rect class="hit" x=${x} y="0" width=${wide} height=${LANE}></rect>
      <rect class="open" x=${x} y=${LANE - tall} width=${wide} height=${tall - dead}></rect>
      <rect class="closed" x=${x} y=${LANE - dead} width=${wide} height=${dead}></rect>
    </g>`;
  });
}

/** By the square root: a few beside many are still seen. */
function barHeight(count: number, most: number): number {
  return Math.max(2, Math.sqrt(count / most) * (LANE - 4));
}

function onKey(event: KeyboardEvent, range: TimeRange, look: Drawn['look']): void {
  const next: Readonly<Record<string, () => TimeRange | null>> = {
    ArrowLeft: () => moved(range, -KEY_MOVE),
    ArrowRight: () => moved(range, KEY_MOVE),
    '+': () => zoomed(range, KEY_ZOOM),
    '=': () => zoomed(range, KEY_ZOOM),
    '-': () => zoomed(range, 1 / KEY_ZOOM),
    Home: () => null,
  };
  const act = next[event.key];
  if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  look(act());
}

/** The wheel scrolls the page, as everywhere; with Ctrl it zooms, sideways it moves. */
function onWheel(event: WheelEvent, range: TimeRange, inner: number, look: Drawn['look']): void {
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    look(zoomed(range, 1.0015 ** event.deltaY, momentAt(range, inner, pointerAt(event))));
  } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    event.preventDefault();
    look(moved(range, event.deltaX / inner));
  }
}

function onDrag(event: PointerEvent, range: TimeRange, inner: number, look: Drawn['look']): void {
  if (event.button !== 0) return;
  const element = event.currentTarget as HTMLElement;
  const start = event.clientX;
  const onMove = (move: PointerEvent): void => {
    const by = move.clientX - start;
    if (Math.abs(by) > 3) {
      element.setPointerCapture(event.pointerId);
      look(moved(range, -by / inner));
    }
  };
  const onEnd = (): void => {
    element.removeEventListener('pointermove', onMove);
    element.removeEventListener('pointerup', onEnd);
    element.removeEventListener('pointercancel', onEnd);
  };
  element.addEventListener('pointermove', onMove);
  element.addEventListener('pointerup', onEnd);
  element.addEventListener('pointercancel', onEnd);
}

function pointerAt(event: WheelEvent): number {
  return event.clientX - (event.currentTarget as HTMLElement).getBoundingClientRect().left - LABEL_WIDTH;
}
