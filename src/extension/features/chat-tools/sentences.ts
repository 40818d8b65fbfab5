/** What the chat shows of a tool's call: what is asked, and what a person is asked to allow. */
import * as vscode from 'vscode';
import { MEMORY_KINDS } from '../../../kinds/kinds';
import { kindName } from '../../kinds';
import { inMarkdown, plainLine } from '../../stored-text';
import type { ChatTool } from './offered';

/** What a model calls a tool with, which may be anything. */
export type Given = Readonly<Record<string, unknown>>;

/** Of a text that a person is to allow, all that may be stored is shown, within reason. */
const MAX_SHOWN = 2_000;
const MAX_IN_TITLE = 80;

/** While the tool runs, and afterwards beside its result: text, whatever a model makes of it. */
export function progressOf(tool: ChatTool, given: Given): vscode.MarkdownString {
  return markdown([sentenceOf(tool, given)]);
}

function sentenceOf(tool: ChatTool, given: Given): string {
  const said = (name: string): string => plainLine(textOf(given[name]), MAX_IN_TITLE);
  switch (tool) {
    case 'memory_recall':
      return said('query') === 'project context'
        ? vscode.l10n.t('Reading what is remembered of this project')
        : vscode.l10n.t('Recalling “{0}”', said('query'));
    case 'memory_store':
      return vscode.l10n.t('Remembering “{0}”', said('content'));
    case 'memory_for_code':
      return given.line === undefined
        ? vscode.l10n.t('Looking up what is remembered about {0}', said('file_path'))
        : vscode.l10n.t('Looking up what is remembered about {0}, line {1}', said('file_path'), textOf(given.line));
    case 'memory_why':
      return vscode.l10n.t('Looking up why “{0}”', said('decision_ref'));
    case 'memory_verify':
      return given.status === 'refute'
        ? vscode.l10n.t('Closing a memory that proved wrong')
        : vscode.l10n.t('Marking a memory as still true');
    case 'memory_start_session':
      return vscode.l10n.t('Starting the session “{0}”', said('name'));
    case 'memory_end_session':
      return vscode.l10n.t('Ending the session');
  }
}

interface Known {
  readonly content: (id: string) => string | undefined;
  readonly waits: boolean;
}

/**
 * What a person is asked before something is written; undefined where nobody is.
 * @param known.content of the memories that the call names, by id
 * @param known.waits what is stored waits until a person keeps it
 */
export function questionOf(
  tool: ChatTool,
  given: Given,
  known: Known,
): vscode.LanguageModelToolConfirmationMessages | undefined {
  switch (tool) {
    case 'memory_store':
      return { title: storeTitle(given), message: storeMessage(given, known) };
    case 'memory_verify': {
      const id = textOf(given.node_id);
      return {
        title:
          given.status === 'refute'
            ? vscode.l10n.t('Close this memory, because it proved wrong?')
            : vscode.l10n.t('Mark this memory as still true?'),
        message: markdown([known.content(id) ?? id]),
      };
    }
    case 'memory_end_session':
      return {
        title: vscode.l10n.t('End the session, and remember this summary?'),
        message: markdown([textOf(given.summary)]),
      };
    default:
      return undefined;
  }
}

function storeTitle(given: Given): string {
  const known = MEMORY_KINDS.find((kind) => kind === given.kind);
  const named = known ? kindName(known) : inTitle(textOf(given.kind));
  const [first, ...others] = textsOf(given.entities).map(nameInTitle);
  if (first === undefined) return vscode.l10n.t('Remember this? ({0})', named);
  const on = others.length === 0 ? first : vscode.l10n.t('{0} and {1} more', first, others.length);
  return vscode.l10n.t('Remember this on {0}? ({1})', on, named);
}

/** `src/login.ts#login`, as people say it. */
function nameInTitle(name: string): string {
  const [, path, symbol] = /^([^#]+)#(.+)$/.exec(name) ?? [];
  return path === undefined || symbol === undefined
    ? inTitle(name)
    : vscode.l10n.t('{0} in {1}', inTitle(symbol), inTitle(path));
}

/** Looks like `_`, which the chat leaves out of a title: a name would be another one. */
const LOW_LINE = '\u02cd';

/** The chat reads Markdown, icons and names of tools in a title, and has no escape that is none elsewhere: they are left out. */
function inTitle(text: string): string {
  return plainLine(text.replaceAll('_', LOW_LINE).replace(/[^\p{L}\p{N}\s./:,'-]+/gu, ' '), MAX_IN_TITLE);
}

function storeMessage(given: Given, { content, waits }: Known): vscode.MarkdownString {
  const parts: [string, string][] = [
    [vscode.l10n.t('Rationale:'), textOf(given.rationale)],
    [vscode.l10n.t('Rejected:'), textsOf(given.alternatives_rejected).join(' · ')],
    [vscode.l10n.t('About:'), textsOf(given.entities).join(' · ')],
    [vscode.l10n.t('Supersedes:'), nameOf(given.supersedes, content)],
    [vscode.l10n.t('Namespace:'), textOf(given.namespace)],
  ];
  const tip = markdown([textOf(given.content)]);
  for (const [title, text] of parts) {
    if (text !== '') tip.appendMarkdown(`\n\n**${title}** ${inMarkdown(text, MAX_SHOWN)}`);
  }
  if (waits) tip.appendMarkdown(`\n\n${vscode.l10n.t('It then waits in Review until you keep it.')}`);
  return tip;
}

function nameOf(id: unknown, content: (id: string) => string | undefined): string {
  const text = textOf(id);
  return content(text) ?? text;
}

function markdown(paragraphs: readonly string[]): vscode.MarkdownString {
  return new vscode.MarkdownString(paragraphs.map((text) => inMarkdown(text, MAX_SHOWN)).join('\n\n'));
}

/** A model may give anything. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(textOf).filter((text) => text !== '');
}
