/** What a host puts before its model: short, because it is paid for in every conversation. */
export const INSTRUCTIONS = `Long-term memory of this project, shared by all sessions and agents.
- Start: memory_recall "project context".
- Recall before you decide or change something; memory_why explains a decision.
- As you go, memory_store every decision (with rationale and alternatives_rejected), fact, outcome, procedure and preference: one statement each, its entities naming the functions, files and people it is about; supersedes when it replaces another.
- End: memory_end_session with a summary of what was done and what is open.`;
