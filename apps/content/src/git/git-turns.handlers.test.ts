import { eventually } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aContent, actorWith, type ContentSetup } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent({ GIT_ORGANIZATION_JOBS: '3' })))
beforeEach(() => content.service.db.query('delete from git_operations'))
afterAll(() => content.stop())

const repository = { url: 'https://git.example/owner/docs.git', ref: 'refs/heads/main' }

async function aSpaceIn(organizationId: string) {
  const actor = {
    ...actorWith('admin'),
    memberships: [{ organization: organizationId, role: 'admin' as const, teams: [] }],
  }
  const client = content.asActor(actor)
  const { id: spaceId } = await client.createSpace({ params: { organizationId }, body: {} })
  return async () => {
    await client.importGitRepository({ params: { spaceId }, body: repository })
    const { items } = await client.listGitOperations({ params: { spaceId }, query: { limit: 1 } })
    return items[0]?.id ?? ''
  }
}

async function requested(organizationId: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at++) ids.push(await (await aSpaceIn(organizationId))())
  return ids
}

const dispatched = async () =>
  (
    await content.service.db.query<{ id: string }[]>(
      `select id from git_operations where dispatched and state in ('queued', 'running')`,
    )
  ).map(({ id }) => id)
const start = (operationId: string) => content.calls.startGitOperation({ body: { operationId } })
const fail = async (operationId: string) => {
  await start(operationId)
  const error = { code: 'timeout' as const, message: 'no answer' }
  await content.calls.failGitOperation({ body: { operationId, attempt: 1, error, retry: false, warnings: [] } })
}

describe('the operations of an organization', () => {
  it('are dispatched up to its limit, whatever others have, and the oldest that waits when one ends', async () => {
    const mine = await requested('one', 6)
    const theirs = await requested('two', 2)
    expect((await dispatched()).toSorted()).toEqual([...mine.slice(0, 3), ...theirs].toSorted())
    expect(await start(mine[3] ?? '')).toEqual({ state: 'done' })
    for (const [at, id] of mine.entries()) {
      await eventually(async () => expect(await dispatched()).toContain(id))
      expect((await dispatched()).filter(each => mine.includes(each)).length).toBeLessThanOrEqual(3)
      await fail(id)
      expect(await dispatched()).not.toContain(mine[at + 3])
    }
    await eventually(async () =>
      expect(await dispatched()).toEqual(theirs.toSorted((a, b) => theirs.indexOf(a) - theirs.indexOf(b))),
    )
  })

  it('of one space run one after another, and let other spaces go first that waited longer', async () => {
    const again = await aSpaceIn('one')
    const first = await again()
    const second = await again()
    const others = await requested('one', 3)
    expect((await dispatched()).toSorted()).toEqual([first, ...others.slice(0, 2)].toSorted())
    await fail(first)
    await eventually(async () => expect(await dispatched()).toHaveLength(3))
    expect(await dispatched()).toContain(second)
  })

  it('requested at once never exceed the limit', async () => {
    const spaces = await Promise.all(Array.from({ length: 12 }, () => aSpaceIn('one')))
    await Promise.all(spaces.map(request => request()))
    expect(await dispatched()).toHaveLength(3)
  })
})

describe('a job that a worker returns', () => {
  const dueIn = async (id: string) => {
    const [row] = await content.service.db.query<{ seconds: number }[]>(
      `select extract(epoch from dispatch_at - now())::float8 as seconds from outbox where id = $1 and done_at is null`,
      [id],
    )
    return row?.seconds
  }

  it('is offered again soon, and can then be started', async () => {
    const [id = ''] = await requested('one', 1)
    await content.service.db.query(`update outbox set dispatch_at = now() + interval '1 hour' where id = $1`, [id])
    await content.calls.returnGitOperation({ body: { operationId: id } })
    expect(await dueIn(id)).toBeLessThan(10)
    expect(await start(id)).toMatchObject({ state: 'run', attempt: 1, organizationId: 'one' })
  })

  it('is not, while another worker runs it, or when it is over', async () => {
    const [id = ''] = await requested('one', 1)
    await start(id)
    await content.service.db.query(`update outbox set dispatch_at = now() + interval '1 hour' where id = $1`, [id])
    await content.calls.returnGitOperation({ body: { operationId: id } })
    expect(await dueIn(id)).toBeGreaterThan(1_000)
    await fail(id)
    await content.calls.returnGitOperation({ body: { operationId: id } })
    expect(await dueIn(id)).toBeUndefined()
    await content.calls.returnGitOperation({ body: { operationId: 'none' } })
  })
})
