/** `svc-memory import --from`: docs/behaviour.md, "Bringing what is there". */
import { counted } from '../../base/counted';
import { unavailable } from '../../base/errors';
import { cut, oneLine } from '../../base/text';
import type { FoundSource } from '../../bring/find-sources';
import { HERE, SOURCES } from '../../bring/source-names';
import type { Came } from '../../memory/people/settle-proposals';
import type { MatchedSource } from '../../memory/transfer/match-drafts';
import type { Project } from '../../project/open';
import { callTool } from '../../tools/call-tool';
import { saysYes } from '../ask';
import type { Cli, ExitStatus, GlobalOptions } from '../cli';
import { statusOf } from '../exit-status';
import { showProgress } from '../progress';
import { refusal } from '../tool-command';
import { withProject } from '../with-project';

/** How many drafts of each source are shown. */
const SHOWN = 3;
const SHOWN_UNREAD = 5;
const WRONG_USAGE = 2;

export interface FromOptions extends GlobalOptions {
  readonly from: readonly string[];
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

/** A source, and what of it is new. */
interface Offer {
  readonly source: FoundSource;
  readonly matched: MatchedSource;
  /** How many of the nodes are left out for what looks like a secret. */
  readonly secrets: number;
}

export async function importFrom(cli: Cli, options: FromOptions): Promise<ExitStatus> {
  return withProject(cli, options, async (project) => {
    const { place } = project;
    if (place.kind === 'home') {
      throw unavailable(
        'There is no store in this project, and what it says does not belong into the home store',
        'Run "svc-memory init" in its folder first',
      );
    }
    const offers = await offersOf(cli, project, options, place.root ?? cli.around.cwd);
    const nodes = offers.reduce((sum, { matched }) => sum + matched.nodes.length, 0);
    if (!options.json) await preview(cli, offers);
    if (nodes === 0 || options.dryRun) {
      if (options.json) await cli.output.json({ sources: offers.map(summary), imported: 0 });
      else await cli.output.text(nodes === 0 ? nothing(offers) : `Nothing was written: --dry-run only looks.`);
      return offers.length === 0 ? 1 : 0;
    }
    if (!(await agreed(cli, options, nodes))) return options.yes || cli.ask ? 0 : WRONG_USAGE;
    return bring(cli, project, options, offers);
  });
}

async function offersOf(cli: Cli, project: Project, { from }: FromOptions, root: string): Promise<Offer[]> {
  const { findSources } = await import('../../bring/find-sources');
  const { READERS } = await import('../../bring/readers');
  const { matchDrafts } = await import('../../memory/transfer/match-drafts');
  const { refusedObjects } = await import('../../tools/refused-objects');
  const readers = from.includes(HERE) ? READERS : READERS.filter(({ name }) => from.includes(name));
  const around = { root, home: cli.around.home, git: cli.git, signal: cli.signal };
  const { output } = cli;
  const sources = await findSources(readers, around, (name) => output.transient(`Reading ${name}`));
  output.transient('');
  const matched = await matchDrafts(project.memory, sources);
  const offers: Offer[] = [];
  for (const [i, source] of sources.entries()) {
    const one = matched[i];
    if (!one) continue;
    const refused = await refusedObjects(one.nodes, cli.signal);
    const secret = new Set([...refused.keys()].flatMap((index) => one.nodes[index]?.id ?? []));
    // What refers to one that is left out stands without it.
    const nodes = one.nodes
      .filter(({ id }) => !secret.has(id))
      .map((node) => ({ ...node, supersedes: node.supersedes.filter((id) => !secret.has(id)) }));
    offers.push({ source, matched: { ...one, nodes }, secrets: secret.size });
  }
  return offers;
}

async function agreed({ ask, output }: Cli, { yes }: FromOptions, nodes: number): Promise<boolean> {
  if (yes) return true;
  if (ask) {
    const sure = await saysYes(ask, `Bring ${counted(nodes, 'memory')}, for a person to keep or drop? [y/N] `);
    if (!sure) output.note('Nothing was written.');
    return sure;
  }
  output.error('usage', 'there is no terminal to ask on. Nothing was written: add --yes to bring them.');
  return false;
}

async function bring(cli: Cli, project: Project, options: FromOptions, offers: readonly Offer[]): Promise<ExitStatus> {
  const { importOfSources } = await import('../../tools/memory-import');
  const { countCame } = await import('../../memory/people/settle-proposals');
  const { output, signal } = cli;
  const all = offers.flatMap(({ source, matched }) => matched.nodes.map((node) => ({ source, node })));
  const tool = importOfSources({ sourceOf: (index) => all[index]?.source ?? { name: '', hash: '' } });
  const progress = showProgress(output, 'Importing');
  const answer = await callTool(
    [tool],
    project,
    tool.name,
    { nodes: all.map(({ node }) => node) },
    // Each was looked at for secrets before it was shown.
    { progress: progress.step, signal, allowSecret: true },
  );
  progress.end();
  if (!answer.ok) {
    output.error(answer.code, refusal(answer, tool));
    return statusOf(answer.code);
  }
  // The tool's own result.
  const { imported, node_ids, errors } = answer.value as Readonly<{
    imported: number;
    node_ids: readonly string[];
    errors: readonly { readonly index: number; readonly message: string }[];
  }>;
  const came = await countCame(project.memory, node_ids);
  if (options.json) {
    await output.json({ sources: offers.map(summary), imported, ...came, errors, operation: answer.operation });
  } else {
    await output.text(broughtInWords(imported, came));
    for (const { index, message } of errors.slice(0, SHOWN_UNREAD)) {
      output.note(`${all[index]?.source.name ?? ''}: ${message}`);
    }
    if (came.waiting > 0) {
      output.note(
        'Keep or drop them: svc-memory review, or in the editor. All of a source: review keep --source <number>',
      );
    }
    if (answer.operation !== undefined) output.note(`Take all of it back: svc-memory undo ${answer.operation}`);
  }
  return errors.length === 0 ? 0 : 1;
}

/** What came closed waits for nobody. */
function broughtInWords(imported: number, { waiting, replaced, given_up }: Came): string {
  const brought = `Brought ${counted(imported, 'memory')}`;
  const wait = waiting === 1 ? 'waits until a person keeps it.' : 'wait until a person keeps them.';
  if (waiting === imported) return `${brought}, which ${wait}`;
  const told: readonly (readonly [count: number, one: string, more: string])[] = [
    [waiting, wait, wait],
    [
      replaced,
      'was replaced at its source, and is kept with what replaced it.',
      'were replaced at their source, and are kept with what replaced them.',
    ],
    [given_up, 'was given up at its source, and stays closed.', 'were given up at their source, and stay closed.'],
  ];
  const sentences = told.filter(([count]) => count > 0);
  return [`${brought}.`, ...sentences.map(([count, one, more]) => `${count} ${count === 1 ? one : more}`)].join(' ');
}

function summary({ source, matched, secrets }: Offer) {
  const { nodes, changed, known, unsaid, given_up } = matched;
  const { reader, name, hash, unread } = source;
  return {
    reader,
    source: name,
    hash,
    new: nodes.length - changed,
    changed,
    known,
    unsaid,
    given_up: given_up.map(({ id, content, waits }) => ({ id, content, waits })),
    secrets,
    unread,
    memories: nodes,
  };
}

function nothing(offers: readonly Offer[]): string {
  const givenUp = offers.flatMap(({ matched }) => matched.given_up);
  const kept = givenUp.find(({ waits }) => !waits);
  const waiting = givenUp.find(({ waits }) => waits);
  if (offers.length > 0) {
    return [
      'There is nothing new to bring.',
      ...(kept ? [`To close what was given up: svc-memory verify ${kept.id} refute`] : []),
      ...(waiting ? [`To drop what waits and was given up: svc-memory review drop ${waiting.id}`] : []),
    ].join(' ');
  }
  return `Nothing was found. Looked for ${SOURCES.map(({ name }) => name).join(', ')}.`;
}

async function preview({ output }: Cli, offers: readonly Offer[]): Promise<void> {
  const lines: string[] = [];
  for (const offer of offers) {
    lines.push(`## ${oneLine(offer.source.name)}`, countsOf(offer));
    for (const { kind, content } of offer.matched.nodes.slice(0, SHOWN)) {
      lines.push(cut(`- ${kind}: ${oneLine(content)}`, output.width));
    }
    const more = offer.matched.nodes.length - SHOWN;
    if (more > 0) lines.push(`  … and ${more} more`);
    for (const { id, content, waits } of offer.matched.given_up.slice(0, SHOWN)) {
      lines.push(cut(`- given up there, ${waits ? 'waits' : 'open'} here: ${id} ${oneLine(content)}`, output.width));
    }
    const { unread } = offer.source;
    for (const one of unread.slice(0, SHOWN_UNREAD)) lines.push(`  Not read: ${oneLine(one)}`);
    if (unread.length > SHOWN_UNREAD) lines.push(`  … and ${unread.length - SHOWN_UNREAD} more not read`);
    lines.push('');
  }
  if (lines.length > 0) await output.text(lines.join('\n'));
}

function countsOf({ matched: { nodes, changed, known, unsaid, given_up }, secrets }: Offer): string {
  const fresh = nodes.length - Math.min(changed, nodes.length);
  const counts = [
    ...(fresh > 0 ? [`${fresh} new`] : []),
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(known > 0 ? [`${known} known already`] : []),
    ...(unsaid > 0 ? [`${unsaid} not said any more (they stay)`] : []),
    ...(given_up.length > 0 ? [`${given_up.length} given up there since (they stay)`] : []),
    ...(secrets > 0 ? [`${secrets} left out, because ${secrets === 1 ? 'it looks' : 'they look'} like a secret`] : []),
  ];
  return counts.length === 0 ? 'nothing to bring' : counts.join(', ');
}
