/** Commands of lenses that can be run as long as the lens is seen. */
import * as vscode from 'vscode';
import type { SymbolMemoriesArguments } from '../protocol/requests';

/** More than a screen shows; the oldest go first. */
const MOST_COMMANDS = 500;

/**
 * The editor forgets the arguments of a lens's command when it asks for lenses again, while the lens still stands
 * there: a click at that moment ends with "Actual command not found" (microsoft/vscode issue 226936). A command without
 * arguments is not forgotten, so each symbol gets one of its own, with the latest arguments behind it.
 */
export class LensCommands implements vscode.Disposable {
  private readonly known = new Map<
    string,
    { readonly id: string; readonly registered: vscode.Disposable; latest: readonly unknown[] }
  >();
  private count = 0;

  /** The same command without arguments. */
  withoutArguments({ arguments: given = [], ...command }: vscode.Command): vscode.Command {
    // One argument, which the language server wrote.
    const { folder, file, symbol } = given[0] as SymbolMemoriesArguments;
    const key = JSON.stringify([folder, file, symbol]);
    const known = this.known.get(key) ?? this.register(command.command);
    known.latest = given;
    this.known.delete(key);
    this.known.set(key, known);
    this.dropOldest();
    return { ...command, command: known.id };
  }

  private register(command: string) {
    // The editor keeps what begins like this out of the list of commands that keys can be given to.
    const id = `_agentMemory.lens.${++this.count}`;
    const made = {
      id,
      latest: [] as readonly unknown[],
      registered: vscode.commands.registerCommand(id, () => vscode.commands.executeCommand(command, ...made.latest)),
    };
    return made;
  }

  private dropOldest(): void {
    for (const [key, { registered }] of this.known) {
      if (this.known.size <= MOST_COMMANDS) return;
      registered.dispose();
      this.known.delete(key);
    }
  }

  dispose(): void {
    for (const { registered } of this.known.values()) registered.dispose();
    this.known.clear();
  }
}
