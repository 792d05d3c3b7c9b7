import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { createMcpEndpoint, ToolFailure, zodTool, type McpServer, type ToolCall, type ToolResult } from './index.ts'

const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
/** The signals of calls that wait for them. */
const waiting: AbortSignal[] = []

const tool = (name: string, run: (input: { word: string }, call: ToolCall) => Promise<ToolResult>) =>
  zodTool({
    name,
    title: name,
    description: name,
    annotations: hints,
    input: z.object({ word: z.string().min(2) }),
    run,
  })

const server: McpServer = {
  name: 'toys',
  title: 'Toys',
  version: '1',
  instructions: 'Play',
  tools: [
    tool('echo', ({ word }) => Promise.resolve({ text: word })),
    tool('show', ({ word }) =>
      Promise.resolve({ text: word, more: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }),
    ),
    tool('refuse', () => Promise.reject(new ToolFailure('There is no such toy'))),
    tool('break', () => Promise.reject(new Error('secret words'))),
    tool('wait', async (_input, { signal }) => {
      waiting.push(signal)
      await delay(600_000, undefined, { signal })
      return { text: 'late' }
    }),
  ],
  resources: {
    list: () => Promise.resolve({ resources: [] }),
    templates: [],
    read: uri => Promise.resolve(uri === 'toy:ball' ? { uri, mimeType: 'image/png', blob: 'AAAA' } : undefined),
  },
  prompts: {
    list: [
      {
        name: 'play',
        title: 'Play',
        description: 'Play',
        arguments: [{ name: 'toy', description: 'A toy', required: true }],
      },
    ],
    get: (_name, { toy = '' }) =>
      toy === 'knife'
        ? Promise.reject(new ToolFailure('That is no toy'))
        : Promise.resolve([{ role: 'user', content: { type: 'text', text: `Play with ${toy}` } }]),
    complete: ({ value }) => Promise.resolve(Array.from({ length: 150 }, (_, at) => `${value}${at}`)),
  },
}

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const limits = { concurrency: 3, concurrencyOfClient: 2, timeoutMs: 600_000, bodyBytes: 1_000 }

function sender(options: Partial<typeof limits> = {}) {
  const endpoint = createMcpEndpoint({ ...limits, ...options })
  return async (message: object | string, signal?: AbortSignal, client = 'a') => {
    const body = typeof message === 'string' ? message : JSON.stringify(message)
    const response = await endpoint({ url: 'http://toys.test/mcp', headers, body, client, signal }, async () => server)
    return { ...response, json: response.body === null ? undefined : (JSON.parse(response.body) as object) }
  }
}
const calling = (name: string, word: string) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: { word } },
})

it.each([
  ['echo', 'ball', { result: { content: [{ type: 'text', text: 'ball' }] } }],
  ['echo', 'b', { result: { isError: true, content: [{ text: 'word: must have at least 2 characters' }] } }],
  ['show', 'ball', { result: { content: [{ text: 'ball' }, { type: 'image', data: 'AAAA', mimeType: 'image/png' }] } }],
  ['refuse', 'ball', { result: { isError: true, content: [{ text: 'There is no such toy' }] } }],
  ['nothing', 'ball', { error: { code: -32602, message: expect.stringContaining('nothing') } }],
])('The tool %s answers %s', async (name, word, expected) =>
  expect(await sender()(calling(name, word))).toMatchObject({ status: 200, json: { id: 7, ...expected } }),
)

const prompt = (name: string, values?: object) => ['prompts/get', { name, arguments: values }] as const
const completion = (ref: object) => ['completion/complete', { ref, argument: { name: 'toy', value: 'b' } }] as const

it.each([
  ['resources/read', { uri: 'toy:ball' }, { result: { contents: [{ blob: 'AAAA', mimeType: 'image/png' }] } }],
  ['resources/read', { uri: 'toy:none' }, { error: { code: -32002 } }],
  ['prompts/list', {}, { result: { prompts: [{ name: 'play' }] } }],
  [...prompt('play', { toy: 'a ball' }), { result: { messages: [{ content: { text: 'Play with a ball' } }] } }],
  [...prompt('play'), { error: { code: -32602, message: expect.stringContaining('toy is missing') } }],
  [...prompt('play', { toy: 'knife' }), { error: { code: -32602, message: expect.stringContaining('no toy') } }],
  [...prompt('none'), { error: { code: -32602, message: expect.stringContaining('none') } }],
  [...completion({ type: 'ref/prompt', name: 'play' }), { result: { completion: { total: 150, hasMore: true } } }],
  [...completion({ type: 'ref/prompt', name: 'none' }), { error: { code: -32602 } }],
  [...completion({ type: 'ref/resource', uri: 'toy:ball' }), { result: { completion: { values: [] } } }],
])('%s of %j answers %j', async (method, params, expected) =>
  expect(await sender()({ jsonrpc: '2.0', id: 7, method, params })).toMatchObject({ status: 200, json: expected }),
)

it.each([
  ['no JSON', '{', 400, -32700],
  ['no message', '7', 400, -32700],
  ['a message of another form', '{"a":1}', 400, -32700],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32600],
  ['more bytes than the limit', JSON.stringify(calling('echo', 'x'.repeat(2_000))), 413, -32000],
])('A body that is %s is refused', async (_what, body, status, code) =>
  expect(await sender()(body)).toMatchObject({ status, json: { jsonrpc: '2.0', error: { code } } }),
)

it('A notification is accepted without an answer', async () =>
  expect(await sender()({ jsonrpc: '2.0', method: 'notifications/initialized' })).toMatchObject({
    status: 202,
    body: null,
  }))

it('What a tool throws that is no answer rejects, and none of its words are sent', async () =>
  await expect(sender()(calling('break', 'ball'))).rejects.toThrow('secret words'))

it('A call that takes too long is stopped, and its client is told so', async () => {
  const { status, json } = await sender({ timeoutMs: 50 })(calling('wait', 'ball'))
  expect([status, json]).toMatchObject([504, { id: 7, error: { code: -32001 } }])
  expect(waiting.splice(0).map(({ aborted }) => aborted)).toEqual([true])
})

it('A call whose client has gone is stopped, and makes room for the next one', async () => {
  const send = sender()
  const gone = [new AbortController(), new AbortController()]
  const calls = gone.map(({ signal }) => send(calling('wait', 'ball'), signal).catch((error: unknown) => error))
  await eventually(() => expect(waiting).toHaveLength(2))
  expect(await send(calling('echo', 'ball'))).toMatchObject({
    status: 503,
    headers: { 'retry-after': '1' },
    json: { id: 7 },
  })
  expect(await send(calling('echo', 'ball'), undefined, 'b')).toMatchObject({ status: 200 })
  for (const client of gone) client.abort(new Error('gone'))
  expect(await Promise.all(calls)).toMatchObject([{ message: 'gone' }, { message: 'gone' }])
  expect(waiting.splice(0).map(({ aborted }) => aborted)).toEqual([true, true])
  expect(await send(calling('echo', 'ball'))).toMatchObject({ status: 200 })
})

it('There is no room for any client while all places are taken', async () => {
  const send = sender({ concurrency: 1 })
  const client = new AbortController()
  const call = send(calling('wait', 'ball'), client.signal).catch((error: unknown) => error)
  await eventually(() => expect(waiting).toHaveLength(1))
  expect(await send(calling('echo', 'ball'), undefined, 'b')).toMatchObject({ status: 503 })
  client.abort(new Error('gone'))
  expect(await call).toMatchObject({ message: 'gone' })
  waiting.splice(0)
})
