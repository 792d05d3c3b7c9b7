import { describe, expect, it } from '@jest/globals'
import { type ChatPart, chatRequest, readChat } from './index.ts'

const delta = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`
const usage = `data: ${JSON.stringify({ choices: [], usage: { total_tokens: 7 } })}\n\n`
const done = 'data: [DONE]\n\n'

async function read(text: string, size: number): Promise<ChatPart[]> {
  const bytes = Buffer.from(text)
  async function* body() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const parts: ChatPart[] = []
  for await (const part of readChat('engine', body())) parts.push(part)
  return parts
}

describe('The stream of an answer', () => {
  it.each([1, 3, 10_000])('has its words and tokens, however it is cut: %d bytes at a time', async size => {
    const stream = `: hello\n\n${delta('Grüße ')}${delta('📖')}${usage}${done}`
    expect(await read(stream, size)).toEqual([{ text: 'Grüße ' }, { text: '📖' }, { tokens: 7 }])
  })

  it.each<[string, string, ChatPart[]]>([
    ['a reason to finish without [DONE]', 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n', []],
    ['events that are no JSON', `data: <html>\n\n${delta('a')}${done}`, [{ text: 'a' }]],
    ['other values', `data: [1]\n\ndata: null\n\ndata: {"choices":{},"usage":{"total_tokens":-1}}\n\n${done}`, []],
    ['content that is no text', `data: {"choices":[{"delta":{"content":[1]}}, null]}\n\n${done}`, []],
  ])('is read with %s', async (_what, stream, parts) => {
    expect(await read(stream, 10_000)).toEqual(parts)
  })

  const piece = (...tool_calls: object[]) => `data: ${JSON.stringify({ choices: [{ delta: { tool_calls } }] })}\n\n`
  const called = (name?: string, words?: unknown) => ({ function: { name, arguments: words } })
  const a = { id: 'a', name: 'find', arguments: '{"x":1}' }
  const b = { id: 'b', name: 'get', arguments: '{}' }
  it.each<[string, string, ChatPart[]]>([
    [
      'by index, in pieces',
      piece({ index: 0, id: 'a', ...called('find', '') }) +
        piece({ index: 0, ...called(undefined, '{"x"') }, { index: 1, id: 'b', ...called('get', '{}') }) +
        piece({ index: 0, ...called(undefined, ':1}') }),
      [{ calls: [a, b] }],
    ],
    [
      'by id, all with the same index',
      piece({ index: 0, id: 'a', ...called('find', '{"x":1}') }) + piece({ index: 0, id: 'b', ...called('get', '{}') }),
      [{ calls: [a, b] }],
    ],
    [
      'whole, without index and id, with arguments that are no text',
      piece(called('find', { x: 1 }), called('get', '{}')),
      [
        {
          calls: [
            { ...a, id: 'call-1' },
            { ...b, id: 'call-2' },
          ],
        },
      ],
    ],
    [
      'beside words',
      delta('Let me see.') + piece({ index: 0, id: 'a', ...called('find', '{"x":1}') }),
      [{ text: 'Let me see.' }, { calls: [a] }],
    ],
    ['without a name: none', piece({ index: 0, id: 'a', function: null }, { index: 'x' }) + piece(), []],
  ])('has its calls of tools %s', async (_what, stream, parts) => {
    expect(await read(stream + done, 7)).toEqual(parts)
  })

  it('has 32 calls of tools at most', async () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ index, id: `${index}`, ...called('find', '{}') }))
    const [part] = await read(piece(...many) + done, 10_000)
    expect(part && 'calls' in part && part.calls).toHaveLength(32)
  })

  it.each(['', '<h1>Welcome</h1>', delta('half')])('is broken off when it does not say its end: %j', async stream => {
    await expect(read(stream, 10_000)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

it('A request for chat completions has the key and the model of the engine', () => {
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  expect(chatRequest({ key: 'k', model: 'm' }, messages)).toEqual({
    path: '/chat/completions',
    headers: { authorization: 'Bearer k' },
    body: { model: 'm', temperature: 0, stream: false, messages },
  })
  expect(chatRequest({ key: undefined, model: 'm' }, messages, { maxTokens: 9 })).toMatchObject({
    headers: {},
    body: { stream: true, max_tokens: 9, stream_options: { include_usage: true } },
  })
})

it('A request with tools has them, the calls of the model, and their results', () => {
  const access = { key: undefined, model: 'm' }
  const tools = [{ name: 'find', description: 'Finds', parameters: { type: 'object' } }]
  const call = { id: 'a', name: 'find', arguments: '{}' }
  const { body } = chatRequest(
    access,
    [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: '', calls: [call] },
      { role: 'tool', call: 'a', content: 'Nothing' },
    ],
    { maxTokens: 9, tools, mayCall: false },
  )
  expect(body).toMatchObject({
    tools: [{ type: 'function', function: tools[0] }],
    tool_choice: 'none',
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'find', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'Nothing' },
    ],
  })
  expect(chatRequest(access, [], { maxTokens: 9, tools }).body).not.toHaveProperty('tool_choice')
  expect(chatRequest(access, [], { maxTokens: 9 }).body).not.toHaveProperty('tools')
})
