/** Tells other agents of this machine and folder of the memory: "Share Memory with Other Agents…". */
import * as vscode from 'vscode';
import { isNamedByVariable } from '../../../store-place/store-place';
import { failureOf, runProgram } from '../../programs';
import { withoutLinks } from '../../stored-text';
import type { Answers } from './answers';
import type { Doing, PaletteCommand } from './command';
import { memoryFolder } from './memory-folder';
import { withProgress } from './progress';

/** As `svc-memory setup --json` tells of one agent. */
interface AgentPlan {
  readonly id: string;
  readonly name: string;
  /** By what it is known to be here; null where it is not. */
  readonly found: string | null;
  readonly outcome: 'planned' | 'written' | 'nothing to do' | 'failed';
  readonly files: readonly { readonly path: string; readonly shown: string; readonly lines: readonly string[] }[];
  readonly notes: readonly string[];
  readonly problem: string | null;
}

interface AgentItem extends vscode.QuickPickItem {
  readonly plan?: AgentPlan;
}

/** Two fences in a row would end the block that the lines of a file stand in. */
const FENCE = '~~~~~~~~';

/** One command for servers, hooks and the block in AGENTS.md: what is written is shown before, and can be taken out. */
export function shareCommand(answers: Answers): PaletteCommand {
  return {
    command: 'agentMemory.share',
    writes: 'files',
    run: async (doing) => {
      const removable = (await plansOf(doing, ['--remove'])).filter(hasChanges);
      const wanted = removable.length === 0 ? 'tell' : await whatIsWanted(removable);
      if (wanted === 'tell') await share(doing, answers);
      if (wanted === 'take out') await remove(doing, answers, removable);
    },
  };
}

/** Asked where some are told already. */
async function whatIsWanted(removable: readonly AgentPlan[]): Promise<'tell' | 'take out' | undefined> {
  const tell = { label: vscode.l10n.t('Tell Agents of the Memory') };
  const takeOut = { label: vscode.l10n.t('Take It Out Again'), description: namesOf(removable) };
  const chosen = await vscode.window.showQuickPick([tell, takeOut], { title: TITLE() });
  return chosen && (chosen === tell ? 'tell' : 'take out');
}

const TITLE = (): string => vscode.l10n.t('Share Memory with Other Agents');

