import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually, removeFolder } from '@recto/testing'
import { expect } from '@jest/globals'
import { stack } from './exports.ts'
import { request, type GitOperation } from './walk.ts'

const run = promisify(execFile)
const ref = 'refs/heads/main'
const secret = 'the-secret-of-the-webhooks'

export interface GitSync {
  state: string
  direction: string
  commit?: string
  revision?: string
  failures: number
  lastError?: { code: string; message: string }
  /** Without polls: until when a worker looks at the branch. */
  nextPollAt?: string
  lastImport?: GitOperation
  lastExport?: GitOperation
  webhook: { url: string; secret?: string }
}

export const setSync = (spaceId: string, url: string, settings: object = {}) =>
  request<GitSync>(stack, 'PUT', `/spaces/${spaceId}/git/sync`, {
    url,
    ref,
    direction: 'both',
    pollInterval: 0,
    webhookSecret: secret,
    ...settings,
  })
export const getSync = (spaceId: string) => request<GitSync>(stack, 'GET', `/spaces/${spaceId}/git/sync`)

/** How many operations a space has had, and the directions of the latest, newest first. */
export async function operationsOf(spaceId: string): Promise<(GitOperation & { direction: string })[]> {
  const path = `/spaces/${spaceId}/git/operations?limit=1000`
  return (await request<{ items: (GitOperation & { direction: string })[] }>(stack, 'GET', path)).items
}

/** Expects that both sides are at the tip of the branch, and that nothing runs. */
export async function expectInStep(spaceId: string, repository: string): Promise<GitSync> {
  const sync = await getSync(spaceId)
  const tip = await tipOf(repository)
  const { revision } = (await stack.client.spaces.getSpaceById(spaceId)).data
  expect(sync).toMatchObject({ state: 'synchronized', commit: tip, revision })
  return sync
}

/** Waits until both sides are at the tip of the branch, and nothing runs. */
export const inStep = (spaceId: string, repository: string): Promise<GitSync> =>
  eventually(() => expectInStep(spaceId, repository))

export const tipOf = async (repository: string) =>
  (await run('git', ['-C', repository, 'rev-parse', ref])).stdout.trim()

/** Commits on the branch as somebody else does, and returns the commit; `from` starts from an earlier commit and replaces what came after it. */
export async function pushTo(
  repository: string,
  files: Record<string, string | ((before: string) => string)>,
  { from }: { from?: string } = {},
): Promise<string> {
  // Somebody whose push is refused, because the branch has moved, starts again.
  for (;;) {
    const pushed = await tryToPush(repository, files, from).catch((error: { stderr?: string }) => {
      if (from !== undefined || !/rejected|fetch first/.test(error.stderr ?? '')) throw error
    })
    if (pushed) return pushed
  }
}

async function tryToPush(
  repository: string,
  files: Record<string, string | ((before: string) => string)>,
  from: string | undefined,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recto-push-'))
  const identity = ['-c', 'user.name=A Pusher', '-c', 'user.email=pusher@example.com']
  const git = (...args: string[]) => run('git', ['-C', folder, ...identity, ...args])
  try {
    await run('git', ['clone', '--quiet', '--branch', 'main', repository, folder])
    if (from !== undefined) await git('reset', '--quiet', '--hard', from)
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, path)
      await writeFile(file, typeof text === 'string' ? text : text(await readFile(file, 'utf8')))
    }
    await git('add', '--all')
    await git('commit', '--quiet', '--allow-empty', '--message', 'Push')
    await git('push', '--quiet', ...(from === undefined ? [] : ['--force']), 'origin', 'main')
    return (await git('rev-parse', 'HEAD')).stdout.trim()
  } finally {
    await removeFolder(folder)
  }
}

type Provider = 'github' | 'gitlab' | 'gitea'

interface PushOptions {
  provider?: Provider
  by?: string
  branch?: string
  message?: string
}

/** The webhook of a push as each provider sends it. */
export async function sendPush(
  spaceId: string,
  commit: string,
  { provider = 'github', by = secret, branch = ref, message = 'Grüße' }: PushOptions = {},
): Promise<{ status: number; body: { started?: boolean; message?: string; error?: { message: string } } }> {
  const body = JSON.stringify({ ref: branch, after: commit, commits: [{ id: commit, message }] })
  const signature = createHmac('sha256', by).update(body).digest('hex')
  const headers: Record<Provider, Record<string, string>> = {
    github: { 'X-GitHub-Event': 'push', 'X-Hub-Signature-256': `sha256=${signature}` },
    gitlab: { 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Token': by },
    gitea: { 'X-Gitea-Event': 'push', 'X-Gitea-Signature': signature, 'X-GitHub-Event': 'push' },
  }
  return send(spaceId, body, headers[provider])
}

/** Sends any webhook. */
export async function send(spaceId: string, body: string, headers: Record<string, string>) {
  const reply = await fetch(`${stack.url}/v1/spaces/${spaceId}/git/webhook`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })
  return { status: reply.status, body: (await reply.json()) as { started?: boolean } }
}

/** Merges a change request that adds a page. */
export async function mergePage(spaceId: string, title: string, subject: string): Promise<void> {
  const { spaces } = stack.client
  const { id } = (await spaces.createChangeRequest(spaceId, { subject })).data
  const changes = [{ operation: 'insert_page', title, document: { markdown: `# ${title}\n` } }]
  await request(stack, 'POST', `/spaces/${spaceId}/change-requests/${id}/content`, { changes })
  await spaces.mergeChangeRequest(spaceId, id)
}

/** The titles of the pages of a space at its top. */
export async function titlesOf(spaceId: string): Promise<string[]> {
  const { pages } = (await stack.client.spaces.listPages(spaceId)).data
  return (pages as { title: string }[]).map(({ title }) => title).sort()
}
