import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How a test engine answers. */
export type EngineMode =
  'marks' | 'drops' | 'html' | 'stalls' | 'markup' | 'too few' | 'busy once' | 'fails' | 'huge' | 'refuses'

/** A server that speaks the protocols of LibreTranslate, DeepL and OpenAI, and marks texts instead of translating them. */
export interface TranslationEngine {
  url: string
  mode: EngineMode
  /** Words before texts in place of marks, when set. */
  prefix: string
  /** All texts that it got, and the requests with their headers and bodies. */
  texts: string[]
  requests: { path: string; headers: IncomingMessage['headers']; body: Record<string, unknown> }[]
  /** Requests that are not answered before it resolves. */
  hold: Promise<void> | undefined
  stop(): Promise<void>
}

/** Text that an engine has marked without the marks. */
export function unmarked(text: string): string {
  return text.replace(/[⟦⟧]/g, '')
}

/** Puts marks around the words of each piece of text between tags; what is in `<t1>` stays. */
export function marked(text: string): string {
  return text
    .split(/(<t\d+>.*?<\/t\d+>|<[^>]*>)/)
    .map((part, at) => (at % 2 === 1 ? part : encoded(withMarks(decoded(part)))))
    .join('')
}

const withMarks = (text: string) => text.replace(/[\p{L}\p{N}](?:[^]*[\p{L}\p{N}])?/u, '⟦$&⟧')
const decoded = (text: string) => text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&')
const encoded = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** Starts a test engine on a free port. */
export async function aTranslationEngine(): Promise<TranslationEngine> {
  const engine: Omit<TranslationEngine, 'url' | 'stop'> = {
    mode: 'marks' as EngineMode,
    prefix: '',
    texts: [],
    requests: [],
    hold: undefined,
  }
  const running: TranslationEngine = Object.assign(engine, { url: '', stop: () => Promise.resolve() })
  const server = createServer((request, response) => {
    answer(running, request, response).catch(() => response.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  running.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  running.stop = () =>
    new Promise(resolve => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return running
}

async function answer(engine: TranslationEngine, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
  const path = request.url ?? ''
  engine.requests.push({ path, headers: request.headers, body })
  const texts = textsOf(path, body)
  engine.texts.push(...texts)
  await engine.hold
  const { mode } = engine
  if (mode === 'stalls') return
  if (mode === 'busy once') {
    engine.mode = 'marks'
    response.writeHead(429, { 'retry-after': '0' }).end('slow down')
  } else if (mode === 'fails') response.writeHead(500).end('broken')
  else if (mode === 'refuses') response.writeHead(403).end('no')
  else if (mode === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
  else
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(replyOf(path, made(engine, texts))))
}

function textsOf(path: string, body: Record<string, unknown>): string[] {
  if (path === '/translate') return body['q'] as string[]
  if (path === '/v2/translate') return body['text'] as string[]
  const messages = body['messages'] as { content: string }[]
  return (JSON.parse(messages.at(-1)?.content ?? '{}') as { texts: string[] }).texts
}

function replyOf(path: string, texts: string[]): object {
  if (path === '/translate') return { translatedText: texts }
  if (path === '/v2/translate') return { translations: texts.map(text => ({ detected_source_language: 'EN', text })) }
  return { choices: [{ message: { role: 'assistant', content: `\`\`\`json\n${JSON.stringify({ texts })}\n\`\`\`` } }] }
}

function made({ mode, prefix }: TranslationEngine, texts: string[]): string[] {
  const translated = texts.map(text => (prefix === '' ? marked(text) : `${prefix} ${text}`))
  if (mode === 'drops') return translated.map(text => text.replace(/<[^>]*>/g, ''))
  if (mode === 'markup') return translated.map(text => `<b>${text}</b><script>alert(1)</script>`)
  if (mode === 'too few') return translated.slice(1)
  if (mode === 'huge') return translated.map(text => text + 'x'.repeat(500_000))
  return translated
}
