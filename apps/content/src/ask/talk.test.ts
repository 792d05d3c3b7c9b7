import type { ChatToolCall } from '@recto/engine'
import { expect, it } from '@jest/globals'
import { startTalk } from './talk.ts'

const { signal } = new AbortController()
const first = [{ role: 'user' as const, content: 'Why?' }]
const without = [{ role: 'user' as const, content: 'Why, without tools?' }]
const call = (id: string): ChatToolCall => ({ id, name: 'find', arguments: '{}' })
const round = (...ids: string[]) => ({ reply: '', calls: ids.map(call), isRefused: false })
const refusal = { reply: '', calls: [], isRefused: true }
function aTalk(fallback: typeof without | undefined = without) {
  const called: string[] = []
  const definitions = [{ name: 'find', description: '', parameters: {} }]
  const tools = {
    definitions,
    without: fallback,
    call: async ({ id }: ChatToolCall) => (called.push(id), `result ${id}`),
  }
  return { talk: startTalk(first, tools), called }
}

it('A reply that calls tools is answered with their results, and goes on', async () => {
  const { talk } = aTalk()
  const before = talk.tokens()
  expect(await talk.goOn(round('a', 'b'), signal)).toBe(true)
  expect(talk.messages).toEqual([
    ...first,
    { role: 'assistant', content: '', calls: [call('a'), call('b')] },
    { role: 'tool', call: 'a', content: 'result a' },
    { role: 'tool', call: 'b', content: 'result b' },
  ])
  expect(talk.tokens()).toBeGreaterThan(before)
  expect(await talk.goOn(round(), signal)).toBe(false)
})

it('After five replies that call tools, the sixth may not', async () => {
  const { talk, called } = aTalk()
  for (const id of ['1', '2', '3', '4', '5']) {
    expect(talk.options.mayCall).toBe(true)
    expect(await talk.goOn(round(id), signal)).toBe(true)
  }
  expect(talk.options.mayCall).toBe(false)
  expect(await talk.goOn(round('6'), signal)).toBe(false)
  expect(called).toHaveLength(5)
})

it('Of many calls eight are made, and the engine is told so', async () => {
  const { talk, called } = aTalk()
  expect(await talk.goOn(round('1', '2', '3'), signal)).toBe(true)
  expect(await talk.goOn(round('4', '5', '6', '7', '8', '9', '10'), signal)).toBe(true)
  expect(called).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
  expect(talk.messages.at(-1)).toMatchObject({ call: '10', content: expect.stringContaining('No more calls') })
  expect(talk.options.mayCall).toBe(false)
})

it('An engine that refuses tools is asked again without, where there is something to ask', async () => {
  const { talk } = aTalk()
  await talk.goOn(round('a'), signal)
  expect(await talk.goOn(refusal, signal)).toBe(true)
  expect(talk.messages).toEqual(without)
  expect(talk.options).toEqual({})
  expect(await talk.goOn(round('b'), signal)).toBe(false)
  const alone = startTalk(first, { definitions: [], without: undefined, call: async () => '' })
  expect(await alone.goOn(refusal, signal)).toBe(false)
})
