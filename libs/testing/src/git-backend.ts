import { spawn } from 'node:child_process'
import type { IncomingMessage } from 'node:http'
import { basename, dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { config } from './config.ts'

/** The response of `git http-backend`; `stop` ends the process. */
export interface BackendReply {
  status: number
  headers: Record<string, string>
  body: Readable
  stop(): void
}

/** Passes one HTTP request for a repository to `git http-backend`; `rest` is the path below the repository, with the query; `filters` lets clients leave files out. */
export async function askGit(
  request: IncomingMessage,
  repository: string,
  { rest, filters }: { rest: string; filters: boolean },
): Promise<BackendReply> {
  const [path, query = ''] = rest.split('?')
  const git = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      ...config.environment,
      GIT_PROJECT_ROOT: dirname(repository),
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: `/${basename(repository)}${path}`,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      REMOTE_ADDR: '127.0.0.1',
      REMOTE_USER: 'test',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: request.headers['content-length'] ?? '',
      HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      ...gitConfig({ 'http.receivepack': 'true', 'safe.directory': '*', 'uploadpack.allowFilter': String(filters) }),
    },
  })
  // Git closes its stdin when it has read enough, and its stdout when the client disconnects.
  git.stdin.on('error', () => {})
  request.pipe(git.stdin)
  const { status = '200', ...headers } = await readHead(git.stdout)
  return { status: Number.parseInt(status, 10), headers, body: git.stdout, stop: () => void git.kill() }
}

function gitConfig(settings: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(settings).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(pairs.length / 2) }
}

/** Reads the CGI headers up to the empty line and returns them with the first bytes of the body. */
async function readHead(stream: Readable): Promise<Record<string, string>> {
  const end = '\r\n\r\n'
  for (let head = Buffer.alloc(0); ;) {
    const chunk: Buffer | null = stream.read()
    if (chunk === null) {
      if (stream.readableEnded) return { status: '500' }
      await new Promise(resolve => stream.once('readable', resolve).once('end', resolve))
      continue
    }
    head = Buffer.concat([head, chunk])
    const at = head.indexOf(end)
    if (at === -1) continue
    stream.unshift(head.subarray(at + end.length))
    const lines = head.subarray(0, at).toString().split('\r\n')
    return Object.fromEntries(
      lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
  }
}
