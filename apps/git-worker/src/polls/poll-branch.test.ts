import { Failure } from '@recto/operation'
import { createOutgoing, type Outgoing } from '@recto/outgoing'
import { aGitServer, aRepository, eventually, freePort, type GitServer, type TestRepository } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { OrganizationQuota } from '../jobs/organization-quota.ts'
import { pollBranch } from './poll-branch.ts'
import type { Branch, PollResult, Polls } from './polls.ts'

const auth = { username: 'reader', password: 'the-git-secret' }
let repository: TestRepository
let server: GitServer
let outgoing: Outgoing
const quota = new OrganizationQuota(2)
const lines: string[] = []
const keep = (details: object, message: string) => void lines.push(JSON.stringify([details, message]))

beforeAll(async () => {
  repository = await aRepository({ files: { 'README.md': '# Home\n' } })
  server = await aGitServer({ repositories: { docs: repository.path }, auth })
  outgoing = createOutgoing({ allow: '127.0.0.1', timeoutMs: 20_000, maxBytes: 1e6 })
})
beforeEach(() => void (lines.length = 0))
afterAll(async () => {
  await outgoing.close()
  await server.stop()
  await repository.remove()
})

type Result = PollResult & { syncId: string; poll: string }

/** A queue that hands out this branch, and what was reported to it. */
function aPoll(branch: Partial<Branch> | 'done', signal = new AbortController().signal) {
  const reported: Result[] = []
  const work = {
    syncId: 'sync',
    spaceId: 'space',
    poll: 'one',
    organizationId: 'an-organization',
    url: server.url('docs'),
    credentials: auth,
    ref: 'refs/heads/main',
  }
  const polls: Polls = {
    start: async () => (branch === 'done' ? undefined : { ...work, ...branch }),
    async finish({ syncId, poll }, result) {
      reported.push({ syncId, poll, ...result })
    },
  }
  return { reported, tools: { polls, outgoing, quota, log: { info: keep, error: keep }, signal } }
}

describe('Polls of branches', () => {
  it('A poll is left to a later delivery while the organization uses its share of the slots', async () => {
    const { tools, reported } = aPoll({})
    const release = quota.take('an-organization')
    expect(await pollBranch(tools, { syncId: 'sync' })).toBe('done')
    expect(reported).toEqual([])
    release?.()
    await pollBranch(tools, { syncId: 'sync' })
    expect(reported).toHaveLength(1)
  })

  it('A poll reports which commit the branch is at', async () => {
    const { tools, reported } = aPoll({})
    expect(await pollBranch(tools, { syncId: 'sync' })).toBe('done')
    expect(reported).toEqual([{ syncId: 'sync', poll: 'one', tip: repository.commit }])
    const commit = await repository.addCommit({ 'a.md': '# A\n' })
    await pollBranch(tools, { syncId: 'sync' })
    expect(reported[1]).toMatchObject({ tip: commit })
    expect(lines.join()).not.toContain(auth.password)
  })

  it.each<[string, () => Promise<object> | object, string]>([
    ['wrong credentials', () => ({ credentials: { ...auth, password: 'hunter2' } }), 'authentication_failed'],
    ['no credentials', () => ({ credentials: undefined }), 'authentication_failed'],
    ['no such branch', () => ({ ref: 'refs/heads/other' }), 'branch_not_found'],
    ['no such repository', () => ({ url: server.url('nothing') }), 'repository_not_found'],
    ['no server', async () => ({ url: `http://127.0.0.1:${await freePort()}/docs.git` }), 'unreachable'],
    ['a private address', () => ({ url: 'http://10.0.0.1/docs.git' }), 'refused_address'],
  ])('A poll reports %s as a failure', async (_case, branch, code) => {
    const { tools, reported } = aPoll(await branch())
    expect(await pollBranch(tools, { syncId: 'sync' })).toBe('done')
    expect(reported).toMatchObject([{ poll: 'one', error: { code, message: expect.any(String) } }])
    expect(JSON.stringify([reported, lines])).not.toMatch(/hunter2|the-git-secret/)
  })

  it('A poll that is not needed any more contacts no server', async () => {
    const before = server.requests.length
    const { tools, reported } = aPoll('done')
    expect(await pollBranch(tools, { syncId: 'sync' })).toBe('done')
    expect([reported, server.requests.length]).toEqual([[], before])
  })

  it('A poll returns its job when the worker stops', async () => {
    const stopping = new AbortController()
    const { tools, reported } = aPoll({}, stopping.signal)
    server.pause()
    const polled = pollBranch(tools, { syncId: 'sync' })
    await eventually(() => expect(server.held()).toBe(1))
    stopping.abort(new Error('The worker stops'))
    expect(await polled).toEqual({ retryIn: expect.any(Number) })
    server.resume()
    expect(reported).toEqual([])
  })

  it('A poll throws when content is unavailable, so that the job is delivered again', async () => {
    const { tools } = aPoll({})
    const polls = { ...tools.polls, finish: () => Promise.reject(new Failure('unavailable', 'x')) }
    await expect(pollBranch({ ...tools, polls }, { syncId: 'sync' })).rejects.toMatchObject({ code: 'unavailable' })
  })
})
