/** Reads the settings and translations that the editor sends. */
import { MEMORY_KINDS, type MemoryKind } from '../../kinds/kinds';
import type { ServerSettings, Uri } from '../../protocol/requests';
import { DEFAULT_NAMESPACE } from '../project/in-namespace';

export interface FolderSettings {
  readonly namespace: string;
  readonly autoInit: boolean;
  readonly storePath: string | undefined;
  /** No person named it. */
  readonly storePathOfWorkspace: boolean;
}

/** What the editor set, with everything filled in. */
export interface Settings {
  readonly folder: (uri: Uri) => FolderSettings;
  readonly trusted: boolean;
  /** What becomes of what agents store; undefined where nothing is said of it. */
  readonly keep: string | undefined;
  readonly codeLens: boolean;
  /** Kinds that put a lens on their code; undefined for all. */
  readonly lensKinds: ReadonlySet<MemoryKind> | undefined;
  readonly hover: boolean;
  /** Kinds that a hover shows; undefined for all. */
  readonly hoverKinds: ReadonlySet<MemoryKind> | undefined;
  readonly diagnostics: boolean;
}

/** Reads what a client sent, which may be anything. What is missing or of the wrong type has its default. */
export function readSettings(sent: unknown): Settings {
  const given: { [Key in keyof ServerSettings]?: unknown } = isObject(sent) ? sent : {};
  const folders = new Map(
    isObject(given.folders) ? Object.entries(given.folders).map(([uri, folder]) => [uri, readFolder(folder)]) : [],
  );
  const lens = isObject(given.codeLens) ? given.codeLens : {};
  const hover = isObject(given.hover) ? given.hover : {};
  return {
    folder: (uri) => folders.get(uri) ?? readFolder(undefined),
    trusted: given.trusted !== false,
    keep: text(given.keep),
    codeLens: lens.enabled !== false,
    lensKinds: readKinds(lens.kinds),
    hover: hover.enabled !== false,
    hoverKinds: readKinds(hover.kinds),
    diagnostics: isObject(given.diagnostics) && given.diagnostics.enabled === true,
  };
}

/** The translations in what a client sent first, which may be anything: English texts with what they are called there. */
export function readTexts(sent: unknown): Record<string, string> {
  const texts = isObject(sent) && isObject(sent.texts) ? sent.texts : {};
  return Object.fromEntries(
    Object.entries(texts).flatMap(([english, text]) => (typeof text === 'string' ? [[english, text]] : [])),
  );
}

/** Whether what a client sent first, which may be anything, asks for this. */
export function asksFor(what: 'hoverLast' | 'ownLenses', sent: unknown): boolean {
  return isObject(sent) && sent[what] === true;
}

function readKinds(sent: unknown): ReadonlySet<MemoryKind> | undefined {
  return Array.isArray(sent) ? new Set(MEMORY_KINDS.filter((kind) => sent.includes(kind))) : undefined;
}

function readFolder(sent: unknown): FolderSettings {
  const given = isObject(sent) ? sent : {};
  return {
    namespace: text(given.namespace) ?? DEFAULT_NAMESPACE,
    autoInit: given.autoInit !== false,
    storePath: text(given.storePath),
    storePathOfWorkspace: given.storePathOfWorkspace === true,
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
