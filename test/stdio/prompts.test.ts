import { describe, expect, test } from 'vitest';
import { type ConnectedServer, withServer } from '../support/stdio-client';

async function prompt(server: ConnectedServer, name: string, given: Record<string, string> = {}): Promise<string> {
  const { messages } = await server.client.getPrompt({ name, arguments: given });
  const [message] = messages;
  expect(messages).toHaveLength(1);
  expect(message?.role).toBe('user');
  return message?.content.type === 'text' ? message.content.text : '';
}

describe('a prompt', () => {
  test('is listed with a title, a description and described arguments', () =>
    withServer(async ({ client }) => {
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toEqual(['brief', 'remember', 'why']);
      for (const { title, description, arguments: given } of prompts) {
        expect(title && description).toBeTruthy();
        expect(given?.every((argument) => argument.description)).toBe(true);
      }
    }));

  test('"brief" brings the briefing, and what is known about a topic', () =>
    withServer(async (server) => {
      await server.call('memory_store', { content: 'Times are stored in UTC.', kind: 'decision' });
      await server.call('memory_store', { content: 'The importer skips blank rows.', kind: 'fact' });
      expect(await prompt(server, 'brief')).toContain('— Times are stored in UTC.');
      expect(await prompt(server, 'brief', { topic: ' ' })).not.toContain('blank rows');
      expect(await prompt(server, 'brief', { topic: 'importer' })).toContain('— The importer skips blank rows.');
    }));

  test('"remember" tells how to store what is given, or what the conversation settled', () =>
    withServer(async (server) => {
      expect(await prompt(server, 'remember', { what: 'We ship on Fridays.' })).toMatch(
        /We ship on Fridays\.[\s\S]*memory_store/,
      );
      expect(await prompt(server, 'remember')).toMatch(/conversation[\s\S]*memory_store/);
    }));

  test('"why" explains a decision by its id or by words', () =>
    withServer(async (server) => {
      const { node_id } = await server.value<{ node_id: string }>('memory_store', {
        content: 'Use SQLite.',
        kind: 'decision',
        rationale: 'One file, many processes.',
      });
      for (const decision of [node_id, 'which database? SQLite']) {
        expect(await prompt(server, 'why', { decision })).toContain('**Rationale:** One file, many processes.');
      }
    }));

  test('refuses an unknown name, an unknown argument and a missing one', () =>
    withServer(async (server) => {
      await expect(prompt(server, 'whence')).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('brief, remember, why'),
      });
      await expect(prompt(server, 'why')).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('"decision"'),
      });
      await expect(prompt(server, 'brief', { subject: 'x' })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('topic'),
      });
    }));
});
