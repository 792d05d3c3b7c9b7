import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How a test engine answers: with a reply, or in one of the ways in which engines fail. */
export type ChatMode = 'answers' | 'echoes' | 'breaks off' | 'stalls' | 'fails' | 'refuses' | 'is no stream' | 'endless'

/** A server that speaks streamed chat completions of OpenAI. */
export interface ChatEngine {
  /** The base with its version. */
  url: string
  mode: ChatMode
  /** Its answer; the word `QUESTIONS` on a line becomes the line that the request asks for. */
  reply: string
  /** The texts that it got, and the headers and bodies of its requests. */
  prompts: string[]
  requests: { headers: IncomingMessage['headers']; body: Record<string, unknown> }[]
  /** Exchanges that are open, and those that their client has broken off. */
  open: number
  aborted: number
  /** Is waited for after the first words of a reply. */
  hold: Promise<void> | undefined
  /** Tokens that it counts; it counts none when undefined. */
  tokens: number | undefined
  /** Calls of tools that it answers with before its reply, those of one answer after those of another; none where the request has no tools. */
  calls: { name: string; arguments: string }[][]
  /** Whether it refuses requests that have tools. */
  refusesTools: boolean
  stop(): Promise<void>
}

/** Starts a test engine on a free port. */
export async function aChatEngine(reply = 'It is so [1].\n\nQUESTIONS\nAnd then?'): Promise<ChatEngine> {
  const engine: ChatEngine = {
    url: '',
    mode: 'answers',
    reply,
    prompts: [],
    requests: [],
    open: 0,
    aborted: 0,
    hold: undefined,
    tokens: undefined,
    calls: [],
    refusesTools: false,
    stop: () => Promise.resolve(),
  }
  const server = createServer((request, response) => {
    engine.open += 1
    response.once('close', () => {
      engine.open -= 1
      if (!response.writableFinished) engine.aborted += 1
    })
    answer(engine, request, response).catch(() => response.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  engine.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  engine.stop = () =>
    new Promise(resolve => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return engine
}

interface ChatBody extends Record<string, unknown> {
  messages: { role: string; content: string; tool_calls?: object[] }[]
  tools?: object[]
  tool_choice?: string
}

async function answer(engine: ChatEngine, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = JSON.parse(Buffer.concat(chunks).toString()) as ChatBody
  const prompt = body.messages.map(({ content }) => content).join('\n')
  const question = body.messages.at(-1)?.content ?? ''
  engine.requests.push({ headers: request.headers, body })
  engine.prompts.push(prompt)
  const { mode } = engine
  if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end()
  if (mode === 'stalls') return
  if (mode === 'fails') return void response.writeHead(500).end('broken')
  if (mode === 'refuses' || (engine.refusesTools && body.tools)) return void response.writeHead(400).end('no')
  if (mode === 'is no stream') return void response.writeHead(200).end('<h1>Welcome</h1>')
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (body.tools && body.tool_choice !== 'none' && callTools(engine, body, response)) return
  const mark = /QUESTIONS (\w+)/.exec(prompt)?.[1] ?? ''
  const reply = mode === 'echoes' ? question : engine.reply.replace(/^QUESTIONS$/m, `QUESTIONS ${mark}`)
  const pieces = reply.match(/[^]{1,20}/g) ?? []
  for (const [at, piece] of pieces.entries()) {
    write(response, { choices: [{ index: 0, delta: { content: piece } }] })
    if (at === 0) await engine.hold
    if (mode === 'breaks off') return void setImmediate(() => response.destroy())
  }
  for (; mode === 'endless' && !response.destroyed;) {
    write(response, { choices: [{ index: 0, delta: { content: 'and so on '.repeat(100) } }] })
    await new Promise(resolve => setImmediate(resolve))
  }
  write(response, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  if (engine.tokens !== undefined) write(response, { choices: [], usage: { total_tokens: engine.tokens } })
  response.end('data: [DONE]\n\n')
}

/** Answers with calls, in pieces, as engines stream them; false when it has no more. */
function callTools({ calls, tokens }: ChatEngine, { messages }: ChatBody, response: ServerResponse): boolean {
  const round = messages.filter(message => message.tool_calls).length
  const ofRound = calls[round]
  if (!ofRound) return false
  const delta = (...tool_calls: object[]) => write(response, { choices: [{ index: 0, delta: { tool_calls } }] })
  write(response, { choices: [{ index: 0, delta: { content: 'Let me look that up.' } }] })
  for (const [index, call] of ofRound.entries()) {
    delta({ index, id: `call-${round}-${index}`, type: 'function', function: { name: call.name, arguments: '' } })
    for (const piece of call.arguments.match(/[^]{1,5}/g) ?? []) delta({ index, function: { arguments: piece } })
  }
  write(response, { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] })
  if (tokens !== undefined) write(response, { choices: [], usage: { total_tokens: tokens } })
  response.end('data: [DONE]\n\n')
  return true
}

function write(response: ServerResponse, chunk: object): void {
  response.write(`data: ${JSON.stringify(chunk)}\n\n`)
}
