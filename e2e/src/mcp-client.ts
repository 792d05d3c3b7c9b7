import { spawn } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { aPassage } from './passage.ts'
import { ask, type Answer } from './reader-sites.ts'
import { removeFolder } from '@recto/testing'

const packageFile = createRequire(join(process.cwd(), 'package.json')).resolve

/** A client of the official SDK that is connected to a server. */
export interface McpClient {
  client: Client
  /** Calls a tool; resolves to its text, and whether it failed. */
  call(name: string, input?: object): Promise<{ text: string; isError: boolean; data: unknown }>
}

/** Connects a client; rejects where the server refuses it. */
export async function mcpClient(url: string, headers: Record<string, string> = {}): Promise<McpClient> {
  const client = new Client({ name: 'recto-test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return {
    client,
    async call(name, input = {}) {
      const result = await client.callTool({ name, arguments: input as Record<string, unknown> })
      const [content] = result.content as { type: string; text: string }[]
      return { text: content?.text ?? '', isError: result.isError === true, data: result.structuredContent }
    },
  }
}

/** The message of a request. */
export const mcpMessage = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

/** Sends one message as it is. */
export function postMcp(url: string, body: string, headers: Record<string, string> = {}): Promise<Answer> {
  const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  return ask(url, { method: 'POST', body, headers: { ...common, ...headers } })
}

/** Runs the command line of the official inspector as a client; resolves to what it prints, parsed. */
export async function inspect(url: string, args: string[], headers: Record<string, string> = {}): Promise<unknown> {
  const cli = join(dirname(packageFile('@modelcontextprotocol/inspector-cli/package.json')), 'build/cli.js')
  const sent = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
  const { output, code } = await run([cli, '--cli', url, '--transport', 'http', ...sent, ...args])
  if (code !== 0) throw new Error(output)
  return JSON.parse(output)
}

/** Figures of the official conformance suite: the scenarios that pass, and those that do not. */
export interface Conformance {
  passed: string[]
  failed: string[]
}

/**
 * Runs the official conformance suite against a server. Scenarios that call tools of its own reference server fail at every other one. The
 * suite sends no credentials, so `headers` are added on the way.
 */
export async function conformance(url: string, headers: Record<string, string> = {}): Promise<Conformance> {
  const folder = await mkdtemp(join(tmpdir(), 'recto-conformance-'))
  const { host } = new URL(url)
  // The headers that name a host name the server, as if there were nothing on the way.
  const proxy = await aPassage(url, (sent, own) => {
    const pairs = Object.entries(sent).map(([name, value]) => [name, String(value).replace(own, host)])
    return { ...(Object.fromEntries(pairs) as Record<string, string>), ...headers }
  })
  try {
    const suite = join(folder, 'suite.cjs')
    await bundleSuite(suite)
    await run([suite, 'server', '--url', proxy.url, '--output-dir', join(folder, 'results')])
    return await readResults(join(folder, 'results'))
  } finally {
    await proxy.stop()
    await removeFolder(folder)
  }
}

/** The suite imports a function that Node 20 does not have, for a command that is not run: bundled as CommonJS it is not looked for. */
async function bundleSuite(outfile: string): Promise<void> {
  const { build } = await import('esbuild')
  const entry = join(dirname(packageFile('@modelcontextprotocol/conformance/package.json')), 'dist/index.js')
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' })
}

async function readResults(folder: string): Promise<Conformance> {
  const { readdir } = await import('node:fs/promises')
  const results: Conformance = { passed: [], failed: [] }
  for (const entry of (await readdir(folder)).toSorted()) {
    const checks = JSON.parse(await readFile(join(folder, entry, 'checks.json'), 'utf8')) as { status: string }[]
    const name = entry.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
    results[checks.some(({ status }) => status === 'FAILURE') ? 'failed' : 'passed'].push(name)
  }
  return results
}

async function run(args: string[]): Promise<{ output: string; code: number | null }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => output.push(String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { output: output.join(''), code }
}
