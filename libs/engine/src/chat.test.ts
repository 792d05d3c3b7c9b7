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
