import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import {
  aGitServer,
  aRepository,
  aRestartableNats,
  eventually,
  type GitServer,
  type RestartableNats,
  waitLimit,
} from '@recto/testing'
import { expect } from '@jest/globals'
import { aGitProxy, type GitProxy, type Hold } from './git-proxy.ts'
import { beforeGit, stages, type Stage } from './git-stages.ts'
import { aNatsProxy, type NatsProxy } from './nats-proxy.ts'
import { removeData, startStack, type Stack } from './stack.ts'
import { aSpace, importRepository, request, waitForEnd, type GitOperation } from './walk.ts'

const run = promisify(execFile)

/** A space and its repository, and what is to be found in both. */
export interface Site {
  stage: Stage
  spaceId: string
  repository: string
  path: string
  pageId: string
  text: string
  commits: number
  revisions: number
}

/** The product behind proxies that keep back what passes, and one site for each stage. */
export interface Faults {
  stack: Stack
  git: GitProxy
  nats: NatsProxy
  bus: RestartableNats
  sites: Site[]
  /** The requests that are kept back now. */
  holds: Hold[]
  stop(): Promise<void>
}

const manual = {
  'README.md': '# Home\n',
  'page.md': '# Page\n\nfirst\n',
  'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [Page](page.md)\n',
}

/** Starts the product, and imports a repository for each stage. */
export async function startFaults(): Promise<Faults> {
  const repositories = await Promise.all(stages.map(() => aRepository({ files: manual })))
  const served = Object.fromEntries(repositories.map(({ path }, at) => [`r${at}`, path]))
  const server: GitServer = await aGitServer({ repositories: served })
  const git = await aGitProxy(server.port)
  const bus = await aRestartableNats({ maxPayload: 8 * 1024 * 1024 })
  const nats = await aNatsProxy(bus.port)
  const url = new URL(bus.url)
  url.port = String(nats.port)
  const env = {
    RATE_LIMIT: '1000000',
    GIT_CONCURRENCY: '40',
    GIT_SILENCE: '60000',
    // All operations start at once: a slow machine has more than the 15 seconds of a request to do then.
    REQUEST_TIMEOUT: String(waitLimit),
    CALL_TIMEOUT: '30000',
    NATS_URL: url.href,
  }
  const stack = await startStack({ env })
  const sites = await Promise.all(
    stages.map((stage, at) => aSite(stack, git, { stage, repository: `r${at}`, path: served[`r${at}`] ?? '' })),
  )
  const stop = async () => {
    await stack.stop()
    await Promise.all([git.stop(), nats.stop()])
    await Promise.all([server.stop(), bus.stop(), removeData(stack.dataDir)])
    await Promise.all(repositories.map(repository => repository.remove()))
  }
  return { stack, git, nats, bus, sites, holds: [], stop }
}

async function aSite(stack: Stack, git: GitProxy, source: Pick<Site, 'stage' | 'repository' | 'path'>): Promise<Site> {
  const { spaceId } = await aSpace(stack)
  expect(await importRepository(stack, spaceId, git.url(source.repository))).toMatchObject({ state: 'success' })
  const { pages } = (await stack.client.spaces.listPages(spaceId)).data
  const pageId = pages.find(({ title }) => title === 'Page')?.id ?? ''
  return { ...source, spaceId, pageId, text: 'first', commits: 1, revisions: 2 }
}

