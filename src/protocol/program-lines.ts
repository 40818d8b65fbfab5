/** What a command line writes to standard error for a program that watches it (`SVC_PROGRESS=lines`): JSON, line by line. */

export type ProgramLine =
  /** How far it has come. */
  | { readonly type: 'progress'; readonly text: string /** 0 to 100, where it is known. */; readonly percent?: number }
  /** Why it failed: what is wrong, and what to do. */
  | { readonly type: 'error'; readonly code: string; readonly message: string }
  | { readonly type: 'note'; readonly text: string };

/** What the editor puts before the arguments of a command line that a click runs. */
export type FromEditor = '--from-editor';
