/** Changes the files of shared memories, as tools ask: an edit like any other, to be committed. */
import { timestamp } from '../base/clock';
import { invalidInput, unavailable } from '../base/errors';
import { shownPath } from '../base/text';
import { acceptedTexts } from '../memory/code/accepted-texts';
import { hasCode } from '../memory/code/kept-code';
import { linkedSymbols } from '../memory/code/linked-symbols';
import { aboutEnough, type PutOnCode } from '../memory/code/put-on-code';
import { isSamePlace, type MatchedNames } from '../memory/code/touches';
import { requireOwnWord } from '../memory/foreign-turn';
import { CONFIRM_STEP, MAX_ENTITIES, REFUTE_FACTOR } from '../memory/limits';
import type { Memory } from '../memory/memory';
import { namespaceNumber } from '../memory/namespaces';
import { openMemory } from '../memory/open-memory';
import { arrivalOf } from '../memory/origins';
import { type Looked, meant, notWaiting } from '../memory/people/settle';
import { linksTo } from '../memory/similar/take-code';
import { type Located, locateMemory, newTexts, type Verified } from '../memory/verify';
import { addReasons } from '../shared/add-reasons';
import { editFields } from '../shared/edit-fields';
import { MAX_LINKS, readMemory } from '../shared/read-memory';
import { readFile } from '../shared/scan-folder';
import { FIELDS, type SharedMemory } from '../shared/shared-memory';
import { aboutLines, besideLines, linkLines, supersedesLines } from '../shared/write-memory';
import type { Project } from './open';
import { changeShared } from './shared-edits';

/** A file that was changed or removed. */
export interface Edited {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** It said so already: there is nothing to commit. */
  readonly unchanged?: true;
}

/** Where the file of a shared memory is. @throws SvcError unavailable where nobody has accepted the folder */
function requireFile({ shared, place, store }: Project, id: string): { readonly root: string; readonly path: string } {
  if (store.refuseWriting) throw store.refuseWriting;
  const path = shared.fileOf(id);
  if (shared.foreign || path === undefined || place.root === undefined) {
    throw unavailable(
      'The shared memories of this folder came with it, and nobody has accepted them',
      'A person can look at them and accept them with "svc-memory trust"',
    );
  }
  return { root: place.root, path };
}

/** Removes the file of a shared memory. @throws SvcError as `requireOwnWord`, and unavailable */
export async function forgetShared(project: Project, memory: Memory, id: string): Promise<Edited> {
  const { root, path } = requireFile(project, id);
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  await requireOwnWord(memory, [await openOrClosed(memory, ns, id)]);
  const before = textOf(root, path);
  const removal = { id, tool: 'memory_forget', action: 'forget', root, path, before, after: undefined } as const;
  await changeShared(project, memory, removal);
  return { path };
}

/**
 * Says in the file of the newer one that it takes the place of the older one, which is closed by that, and gives it its reasons.
 * @param looked the older one
 * @throws SvcError conflict for one that is closed; as `requireOwnWord`; unavailable
 */
export async function mergeShared(project: Project, memory: Memory, looked: Looked, newer: string): Promise<Edited> {
  const older = looked.node_id;
  const { root, path } = requireFile(project, older);
  const byName = await linksTo(memory, await locateMemory(memory, newer));
  const canLook = await hasCode(memory);
  return settlePair(project, memory, { older, newer, action: 'supersede' }, (text, said) => {
    const { supersedes, about, links } = said;
    const was = understood(root, path).memory;
    const names = [...new Set([...about, ...was.about])].slice(0, MAX_ENTITIES);
    const own = links.length > 0 ? links : byName;
    const more = looked.links.filter((link) => own.every((place) => !isSamePlace(place, link)));
    // Where the file has none, they follow from the names, as long as nobody here knows what these mean.
    const isLinked = links.length > 0 || canLook;
    // As in the store: a person's words are a person's to add to.
    const isTheirs = said.standing === 'confirmed' && arrivalOf(memory).standing !== 'confirmed';
    return editFields(isTheirs ? text : addReasons(text, was), {
      [FIELDS.supersedes]: supersedesLines([...new Set([...supersedes, older])]),
      // What the older one was about.
      ...(names.length > about.length ? { [FIELDS.about]: aboutLines(names) } : {}),
      ...(isLinked && more.length > 0 ? { [FIELDS.links]: linkLines([...own, ...more].slice(0, MAX_LINKS)) } : {}),
    });
  });
}

/**
 * Says in the file of the newer one that the other one is wanted, too.
 * @throws SvcError as `mergeShared`
 */
export function keepShared(project: Project, memory: Memory, older: string, newer: string): Promise<Edited> {
  return settlePair(project, memory, { older, newer, action: 'keep' }, (text, { beside }) =>
    editFields(text, { [FIELDS.beside]: besideLines([...new Set([...beside, older])]) }),
  );
}

async function settlePair(
  project: Project,
  memory: Memory,
  { older, newer, action }: { readonly older: string; readonly newer: string; readonly action: 'supersede' | 'keep' },
  edited: (text: string, said: SharedMemory) => string,
): Promise<Edited> {
  const { root, path } = requireFile(project, newer);
  if (older === newer) throw invalidInput('Both are the same memory', 'Give the ids of two memories');
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const one = await openMemory(memory.sql, ns, older, 'node_id');
  const other = await openMemory(memory.sql, ns, newer, 'other_id');
  // What is replaced is closed; of what is kept nothing changes but the file.
  await requireOwnWord(memory, [action === 'supersede' ? one : other]);
  const { text, memory: said } = understood(root, path);
  const after = edited(text, said);
  await changeShared(project, memory, { id: newer, tool: 'settle', action, older, root, path, before: text, after });
  return { path };
}

