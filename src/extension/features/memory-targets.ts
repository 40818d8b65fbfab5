import * as vscode from 'vscode';
import type { Editor } from '../editor';
import type { Place } from '../memories';
import type { Row, Subject } from './side-bar/row';

/** A memory that a command is to work on. */
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
  const rows = Array.isArray(selected) && selected.includes(first) ? selected : [first];
  const targets = rows.flatMap((each) => targetOf(editor, each) ?? []);
  // The same memory may be selected in two places of a tree.
  const seen = new Map(
    targets.map((target) => [`${target.place.folder} ${target.place.namespace} ${target.nodeId}`, target]),
  );
  return [...seen.values()];
}

function targetOf(editor: Editor, value: unknown): Target | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { subject } = value as Partial<Row>;
  if (subject) return isMemory(subject) ? subject : undefined;
  const { folder, namespace, nodeId } = value as Record<string, unknown>;
  if (typeof folder !== 'string' || typeof nodeId !== 'string') return undefined;
  const uri = vscode.Uri.parse(folder);
  const place = { folder: uri, namespace: typeof namespace === 'string' ? namespace : editor.namespaces.of(uri) };
  return { place, nodeId };
}

function isMemory({ type }: Subject): boolean {
  return type === 'memory';
}