async function share(doing: Doing, answers: Answers): Promise<void> {
  const plans = await plansOf(doing, ['all']);
  const chosen = await vscode.window.showQuickPick(itemsOf(plans), {
    title: TITLE(),
    placeHolder: vscode.l10n.t('Agents to tell of the memory. What is written is shown first.'),
    canPickMany: true,
    matchOnDescription: true,
  });
  const picked = (chosen ?? []).flatMap(({ plan }) => plan ?? []);
  if (picked.length === 0) return;
  // Alone: what one of them writes may be all that another one needs.
  const wanted = await plansOf(
    doing,
    picked.map(({ id }) => id),
  );
  const changing = wanted.filter(hasChanges);
  if (changing.length === 0) {
    const problems = wanted.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: ${problem}`]));
    const nothing = vscode.l10n.t('Everything is already there. Nothing was changed.');
    return say([...problems, ...(problems.length === 0 ? [nothing] : [])].join(' '));
  }
  await answers.show(vscode.l10n.t('What would be written'), pageOf(wanted));
  if (!(await agreed(vscode.l10n.t('Write this for {0}?', namesOf(changing)), vscode.l10n.t('Write')))) return;
  const ids = changing.map(({ id }) => id);
  const written = await plansOf(doing, [...ids, '--yes'], vscode.l10n.t('Telling agents of the memory'));
  await tell(doing, written);
}

async function remove(doing: Doing, answers: Answers, removable: readonly AgentPlan[]): Promise<void> {
  await answers.show(vscode.l10n.t('What would be taken out'), pageOf(removable));
  const question = vscode.l10n.t('Take this out for {0}?', namesOf(removable));
  if (!(await agreed(question, vscode.l10n.t('Take Out')))) return;
  const removed = await plansOf(doing, ['--remove', '--yes'], vscode.l10n.t('Taking out what tells agents'));
  const done = removed.filter(({ outcome }) => outcome === 'written');
  say([vscode.l10n.t('Removed from: {0}', filesOf(done)), ...problemsOf(removed)].join(' '));
}

/** Asks as long as somebody reads what it is about: a notification would go by itself. Enter alone changes nothing. */
async function agreed(question: string, answer: string): Promise<boolean> {
  const chosen = await vscode.window.showQuickPick([vscode.l10n.t('Change Nothing'), answer], {
    title: question,
    placeHolder: vscode.l10n.t('The page below shows each line'),
    ignoreFocusOut: true,
  });
  return chosen === answer;
}

async function tell(doing: Doing, written: readonly AgentPlan[]): Promise<void> {
  const done = written.filter(({ outcome }) => outcome === 'written');
  const sentences = [
    ...(done.length > 0 ? [vscode.l10n.t('Written: {0}. Start these agents again.', filesOf(done))] : []),
    ...problemsOf(written),
    // They look for the store where any client's servers would.
    ...(isNamedByVariable(memoryFolder(doing.place).store)
      ? [vscode.l10n.t('These programs ignore the setting "storePath": set SVC_MEMORY_DB for them, too.')]
      : []),
  ];
  const [first] = done.flatMap(({ files }) => files);
  const open = vscode.l10n.t('Open');
  const chosen = await vscode.window.showInformationMessage(
    withoutLinks(sentences.join(' '), MOST_SHOWN),
    ...(first ? [open] : []),
  );
  if (first && chosen === open) await vscode.window.showTextDocument(vscode.Uri.file(first.path));
}

const MOST_SHOWN = 600;

function say(text: string): void {
  vscode.window.showInformationMessage(withoutLinks(text, MOST_SHOWN));
}

function itemsOf(plans: readonly AgentPlan[]): AgentItem[] {
  const item = (plan: AgentPlan): AgentItem => ({
    plan,
    label: plan.name,
    description: plan.problem ?? (hasChanges(plan) ? (plan.found ?? '') : vscode.l10n.t('is told of it already')),
    picked: plan.found !== null && hasChanges(plan),
  });
  const found = plans.filter((plan) => plan.found !== null);
  const others = plans.filter((plan) => plan.found === null);
  const separator = (label: string): AgentItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  return [
    ...(found.length > 0 ? [separator(vscode.l10n.t('found here')), ...found.map(item)] : []),
    ...(others.length > 0 ? [separator(vscode.l10n.t('not found here')), ...others.map(item)] : []),
  ];
}

function hasChanges({ files }: AgentPlan): boolean {
  return files.length > 0;
}

function namesOf(plans: readonly AgentPlan[]): string {
  return plans.map(({ name }) => name).join(', ');
}

function filesOf(plans: readonly AgentPlan[]): string {
  return [...new Set(plans.flatMap(({ files }) => files.map(({ shown }) => shown)))].join(', ');
}

function problemsOf(plans: readonly AgentPlan[]): string[] {
  return plans.flatMap(({ name, problem, outcome }) =>
    problem !== null
      ? [`${name}: ${problem}`]
      : outcome === 'failed'
        ? [vscode.l10n.t('{0} could not be written; the log tells why.', name)]
        : [],
  );
}

/** The lines that would change, file by file. */
function pageOf(plans: readonly AgentPlan[]): string {
  const parts = plans.flatMap(({ name, files, notes, problem }) => [
    `## ${name}`,
    ...(problem === null ? [] : [withoutLinks(problem)]),
    ...files.map(({ shown, lines }) => [withoutLinks(shown), `${FENCE}diff`, ...lines, FENCE].join('\n')),
    ...notes.map((note) => withoutLinks(note)),
  ]);
  return `${parts.join('\n\n')}\n`;
}

/** What `svc-memory setup` answers; without `--yes` it only looks. */
async function plansOf(doing: Doing, args: readonly string[], title = TITLE()): Promise<readonly AgentPlan[]> {
  const folder = memoryFolder(doing.place);
  const ended = await withProgress(title, (token) =>
    runProgram(doing.editor, {
      program: 'svc-memory',
      arguments: ['setup', ...args, '--json', '--extension', ...(args.includes('--yes') ? [] : ['--dry-run'])],
      folder,
      token,
      // The entries tell the servers nothing of the settings.
      environment: isNamedByVariable(folder.store) ? {} : { SVC_MEMORY_DB: undefined },
    }),
  );
  if (ended.output.trim() === '') throw new Error(failureOf(ended));
  // What our own program writes; it is not checked.
  return (JSON.parse(ended.output) as { readonly agents: readonly AgentPlan[] }).agents;
}
