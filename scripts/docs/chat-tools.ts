// What the editor's chat is given by the extension (`languageModelTools` of package.json), from the registry.
import { CHAT_TOOLS } from '../../src/extension/features/chat-tools/offered';
import { inputSchema } from '../../src/server/mcp/json-schema';
import { MEMORY_TOOLS } from '../../src/server/tools/registry';

/** What people type after `#`. The editor's own `#memory` is another memory. */
const REFERENCES: Readonly<Record<keyof typeof CHAT_TOOLS, string>> = {
  svc_memory_recall: 'projectMemory',
  svc_memory_store: 'rememberForProject',
  svc_memory_for_code: 'memoriesOnCode',
  svc_memory_why: 'whyDecided',
  svc_memory_verify: 'verifyMemory',
  svc_memory_start_session: 'startMemorySession',
  svc_memory_end_session: 'endMemorySession',
};

/** What `namespace` does there; the other tools have none. */
const ELSEWHERE: Readonly<Record<string, string | undefined>> = {
  memory_recall: 'Read in this namespace instead',
  memory_store: 'Keep it in this namespace instead',
};

/** Agents do without it, as the choice of tools says. */
const NOT_IN_CORE = 'svc_memory_start_session';

/** The contributed tools, in the order of the registry. */
export function chatToolsOfManifest(): readonly object[] {
  return Object.entries(REFERENCES).map(([name, toolReferenceName]) => {
    const called: string = CHAT_TOOLS[name as keyof typeof CHAT_TOOLS];
    const tool = MEMORY_TOOLS.find((one) => one.name === called);
    if (!tool) throw new Error(`There is no tool ${called}.`);
    const schema = inputSchema(tool.input);
    const { namespace, ...properties } = schema.properties ?? {};
    // The editor's namespace counts: a tool of the chat works in another one, and does not go there.
    const elsewhere = ELSEWHERE[called] && { namespace: { ...Object(namespace), description: ELSEWHERE[called] } };
    const folder = {
      type: 'string',
      description: 'The name of the folder that is meant, of several; default the first',
    };
    return {
      name,
      toolReferenceName,
      displayName: `%chatTool.${called}%`,
      userDescription: `%chatTool.${called}.description%`,
      modelDescription: tool.description,
      icon: '$(book)',
      canBeReferencedInPrompt: true,
      when: `agentMemory.chatTools && isWorkspaceTrusted${name === NOT_IN_CORE ? " && config.agentMemory.tools != 'core'" : ''}`,
      inputSchema: { ...schema, properties: { ...properties, ...elsewhere, folder } },
    };
  });
}

/** package.json with them. @param text of package.json */
export function withChatTools(text: string): string {
  const manifest = JSON.parse(text);
  const { mcpServerDefinitionProviders, languageModelTools: _, ...contributes } = manifest.contributes;
  manifest.contributes = { mcpServerDefinitionProviders, languageModelTools: chatToolsOfManifest(), ...contributes };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
