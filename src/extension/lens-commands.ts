/** Commands of lenses that can be run as long as the lens is seen. */
import * as vscode from 'vscode';

/** More than a screen shows; the oldest go first. */
const MOST_COMMANDS = 500;

/**
 * The editor forgets the arguments of a lens's command when it asks for lenses again, while the lens still stands
 * there: a click at that moment ends with "Actual command not found" (microsoft/vscode issue 226936). A command without
 * arguments is not forgotten, so what is to be run gets a command of its own.
 */
export class LensCommands implements vscode.Disposable {
  private readonly known = new Map<string, { readonly id: string; readonly registered: vscode.Disposable }>();
  private count = 0;

  /** The same command without arguments. */
  withoutArguments({ arguments: given = [], ...command }: vscode.Command): vscode.Command {
    const key = JSON.stringify([command.command, given]);
    const known = this.known.get(key) ?? this.register(command.command, given);
    // The one that was asked for last is dropped last.
    this.known.delete(key);
    this.known.set(key, known);
    this.dropOldest();
    return { ...command, command: known.id };
  }

  private register(command: string, given: readonly unknown[]) {
    // The editor keeps what begins like this out of the list of commands that keys can be given to.
    const id = `_agentMemory.lens.${++this.count}`;
    const run = () => vscode.commands.executeCommand(command, ...given);
    return { id, registered: vscode.commands.registerCommand(id, run) };
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
