import { eventually } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aWorker, repository } from '../test/a-worker.ts'
import { aGitSetup, type GitSetup } from '../test/git-setup.ts'

let setup: GitSetup
beforeAll(async () => void (setup = await aGitSetup({ environment: { GIT_ORGANIZATION_JOBS: '3' } })))
beforeEach(() => setup.db.query('delete from git_operations'))
afterAll(() => setup.stop())

const worker = aWorker(() => setup)

async function aSpaceIn(organizationId: string) {
  const client = setup.as('admin', organizationId)
  const spaceId = await setup.content.aSpace(organizationId)
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
    await setup.db.query<{ id: string }[]>(
      `select id from git_operations where dispatched and state in ('queued', 'running')`,
    )
  ).map(({ id }) => id)
const fail = async (operationId: string) => worker.fail(await worker.work(operationId))

describe('Turns of operations', () => {
  it('The operations of an organization are dispatched up to its limit, and then the oldest that waits when one ends', async () => {
    const mine = await requested('one', 6)
    const theirs = await requested('two', 2)
    expect((await dispatched()).toSorted()).toEqual([...mine.slice(0, 3), ...theirs].toSorted())
    expect(await worker.start(mine[3] ?? '')).toBe('done')
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

  it('The operations of one space run one after another, after those of other spaces that waited longer', async () => {
    const again = await aSpaceIn('one')
    const first = await again()
    const second = await again()
    const others = await requested('one', 3)
    expect((await dispatched()).toSorted()).toEqual([first, ...others.slice(0, 2)].toSorted())
    await fail(first)
    await eventually(async () => expect(await dispatched()).toHaveLength(3))
    expect(await dispatched()).toContain(second)
  })

  it('Operations of an organization that are requested at once never exceed the limit', async () => {
    const spaces = await Promise.all(Array.from({ length: 12 }, () => aSpaceIn('one')))
    await Promise.all(spaces.map(request => request()))
    expect(await dispatched()).toHaveLength(3)
  })
})

describe('Returned jobs', () => {
  const dueIn = async (id: string) => {
    const [row] = await setup.db.query<{ seconds: number }[]>(
      `select extract(epoch from dispatch_at - now())::float8 as seconds from outbox where id = $1 and done_at is null`,
      [id],
    )
    return row?.seconds
  }

  it('A job that a worker returns is queued again soon, and can then be started', async () => {
    const [id = ''] = await requested('one', 1)
    await setup.db.query(`update outbox set dispatch_at = now() + interval '1 hour' where id = $1`, [id])
    await worker.requeue(id)
    expect(await dueIn(id)).toBeLessThan(10)
    expect(await worker.start(id)).toMatchObject({ attempt: 1, organizationId: 'one' })
  })

  it('A job that a worker returns is not queued again while another worker runs it, or when it is over', async () => {
    const [id = ''] = await requested('one', 1)
    const work = await worker.work(id)
    await setup.db.query(`update outbox set dispatch_at = now() + interval '1 hour' where id = $1`, [id])
    await worker.requeue(id)
    expect(await dueIn(id)).toBeGreaterThan(1_000)
    await worker.fail(work)
    await worker.requeue(id)
    expect(await dueIn(id)).toBeUndefined()
    await worker.requeue('none')
  })
})