/** @throws SvcError unavailable for a file that is just being changed */
function understood(root: string, path: string): { readonly text: string; readonly memory: SharedMemory } {
  const text = textOf(root, path);
  const found = readMemory(text);
  if (!('memory' in found)) {
    throw unavailable(`${shownPath(path)} cannot be read just now`, 'Nothing was changed. Try again');
  }
  return { text, memory: found.memory };
}

/** @throws SvcError unavailable */
function textOf(root: string, path: string): string {
  const read = readFile(root, root, path);
  if (!('text' in read)) throw unavailable(read.unread, 'Nothing was changed. Try again');
  return read.text;
}

/**
 * Says in the file of a shared memory that it is about this code as well.
 * @param matched what the name stands for
 * @throws SvcError conflict for one that is closed, or is about as many things as it can be; as `requireOwnWord`; unavailable
 */
export async function putSharedOnCode(
  project: Project,
  memory: Memory,
  id: string,
  code: string,
  matched: MatchedNames,
): Promise<PutOnCode & Edited> {
  const { root, path } = requireFile(project, id);
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const { seq } = await openMemory(memory.sql, ns, id, 'node_id');
  await requireOwnWord(memory, [{ seq }]);
  const { text, memory: said } = understood(root, path);
  const isNew = !said.about.includes(code);
  if (isNew && said.about.length >= MAX_ENTITIES) throw aboutEnough(id);
  const links = linkedSymbols({ names: [code] }, matched).filter((symbol) =>
    said.links.every((place) => !isSamePlace(place, symbol)),
  );
  const linked = isNew || said.links.length > 0 ? links.length : 0;
  if (!isNew && linked === 0) return { node_id: id, linked, operation: null, path };
  const after = editFields(text, {
    [FIELDS.about]: aboutLines([...said.about, ...(isNew ? [code] : [])]),
    // Where the file has none, they follow from the names.
    ...(said.links.length > 0 && links.length > 0 ? { [FIELDS.links]: linkLines([...said.links, ...links]) } : {}),
  });
  await changeShared(project, memory, { id, tool: 'link', action: 'link', root, path, before: text, after });
  return { node_id: id, linked, operation: null, path };
}

async function openOrClosed({ sql }: Memory, ns: number, id: string): Promise<{ readonly seq: number }> {
  const row = await sql.get<{ seq: number }>('SELECT seq FROM mem_nodes WHERE id = $id AND +(seq >> 32) = $ns', {
    id,
    ns,
  });
  return row ?? { seq: 0 };
}

/**
 * Confirms or refutes in the file what `verify` would in the store.
 * @throws SvcError conflict for one that is closed; as `requireOwnWord`; unavailable
 */
export async function verifyShared(
  project: Project,
  memory: Memory,
  id: string,
  status: 'confirm' | 'refute',
  located: readonly Located[],
): Promise<Verified & Edited> {
  const { root, path } = requireFile(project, id);
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const { seq, confidence } = await openMemory(memory.sql, ns, id, 'node_id');
  await requireOwnWord(memory, [{ seq }]);
  const isConfirmed = status === 'confirm';
  const sure = isConfirmed ? Math.min(1, Number((confidence + CONFIRM_STEP).toFixed(9))) : confidence * REFUTE_FACTOR;
  const before = textOf(root, path);
  const accepted = newTexts(located);
  const after = editFields(before, {
    [FIELDS.confidence]: sure === 1 ? undefined : [`${FIELDS.confidence}: ${sure}`],
    ...(isConfirmed ? {} : { [FIELDS.until]: [`${FIELDS.until}: ${JSON.stringify(timestamp(memory.clock()))}`] }),
    // As in the store: an agent vouches for nothing.
    ...(isConfirmed && memory.holder().by === 'person' ? { [FIELDS.confirmed]: [`${FIELDS.confirmed}: true`] } : {}),
    ...(isConfirmed && accepted.length > 0 ? { [FIELDS.links]: linkLines(withTexts(located, accepted)) } : {}),
  });
  await changeShared(project, memory, { id, tool: 'memory_verify', action: status, root, path, before, after });
  const same = after === before ? { unchanged: true as const } : {};
  return { node_id: id, confidence: sure, status: isConfirmed ? 'confirmed' : 'refuted', path, ...same };
}

/**
 * Accepts in the file the code as it is now, as far as it was looked at, and says nothing of what the memory says.
 * @throws SvcError conflict for one that is closed, or whose code is accepted already; as `requireOwnWord`; unavailable
 */
export async function dismissShared(project: Project, memory: Memory, looked: Looked): Promise<Edited> {
  const { node_id: id, located } = looked;
  const { root, path } = requireFile(project, id);
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  await requireOwnWord(memory, [await openMemory(memory.sql, ns, id, 'node_id')]);
  const accepted = newTexts(meant(looked));
  if (accepted.length === 0) throw notWaiting(id);
  const before = textOf(root, path);
  const after = editFields(before, { [FIELDS.links]: linkLines(withTexts(located, accepted)) });
  await changeShared(project, memory, { id, tool: 'settle', action: 'dismiss', root, path, before, after });
  return { path };
}

function withTexts(located: readonly Located[], accepted: ReturnType<typeof newTexts>) {
  return located.map(({ key, link }) => {
    const [, ...before] = acceptedTexts(key);
    const texts = accepted.flatMap(([of, text]) => (of === link ? [text] : []));
    return { ...key, confirmed: [...new Set([...before, ...texts])].sort() };
  });
}
