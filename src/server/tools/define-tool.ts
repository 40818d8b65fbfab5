/** What a tool is. */
import type * as z from 'zod/v4';
import type { Memory, WritableMemory } from '../memory/memory';
import type { Project } from '../project/open';

/** `agent` tools are offered over MCP; `human` ones only to the command line, the editor and MCP resources. */
export type Audience = 'agent' | 'human';

export interface ToolContext<Handle = Memory> {
  readonly memory: Handle;
  readonly project: Project;
  /** Tells a waiting person or client how far long work has come. */
  readonly progress: (done: number, total: number) => void;
  readonly signal: AbortSignal;
  /** A person insists on storing what looks like a secret. */
  readonly allowSecret: boolean;
}

interface Declaration<Input extends z.ZodObject> {
  /** As clients call it: `memory_recall`. */
  readonly name: string;
  readonly title: string;
  /** For the model that chooses the tool. Short: the whole list has to fit into 4,000 tokens. */
  readonly description: string;
  readonly audience?: Audience;
  readonly input: Input;
  /** Parameters that the command line takes by position. */
  readonly positional?: readonly (keyof z.infer<Input> & string)[];
  /** It asks Git. The editor lets it do so only where the workspace is trusted. */
  readonly runsGit?: boolean;
  /** Calling it twice changes nothing more than calling it once. */
  readonly idempotent?: boolean;
}

/** How the value of a tool reaches the caller. */
interface Answering<Output> {
  /** For tools that answer with Markdown. */
  readonly render?: (output: Output) => string;
  /** For tools that answer with an object or a list. */
  readonly output?: z.ZodType<Output>;
}

export interface ReadTool<Input extends z.ZodObject, Output> extends Declaration<Input>, Answering<Output> {
  /** Only reads the store. Annotations, transactions and confirmations follow from `effect` in one place each. */
  readonly effect: 'read';
  readonly run: (context: ToolContext<Memory>, input: z.infer<Input>) => Promise<Output>;
}

export interface WriteTool<Input extends z.ZodObject, Output, Gathered = undefined>
  extends Declaration<Input>,
    Answering<Output> {
  /** Parameters whose text is stored: what looks like a secret is refused. */
  readonly stores?: readonly (keyof z.infer<Input> & string)[];
  /** Changes the store; `destroy` may take away what a person stored. */
  readonly effect: 'write' | 'destroy';
  /** Runs before the transaction: what reads files or is slow must not hold up other writers. */
  readonly gather?: (context: ToolContext<Memory>, input: z.infer<Input>) => Promise<Gathered>;
  readonly run: (context: ToolContext<WritableMemory>, input: z.infer<Input>, gathered: Gathered) => Promise<Output>;
  /** Runs after the transaction, whether it was kept or not: takes away what `gather` has left. */
  readonly tidyUp?: (project: Project, gathered: Gathered) => Promise<void>;
  /**
   * Runs after the transaction, with its result, which it may add to. A failure is told to the log only: what was written
   * stays.
   * @param operation what `undo` takes; undefined where the store was left alone
   */
  readonly settled?: (
    project: Project,
    output: Output,
    gathered: Gathered,
    operation: number | undefined,
  ) => Promise<Output>;
}

/** What a tool does to the store. */
export type Effect = Tool['effect'];

export type Tool = ReadTool<z.ZodObject, unknown> | WriteTool<z.ZodObject, unknown, unknown>;

/** Declares a tool. The registry holds tools of all shapes, so the types of input and output end here. */
export function defineTool<Input extends z.ZodObject, Output, Gathered = undefined>(
  tool: ReadTool<Input, Output> | WriteTool<Input, Output, Gathered>,
): Tool {
  // Sound because call-tool parses the input with this very schema and renders this very output.
  return tool as unknown as Tool;
}
