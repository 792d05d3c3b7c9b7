import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { promisify } from 'node:util'
import { eventually, type TestRepository } from '@recto/testing'
import { expect } from '@jest/globals'
import type { Forge, ForgeName } from './forge.ts'
import { ask, type Answer } from './reader-sites.ts'
import type { Installation } from './stack.ts'
import { request } from './walk.ts'

const run = promisify(execFile)
const secret = 'the-secret-of-the-webhooks'

export interface GitPreview {
  id: string
  number: number
  title?: string
  state: string
  access: string
  address?: string
  head?: string
  commit?: string
  error?: { code: string; message: string; path?: string }
  report?: { pages: object; faults: { errors: number; items: { path: string; line?: number }[] }; roundTrip: object }
  status?: { commit: string; state: string; delivered: boolean; error?: string }
}

/** A space that is synchronised with a repository of a forge, and shown by a published site. */
export interface PreviewedSpace {
  stack: Installation
  organizationId: string
  spaceId: string
  siteId: string
  /** Where the site is at the reader. */
  siteUrl: string
  repository: TestRepository
  forge: Forge
}

const refOf = (name: ForgeName, number: number) =>
  `refs/${name === 'gitlab' ? 'merge-requests' : 'pull'}/${number}/head`

/** Pushes to a pull request from a fork: the repository has its commits at the ref of the pull request alone. */
export async function pushToFork(
  { repository, forge }: Pick<PreviewedSpace, 'repository' | 'forge'>,
  number: number,
  files: Record<string, string>,
): Promise<string> {
  const branch = `fork-${number}`
  const commit = await repository.addCommit(files, { branch })
  await run('git', ['-C', repository.path, 'update-ref', refOf(forge.name, number), commit])
  await run('git', ['-C', repository.path, 'update-ref', '-d', `refs/heads/${branch}`])
  return commit
}

/** Removes the ref of a pull request. */
export async function removeRef(
  { repository, forge }: Pick<PreviewedSpace, 'repository' | 'forge'>,
  number: number,
): Promise<void> {
  await run('git', ['-C', repository.path, 'update-ref', '-d', refOf(forge.name, number)])
}

let seconds = Date.parse('2026-11-26T10:00:00Z') / 1_000

interface PullEvent {
  number: number
  state: 'open' | 'closed' | 'merged'
  commit: string
  /** Sends it as of an earlier time. */
  at?: number
  by?: string
}

/** Sends the webhook of a pull request as its forge does, and returns the reply. */
export async function sendPull(
  { stack, spaceId, forge }: Pick<PreviewedSpace, 'stack' | 'spaceId' | 'forge'>,
  { number, state, commit, at = seconds++, by = secret }: PullEvent,
): Promise<{ status: number; body: { started?: boolean; message?: string } }> {
  const body = JSON.stringify(forge.name === 'gitlab' ? ofGitLab() : ofGitHub())
  const signature = createHmac('sha256', by).update(body).digest('hex')
  const headers: Record<ForgeName, Record<string, string>> = {
    github: { 'X-GitHub-Event': 'pull_request', 'X-Hub-Signature-256': `sha256=${signature}` },
    gitlab: { 'X-Gitlab-Event': 'Merge Request Hook', 'X-Gitlab-Token': by },
    gitea: { 'X-Gitea-Event': 'pull_request', 'X-Gitea-Signature': signature },
    forgejo: { 'X-Forgejo-Event': 'pull_request', 'X-Forgejo-Signature': signature },
  }
  const reply = await fetch(`${stack.url}/v1/spaces/${spaceId}/git/webhook`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers[forge.name] },
    body,
  })
  return { status: reply.status, body: (await reply.json()) as { started?: boolean } }

  function ofGitHub() {
    const time = new Date(at * 1_000).toISOString()
    const pull = {
      number,
      title: `Pull ${number}`,
      html_url: `https://forge.example/pull/${number}`,
      merged: state === 'merged',
    }
    const sides = { head: { sha: commit, repo: { fork: true } }, base: { ref: 'main' } }
    return {
      action: 'any',
      pull_request: { ...pull, ...sides, state: state === 'open' ? state : 'closed', updated_at: time },
    }
  }

  function ofGitLab() {
    const time = new Date(at * 1_000).toISOString().replace('T', ' ').replace('.000Z', ' UTC')
    const attributes = { iid: number, title: `Pull ${number}`, url: `https://forge.example/merge_requests/${number}` }
    const sides = { last_commit: { id: commit }, target_branch: 'main', updated_at: time }
    return {
      object_kind: 'merge_request',
      object_attributes: { ...attributes, ...sides, state: state === 'open' ? 'opened' : state },
    }
  }
}

/** Sets the synchronisation of a space, with previews by default. */
export function setPreviews(
  { stack, spaceId, forge }: Pick<PreviewedSpace, 'stack' | 'spaceId' | 'forge'>,
  url: string,
  settings: object = {},
) {
  return request<{ previews?: object; state: string }>(stack, 'PUT', `/spaces/${spaceId}/git/sync`, {
    url,
    ref: 'refs/heads/main',
    direction: 'import',
    pollInterval: 0,
    webhookSecret: secret,
    previews: { forge: forge.name, apiUrl: forge.apiUrl, statusToken: forge.token },
    ...settings,
  })
}

export const previewsOf = async ({ stack, spaceId }: Pick<PreviewedSpace, 'stack' | 'spaceId'>) =>
  (await request<{ items: GitPreview[] }>(stack, 'GET', `/spaces/${spaceId}/git/previews`)).items

/** Waits until the preview of a pull request shows a commit that was checked, and its forge has its status. */
export function untilChecked(space: PreviewedSpace, number: number, commit: string): Promise<GitPreview> {
  return eventually(async () => {
    const preview = (await previewsOf(space)).find(each => each.number === number)
    expect(preview).toMatchObject({ state: 'ready', commit, status: { commit, delivered: true } })
    return preview as GitPreview
  })
}

/** Reads a path of a preview at the reader; its published address has another host there. */
export async function readPreview(
  { siteUrl }: PreviewedSpace,
  address: string | undefined,
  path = '',
): Promise<Answer> {
  return ask(`${siteUrl}/${(address ?? '').replace(/^.*?~\//, '~/')}${path}`)
}
