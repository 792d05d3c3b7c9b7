import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { packBundle } from '@recto/blobs'
import { createOutgoing } from '@recto/outgoing'
import { runJob } from '../jobs/run-job.ts'
import { aQueue, type Queue, type Work } from './a-queue.ts'
import { ExportContent } from '@recto/repository-export'
import { aFaultyProxy, type FaultyProxy } from './faulty-proxy.ts'
import { aSetup, type Setup } from './worker-setup.ts'

export type Direction = 'import' | 'export'
type Credentials = NonNullable<Work['credentials']>

/** The result of an operation: its commit, or its error. */
export type RunResult = { commit: string } | { error: { code: string; message: string; path?: string | undefined } }

/** A git server behind a faulty proxy, and a worker without pauses that imports from it and exports to it. */
export interface ServerSetup {
  setup: Setup
  proxy: FaultyProxy
  /** Runs an operation; `text` is the page of an export. */
  run(direction: Direction, more?: Partial<Work> & { text?: string }): Promise<RunResult>
  git(...args: string[]): string
  /** The number of commits on the branch. */
  commits(): number
  log: string[]
  stop(): Promise<void>
}

const page = 'README.md'
const person = { name: 'Ada', email: 'ada@example.com' }
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Starts server, proxy and worker; `silence` is the idle timeout in milliseconds. */
export async function aServerSetup(
  options: Parameters<typeof aSetup>[0] & { silence?: number; allow?: string } = {},
): Promise<ServerSetup> {
  const { silence = 120_000, allow = '127.0.0.1', ...rest } = options
  const setup = await aSetup({ change: { files: { [page]: '# Home\n' } }, ...rest })
  const proxy = await aFaultyProxy(setup.server.url('docs'))
  const outgoing = createOutgoing({ allow, timeoutMs: 300_000, idleTimeoutMs: silence, maxBytes: 1e9 })
  const log: string[] = []
  const write = (details: object, message: string) => void log.push(`${message} ${JSON.stringify(details)}`)
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', setup.repository.path, ...args], { encoding: 'utf8' }).trim()
  const run: ServerSetup['run'] = async (direction, { text = '# Changed\n', ...more } = {}) => {
    const work: Work = {
      direction,
      attempt: 1,
      organizationId: 'organization',
      spaceId: 'space',
      force: false,
      url: proxy.url,
      ref: 'refs/heads/main',
      known: [],
      ...(direction === 'export' && { export: exportOf(setup, text) }),
      ...more,
    }
    const queue = aQueue(work)
    const attempts = { ...queue.attempts, bundle: () => bundle(setup, text) }
    const tools = { ...setup.tools, outgoing, attempts, log: { info: write, error: write }, backoffMs: [1, 1] }
    await runJob(tools, { operationId: 'operation' })
    return endOf(queue)
  }
  const stop = async () => {
    await outgoing.close()
    await proxy.stop()
    await setup.stop()
  }
  return { setup, proxy, run, git, commits: () => Number(git('rev-list', '--count', 'main')), log, stop }
}

export const credentials = (username: string, password: string): Credentials => ({ username, password })

function endOf({ finished, exported, failed }: Queue): RunResult {
  const [{ commit } = { commit: undefined }] = [...finished, ...exported]
  if (commit) return { commit: commit.oid }
  const [failure] = failed
  if (!failure) throw new Error('the operation has not ended')
  return { error: failure.error }
}

async function bundle({ blobs }: Setup, text: string): Promise<{ bundle: string; count: number }> {
  const { hash } = await blobs.put(packBundle([Buffer.from(text)]))
  return { bundle: hash, count: 1 }
}

function exportOf({ repository }: Setup, text: string) {
  const state = (markdown: string) => ({
    wasInRepository: true,
    files: [],
    reusableContents: [],
    variables: {},
    redirects: {},
    pages: [{ id: 'home', parent: null, type: 'document', title: 'Home', path: page, hash: hashOf(markdown) }],
  })
  const base = { ...state('# Home\n'), commit: repository.commit }
  const content = ExportContent.parse({ version: 1, isSameBranch: true, now: state(text), base })
  return { revision: 'revision', content, message: 'Export', author: person, committer: person }
}