/** Commits a text to the page in the repository, as somebody else. */
export async function commitText(site: Site, text: string): Promise<void> {
  const content = `# Page\n\n${text}\n`
  const importer = spawn('git', ['-C', site.path, 'fast-import', '--quiet', '--date-format=now'], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  importer.stdin.end(
    [
      'commit refs/heads/main',
      'committer A Writer <writer@example.com> now',
      `data ${Buffer.byteLength(text)}\n${text}`,
      'from refs/heads/main^0',
      `M 100644 inline page.md\ndata ${Buffer.byteLength(content)}\n${content}`,
      'done\n',
    ].join('\n'),
  )
  expect(await once(importer, 'exit')).toEqual([0, null])
  Object.assign(site, { text, commits: site.commits + 1, revisions: site.revisions + 1 })
}

/** Writes a text to the page in the space; the export of it makes a commit, and the revision that knows that. */
export async function editText({ stack }: Faults, site: Site, text: string): Promise<void> {
  const document = { markdown: `# Page\n\n${text}\n` }
  const changes = [{ operation: 'update_page', page: site.pageId, document }]
  await request(stack, 'POST', `/spaces/${site.spaceId}/content`, { changes })
  Object.assign(site, { text, commits: site.commits + 1, revisions: site.revisions + 2 })
}

/** Starts an operation and returns its id. */
export async function ask({ stack, git }: Faults, site: Site, direction: Stage['direction']): Promise<string> {
  const { spaceId, repository } = site
  const url = git.url(repository)
  const ref = 'refs/heads/main'
  if (direction === 'import') await stack.client.spaces.importGitRepository(spaceId, { url, ref })
  else await stack.client.spaces.exportToGitRepository(spaceId, { url, ref, commitMessage: 'Export' })
  const { items } = await request<{ items: GitOperation[] }>(stack, 'GET', `/spaces/${spaceId}/git/operations?limit=1`)
  return items[0]?.id ?? ''
}

/** An operation that is kept back at its stage. */
export interface Started {
  site: Site
  operationId: string
  hold: Hold
}

/** Starts an operation of each site, and resolves when all have reached their stages. */
export async function reachStages(faults: Faults, text: string): Promise<Started[]> {
  const { sites, stack } = faults
  await Promise.all(
    sites.map(site => (site.stage.direction === 'import' ? commitText(site, text) : editText(faults, site, text))),
  )
  const started = await Promise.all(sites.map(site => start(faults, site)))
  await Promise.all(
    started.map(async ({ site, operationId, hold }) => {
      const { direction, name } = site.stage
      const missed = async () => {
        const operation = await request<GitOperation>(
          stack,
          'GET',
          `/spaces/${site.spaceId}/git/operations/${operationId}`,
        )
        return new Error(`the ${direction} did not get ${name}: ${JSON.stringify(operation)}`)
      }
      await expect(Promise.race([hold.reached, failLate(missed)])).resolves.toBeUndefined()
    }),
  )
  return started
}

/** Starts an operation that is kept back at its stage, and before its git server until its messages can be told from others. */
async function start(faults: Faults, site: Site): Promise<Started> {
  const { stack, git, nats, holds } = faults
  const { spaceId, repository, stage } = site
  const held = { operationId: '', spaceId, repository, git, nats, dataDir: stack.dataDir }
  const first = await (stage.needsOperation ? beforeGit(held) : stage.hold(held))
  holds.push(first)
  // Where another one does not start, nobody waits for it.
  first.reached.catch(() => undefined)
  const operationId = await ask(faults, site, stage.direction)
  if (!stage.needsOperation) return { site, operationId, hold: first }
  const hold = await stage.hold({ ...held, operationId })
  holds.push(hold)
  first.release()
  return { site, operationId, hold }
}

/** Lets everything pass that is kept back. */
export function release({ holds }: Faults): void {
  for (const hold of holds.splice(0)) hold.release()
}

/** Rejects after the time that a test waits at most, with what went wrong. */
function failLate(describe: () => Promise<Error>): Promise<never> {
  return new Promise((_resolve, reject) => setTimeout(() => void describe().then(reject, reject), waitLimit).unref())
}

/** Waits for the ends of operations. */
export function ends({ stack }: Faults, started: Started[]): Promise<GitOperation[]> {
  return Promise.all(started.map(({ site, operationId }) => waitForEnd(stack, site.spaceId, operationId)))
}

/** Expects that the repository and the space of each site have all that was written, once. */
export async function expectOnce({ stack, sites }: Faults): Promise<void> {
  const findingsOfSites = await Promise.all(sites.map(site => eventually(() => findings(stack, site))))
  expect(findingsOfSites).toEqual(
    sites.map(({ stage: { direction, name }, text, commits, revisions }) => ({
      direction,
      name,
      fsck: '',
      isCurrent: true,
      isLinear: true,
      remote: `# Page\n\n${text}\n`,
      page: expect.stringContaining(text),
      commits,
      revisions,
    })),
  )
}

interface Revision {
  id: string
  parents: string[]
  git?: { oid: string }
}

async function findings({ client }: Stack, { stage, spaceId, path, pageId }: Site): Promise<object> {
  const inRepository = async (...args: string[]) => (await run('git', ['-C', path, ...args])).stdout
  const { items } = await request<{ items: Revision[] }>({ client }, 'GET', `/spaces/${spaceId}/revisions?limit=1000`)
  const { data } = await client.spaces.getPageById(spaceId, pageId, { format: 'markdown' })
  const { data: current } = await client.spaces.getCurrentRevision(spaceId)
  return {
    direction: stage.direction,
    name: stage.name,
    fsck: await inRepository('fsck', '--strict', '--no-dangling'),
    isCurrent: current.git?.oid === (await inRepository('rev-parse', 'main')).trim(),
    isLinear: items.every(({ parents }, at) => (parents[0] ?? undefined) === items[at + 1]?.id),
    remote: await inRepository('show', 'main:page.md'),
    page: (data as { markdown?: string }).markdown,
    commits: Number(await inRepository('rev-list', '--count', 'main')),
    revisions: items.length,
  }
}
