import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createMcpEndpoint,
  isForeignOrigin,
  type McpContent,
  type McpPrompts,
  type McpResources,
  type McpServer,
  type McpTool,
  mcpError,
  mcpErrorCodes,
  methodNotAllowed,
  ToolFailure,
} from '@recto/mcp'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const image: McpContent = { type: 'image', data: png, mimeType: 'image/png' }
const resource = (uri: string, text: string): McpContent => ({
  type: 'resource',
  resource: { uri, mimeType: 'text/plain', text },
})
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

const tool = (name: string, call: McpTool['call']): McpTool => ({
  name,
  title: name,
  description: `The tool ${name} of the conformance suite`,
  inputSchema: { type: 'object', properties: {} },
  annotations,
  call,
})
const answering = (name: string, text: string, more: McpContent[] = []) =>
  tool(name, () => Promise.resolve({ text, more }))

/** The tools that the conformance suite calls, as far as a server without sessions and streams can have them. */
const tools: McpTool[] = [
  answering('test_simple_text', 'This is a simple text response for testing.'),
  answering('test_image_content', 'A picture', [image]),
  answering('test_audio_content', 'A sound', [{ type: 'audio', data: wav, mimeType: 'audio/wav' }]),
  answering('test_embedded_resource', 'A resource', [resource('test://embedded-resource', 'Its content')]),
  answering('test_multiple_content_types', 'Several', [image, resource('test://mixed-content-resource', '{}')]),
  tool('test_error_handling', () => Promise.reject(new ToolFailure('This tool always fails'))),
]

const described = (uri: string, mimeType: string) => ({ uri, name: uri, title: uri, description: uri, mimeType })
const ofTemplate = /^test:\/\/template\/([^/]+)\/data$/

const resources: McpResources = {
  list: () =>
    Promise.resolve({
      resources: [described('test://static-text', 'text/plain'), described('test://static-binary', 'image/png')],
    }),
  templates: [
    {
      uriTemplate: 'test://template/{id}/data',
      name: 'data',
      title: 'Data',
      description: 'Data',
      mimeType: 'text/plain',
    },
  ],
  read(uri) {
    const [, id] = ofTemplate.exec(uri) ?? []
    if (id !== undefined) return Promise.resolve({ uri, mimeType: 'application/json', text: JSON.stringify({ id }) })
    if (uri === 'test://static-binary') return Promise.resolve({ uri, mimeType: 'image/png', blob: png })
    const text = { uri, mimeType: 'text/plain', text: 'The text of the resource' }
    return Promise.resolve(uri === 'test://static-text' ? text : undefined)
  },
}

const prompt = (name: string, ...names: string[]) => ({
  name,
  title: name,
  description: `The prompt ${name} of the conformance suite`,
  arguments: names.map(each => ({ name: each, description: each, required: true })),
})

const prompts: McpPrompts = {
  list: [
    prompt('test_simple_prompt'),
    prompt('test_prompt_with_arguments', 'arg1', 'arg2'),
    prompt('test_prompt_with_embedded_resource', 'resourceUri'),
    prompt('test_prompt_with_image'),
  ],
  get(name, { arg1, arg2, resourceUri = '' }) {
    const text = (words: string): McpContent => ({ type: 'text', text: words })
    const parts: Record<string, McpContent[]> = {
      test_simple_prompt: [text('A simple prompt')],
      test_prompt_with_arguments: [text(`With ${arg1} and ${arg2}`)],
      test_prompt_with_embedded_resource: [resource(resourceUri, 'Its content'), text('Read it')],
      test_prompt_with_image: [image, text('Look at it')],
    }
    return Promise.resolve((parts[name] ?? []).map(content => ({ role: 'user' as const, content })))
  },
  complete: ({ value }) => Promise.resolve([`${value}ing`]),
}

const reference: McpServer = {
  name: 'reference',
  title: 'Reference',
  version: '1',
  instructions: 'What the conformance suite asks for',
  tools,
  resources,
  prompts,
}

/** Starts a server at localhost that answers as the servers of the product do, with what the conformance suite asks for. */
export async function aReferenceServer(): Promise<{ url: string; stop(): void }> {
  const limits = { concurrency: 10, concurrencyOfClient: 10, timeoutMs: 10_000, bodyBytes: 100_000 }
  const endpoint = createMcpEndpoint(limits)
  const origin = () => `http://localhost:${(server.address() as AddressInfo).port}`
  const answer = async (request: IncomingMessage) => {
    if (request.method !== 'POST') return methodNotAllowed()
    if (isForeignOrigin(request.headers.origin, [origin()]))
      return mcpError({ status: 403, code: mcpErrorCodes.refused, message: 'Another origin' })
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const headers = request.headers as Record<string, string | undefined>
    const body = Buffer.concat(chunks).toString()
    return endpoint({ url: `${origin()}/mcp`, headers, body, client: 'suite' }, () => Promise.resolve(reference))
  }
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      () => response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `${origin()}/mcp`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
