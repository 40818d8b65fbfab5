/** The button that shows what an agent gets. */
import { html, type TemplateResult } from 'lit/html.js';
import type { AgentTextTool } from '../../protocol/explorer';
import type { App } from '../app';

/** Opens what a tool answers an agent as a text of its own. */
export function agentText(
  { texts, state, send }: App,
  tool: AgentTextTool,
  input: Readonly<Record<string, string>>,
): TemplateResult {
  const { folder, namespace } = state;
  return html`<button class="secondary" @click=${() => send({ type: 'agentText', tool, folder, namespace, input })}>${texts.agentGets}</button>`;
}
