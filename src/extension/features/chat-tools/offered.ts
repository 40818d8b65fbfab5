/** Which tools the editor's chat gets from the extension. */

/**
 * The tools that agents use by themselves, and those of the session that what they store belongs to. The chat gets them from
 * the extension, with sentences for people, so the server that the extension offers leaves them out: nothing is offered twice.
 */
export const CHAT_TOOLS = {
  svc_memory_recall: 'memory_recall',
  svc_memory_store: 'memory_store',
  svc_memory_for_code: 'memory_for_code',
  svc_memory_why: 'memory_why',
  svc_memory_verify: 'memory_verify',
  svc_memory_start_session: 'memory_start_session',
  svc_memory_end_session: 'memory_end_session',
} as const;

/** By the registry's name. */
export type ChatTool = (typeof CHAT_TOOLS)[keyof typeof CHAT_TOOLS];

/**
 * What the server leaves out. In the chat the editor says which namespace is meant; a switch of the server's own would not
 * reach the tools of the extension.
 */
export const LEFT_TO_CHAT: readonly string[] = [...Object.values(CHAT_TOOLS), 'memory_switch_namespace'];
