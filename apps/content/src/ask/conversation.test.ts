import type { ChatToolCall } from '@recto/engine'
import { expect, it } from '@jest/globals'
import { startConversation } from './conversation.ts'

const { signal } = new AbortController()
const first = [{ role: 'user' as const, content: 'Why?' }]
const without = [{ role: 'user' as const, content: 'Why, without tools?' }]
const call = (id: string): ChatToolCall => ({ id, name: 'find', arguments: '{}' })
const round = (...ids: string[]) => ({ reply: '', calls: ids.map(call), isRefused: false })
const refusal = { reply: '', calls: [], isRefused: true }
function aConversation(fallback: typeof without | undefined = without) {
  const called: string[] = []
  const definitions = [{ name: 'find', description: '', parameters: {} }]
  const tools = {
    definitions,
    without: fallback,
    call: async ({ id }: ChatToolCall) => (called.push(id), `result ${id}`),
  }
  return { conversation: startConversation(first, tools), called }
}

it('A reply that calls tools is answered with their results, and goes on', async () => {
  const { conversation } = aConversation()
  const before = conversation.tokens()
  expect(await conversation.continueAfter(round('a', 'b'), signal)).toBe(true)
  expect(conversation.messages).toEqual([
    ...first,
    { role: 'assistant', content: '', calls: [call('a'), call('b')] },
    { role: 'tool', call: 'a', content: 'result a' },
    { role: 'tool', call: 'b', content: 'result b' },
  ])
  expect(conversation.tokens()).toBeGreaterThan(before)
  expect(await conversation.continueAfter(round(), signal)).toBe(false)
})

it('After five replies that call tools, the sixth may not', async () => {
  const { conversation, called } = aConversation()
  for (const id of ['1', '2', '3', '4', '5']) {
    expect(conversation.options.mayCall).toBe(true)
    expect(await conversation.continueAfter(round(id), signal)).toBe(true)
  }
  expect(conversation.options.mayCall).toBe(false)
  expect(await conversation.continueAfter(round('6'), signal)).toBe(false)
  expect(called).toHaveLength(5)
})

it('Of many calls eight are made, and the engine is told so', async () => {
  const { conversation, called } = aConversation()
  expect(await conversation.continueAfter(round('1', '2', '3'), signal)).toBe(true)
  expect(await conversation.continueAfter(round('4', '5', '6', '7', '8', '9', '10'), signal)).toBe(true)
  expect(called).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
  expect(conversation.messages.at(-1)).toMatchObject({ call: '10', content: expect.stringContaining('No more calls') })
  expect(conversation.options.mayCall).toBe(false)
})

it('An engine that refuses tools is asked again without, where there is something to ask', async () => {
  const { conversation } = aConversation()
  await conversation.continueAfter(round('a'), signal)
  expect(await conversation.continueAfter(refusal, signal)).toBe(true)
  expect(conversation.messages).toEqual(without)
  expect(conversation.options).toEqual({})
  expect(await conversation.continueAfter(round('b'), signal)).toBe(false)
  const alone = startConversation(first, { definitions: [], without: undefined, call: async () => '' })
  expect(await alone.continueAfter(refusal, signal)).toBe(false)
})
