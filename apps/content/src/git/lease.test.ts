import { eventually } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aContent, type ContentSetup, organization } from '../test/content-setup.ts'
import { renewLease, withLease } from './lease.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

/** An operation whose worker was last heard of a minute ago. */
async function aSilentAttempt(): Promise<string> {
  const params = { organizationId: organization }
  const { id: spaceId } = await content.as('create').createSpace({ params, body: {} })
  const body = { url: 'https://git.example/owner/docs.git', ref: 'refs/heads/main' }
  await content.as('create').importGitRepository({ params: { spaceId }, body })
  const { items } = await content.as('create').listGitOperations({ params: { spaceId } })
  const id = items[0]?.id ?? ''
  await content.calls.startGitOperation({ body: { operationId: id } })
  const silent = `update git_operations set heartbeat_at = now() - interval '1 minute' where id = $1`
  await content.service.db.query(silent, [id])
  return id
}

const start = (operationId: string) => content.calls.startGitOperation({ body: { operationId } })

it('is kept by content during the work that it does for an attempt', async () => {
  const id = await aSilentAttempt()
  const heard = () => content.service.db.query(`select heartbeat_at from git_operations where id = $1`, [id])
  const before = await heard()
  const work = withLease(content.service.db, { id, attempt: 1 }, async () => {
    await eventually(async () => expect(await heard()).not.toEqual(before))
    expect(await start(id)).toEqual({ state: 'busy' })
    return 'worked'
  })
  expect(await work).toBe('worked')
})

it('is not renewed for an attempt that has lost it', async () => {
  const id = await aSilentAttempt()
  expect(await start(id)).toMatchObject({ state: 'run', attempt: 2 })
  expect(await renewLease(content.service.db, { id, attempt: 1 })).toBe(false)
  expect(await renewLease(content.service.db, { id, attempt: 2 })).toBe(true)
})
