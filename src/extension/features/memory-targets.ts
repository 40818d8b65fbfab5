/** Finds the memories that a command works on. */
import * as vscode from 'vscode';
import type { Editor } from '../editor';
import type { Place } from '../memories';
import { placeIn } from '../place';
import type { Row } from './side-bar/row';

/** A memory that a command is to work on; an entity or a session, where it is to be shown. */
export interface Target {
  readonly place: Place;
  readonly nodeId: string;
  /** For a near-duplicate: the memory that says the same. */
  readonly otherId?: string;
}

/**
 * What a command was called with: a row of a tree (with all that are selected, where it is one of them), the memory of
 * a hover, a CodeLens or a web page, or nothing.
 * @returns empty when it was called with nothing that it could work on
 */
export function targetsOf(editor: Editor, first: unknown, selected: unknown): Target[] {
  const rows = Array.isArray(selected) && selected.includes(first) ? selected : eachOf(first);
  const targets = rows.flatMap((each) => (isThing(each) ? [] : (targetOf(editor, each) ?? [])));
  // The same memory may be selected in two places of a tree.
  const seen = new Map(
    targets.map((target) => [`${target.place.folder} ${target.place.namespace} ${target.nodeId}`, target]),
  );
  return [...seen.values()];
}

/** A quick fix names several memories at once. */
function eachOf(value: unknown): readonly unknown[] {
  const { nodeIds } = (value ?? {}) as { readonly nodeIds?: unknown };
  return Array.isArray(nodeIds) ? nodeIds.map((nodeId: unknown) => Object.assign({}, value, { nodeId })) : [value];
}

/** The same for one memory, or for an entity or a session, which have pages as memories do. */
export function targetOf(editor: Editor, value: unknown): Target | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { subject } = value as Partial<Row>;
  if (subject) return subject.type === 'namespace' || subject.type === 'source' ? undefined : subject;
  const { folder, namespace, nodeId } = value as Record<string, unknown>;
  if (typeof folder !== 'string' || typeof nodeId !== 'string') return undefined;
  const uri = vscode.Uri.parse(folder);
  return { place: typeof namespace === 'string' ? { folder: uri, namespace } : placeIn(editor, uri), nodeId };
}

/** A row that stands for something else than a memory. */
function isThing(value: unknown): boolean {
  const { subject } = (value ?? {}) as Partial<Row>;
  return subject !== undefined && subject.type !== 'memory';
}

/** The editor hands in nothing where no row is selected, and for one that is being reloaded: asks for no other memory then. */
export function requireRow(given: readonly unknown[]): boolean {
  if (given.length === 0 || given[0] !== undefined) return true;
  vscode.window.showInformationMessage(vscode.l10n.t('Select a row first.'));
  return false;
}
