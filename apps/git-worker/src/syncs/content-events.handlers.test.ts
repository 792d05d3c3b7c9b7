import { eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aSynchronisation, branch } from '../test/a-synchronisation.ts'
import { aGitSetup, type GitSetup } from '../test/git-setup.ts'

let setup: GitSetup
beforeAll(async () => void (setup = await aGitSetup()))
afterAll(() => setup.stop())

const sync = aSynchronisation(() => setup)
const main = (spaceId: string) => setup.content.space(spaceId).revision
const edit = (spaceId: string, title: string) => setup.content.edit(spaceId, title.toLowerCase())
const pages = (spaceId: string) => setup.content.pages(spaceId)

type Direction = 'import' | 'export' | 'both'

const count = async (spaceId: string) => (await sync.operations(spaceId)).length

describe('Changes of main content', () => {
  it.each<[Direction, number]>([
    ['import', 0],
    ['export', 1],
    ['both', 1],
  ])('A change of main content in the direction %s starts %i exports', async (direction, exports) => {
    const spaceId = await sync.synchronised(direction)
    expect(await sync.open(spaceId)).toEqual([])
    await edit(spaceId, 'B')
    await sync.waitUntilDecided(spaceId)
    expect(await sync.open(spaceId)).toMatchObject(Array(exports).fill({ direction: 'export', automatic: true }))
  })

  it('Changes of main content at the same time are exported in one operation, besides at most one that waits', async () => {
    const spaceId = await sync.synchronised('export')
    for (const title of ['B', 'C', 'D', 'E']) await edit(spaceId, title)
    await sync.waitUntilDecided(spaceId)
    expect(await sync.open(spaceId)).toHaveLength(1)
    const work = await sync.start(spaceId, 'export')
    await edit(spaceId, 'F')
    await edit(spaceId, 'G')
    await sync.waitUntilDecided(spaceId)
    expect(await sync.open(spaceId)).toMatchObject([{ id: work.operationId, state: 'running' }])
    expect(work.export?.revision).not.toBe(await main(spaceId))
    await sync.worker.fail(work, { retry: true })
    // All attempts of an export write the same revision; what came since is exported behind it.
    await sync.export(spaceId, 'c2')
    await sync.export(spaceId, 'c3')
    expect(await sync.open(spaceId)).toEqual([])
    expect(await sync.get(spaceId)).toMatchObject({
      state: 'synchronized',
      commit: 'c3',
      revision: await main(spaceId),
    })
  })

  it('A change of main content during an export is exported after it', async () => {
    const spaceId = await sync.synchronised('both')
    await edit(spaceId, 'B')
    const work = await sync.start(spaceId, 'export')
    await edit(spaceId, 'C')
    await sync.waitUntilDecided(spaceId)
    await sync.worker.finishExport(work, { oid: 'c2' })
    const latest = await main(spaceId)
    expect((await sync.export(spaceId, 'c3')).export).toMatchObject({ revision: latest })
    await sync.waitUntilDecided(spaceId)
    expect([await sync.open(spaceId), await count(spaceId)]).toEqual([[], 3])
  })

  it('A change of main content by a merge is exported with its number, its subject, and who merged as the author', async () => {
    const spaceId = await sync.synchronised('export', {
      commitMessageTemplate: 'docs: {change_request_subject} (#{change_request_number})',
    })
    const merged = { number: 1, subject: 'Explain B' }
    await setup.content.edit(spaceId, 'b', { merged, editor: 'user-review' })
    await edit(spaceId, 'C')
    const work = await sync.start(spaceId, 'export')
    expect(work.export).toMatchObject({
      message: 'docs: Explain B (#1)',
      author: { name: 'user-review', email: 'user-review@users.recto.test' },
    })
  })

  it.each([
    [undefined, 'Update content'],
    ['{change_request_subject}', 'Update content'],
    ['docs', 'docs'],
  ])(
    'A change of main content by an edit with the template %j is exported as %j, by its author',
    async (commitMessageTemplate, message) => {
      const spaceId = await sync.synchronised(
        'export',
        commitMessageTemplate === undefined ? {} : { commitMessageTemplate },
      )
      await edit(spaceId, 'B')
      expect((await sync.start(spaceId, 'export')).export).toMatchObject({ message, author: { name: 'user-edit' } })
    },
  )

  it('A change of main content that was not handled is found by the catch-up of another process', async () => {
    const spaceId = await sync.synchronised('export')
    await edit(spaceId, 'B')
    await sync.export(spaceId, 'c2')
    await sync.waitUntilDecided(spaceId)
    await setup.db.query(`update git_syncs set synced_revision = 'none' where space_id = $1`, [spaceId])
    const again = await setup.startAgain()
    await eventually(async () => expect(await sync.open(spaceId)).toMatchObject([{ direction: 'export' }]))
    await again.stop()
  })
})

describe('Changes on both sides', () => {
  it('Changes on both sides are exported first, and then the changes of the branch are imported', async () => {
    const spaceId = await sync.synchronised('both')
    await edit(spaceId, 'B')
    const met = await sync.export(spaceId, 'c3', true)
    expect(met).toMatchObject({ direction: 'export', force: false })
    await sync.import(spaceId, ['a', 'b'], 'c3')
    await sync.waitUntilDecided(spaceId)
    expect([await sync.open(spaceId), await count(spaceId)]).toEqual([[], 3])
    expect(await sync.get(spaceId)).toMatchObject({ commit: 'c3', revision: await main(spaceId) })
  })

  it('Changes of the branch are still imported when another export comes in between', async () => {
    const spaceId = await sync.synchronised('both')
    await edit(spaceId, 'B')
    const work = await sync.start(spaceId, 'export')
    await edit(spaceId, 'C')
    await sync.worker.finishExport(work, { oid: 'c3', isPartial: true })
    await sync.export(spaceId, 'c4')
    await sync.import(spaceId, ['a', 'b', 'c', 'd'], 'c4')
    expect(await pages(spaceId)).toEqual(['a', 'b', 'c', 'd'])
    expect(await sync.get(spaceId)).toMatchObject({ state: 'synchronized', commit: 'c4' })
  })

  it('An import gives way when main content changes meanwhile, so that no change is lost', async () => {
    const spaceId = await sync.synchronised('both')
    await sync.push(spaceId, 'c2')
    await (await sync.poll(spaceId)).finish({ tip: 'c2' })
    await edit(spaceId, 'B')
    await sync.waitUntilDecided(spaceId)
    const before = await main(spaceId)
    expect(await sync.import(spaceId, ['a'], 'c2')).toBe(before)
    expect(await pages(spaceId)).toEqual(['a', 'b'])
    expect((await sync.operations(spaceId)).map(({ direction, state }) => [direction, state])).toEqual([
      ['export', 'queued'],
      ['import', 'skipped'],
      ['import', 'success'],
    ])
    await sync.export(spaceId, 'c3', true)
    await sync.import(spaceId, ['a', 'b'], 'c3')
    expect(await pages(spaceId)).toEqual(['a', 'b'])
  })

  it('Changes of a space that was only imported are exported when it is synchronised both ways', async () => {
    const spaceId = await sync.synchronised('import')
    await edit(spaceId, 'B')
    await sync.waitUntilDecided(spaceId)
    expect(await sync.open(spaceId)).toEqual([])
    await sync.set(spaceId, { direction: 'both' })
    await sync.export(spaceId, 'c2')
    expect(await pages(spaceId)).toEqual(['a', 'b'])
  })

  it('The branch wins over changes on both sides in the direction import', async () => {
    const spaceId = await sync.synchronised('import')
    await edit(spaceId, 'B')
    await sync.push(spaceId, 'c2')
    await (await sync.poll(spaceId)).finish({ tip: 'c2' })
    await sync.import(spaceId, ['a'], 'c2')
    expect(await pages(spaceId)).toEqual(['a'])
  })
})

describe('Requested imports', () => {
  it('A requested import of the synchronised branch is not exported, and its commit counts as synchronised', async () => {
    const spaceId = await sync.synchronised('both')
    await sync.worker.import(spaceId, ['a'], { ...branch, oid: 'c2' })
    await sync.waitUntilDecided(spaceId)
    expect(await sync.open(spaceId)).toEqual([])
    expect(await sync.push(spaceId, 'c2')).toMatchObject({ started: false })
  })

  it('A requested import of another branch is exported like any other change', async () => {
    const spaceId = await sync.synchronised('both')
    await sync.worker.import(spaceId, ['z'], { ...branch, ref: 'refs/heads/other', oid: 'd1' })
    await sync.waitUntilDecided(spaceId)
    expect(await sync.open(spaceId)).toMatchObject([{ direction: 'export' }])
  })
})

describe('Spaces', () => {
  it('A space that is deleted is not synchronised, and goes on when it is restored', async () => {
    const spaceId = await sync.synchronised('both', { pollInterval: 60 })
    setup.content.remove(spaceId)
    expect(await sync.push(spaceId, 'c2')).toMatchObject({ started: false, message: expect.stringMatching(/deleted/) })
    await sync.makeDue(spaceId)
    await eventually(async () => expect((await sync.rowOf(spaceId)).dueAt).toBeNull())
    expect(await sync.isPolled(spaceId)).toBe(false)
    await setup.content.restore(spaceId)
    await eventually(async () => expect(await sync.isPolled(spaceId)).toBe(true))
    await (await sync.poll(spaceId)).finish({ tip: 'c2' })
    await sync.import(spaceId, ['a'], 'c2')
    expect(await sync.get(spaceId)).toMatchObject({ state: 'synchronized', commit: 'c2' })
  })

  it('A space that is deleted during a poll of its branch is polled again when it is restored', async () => {
    const spaceId = await sync.synchronised('both')
    await sync.push(spaceId, 'c2')
    setup.content.remove(spaceId)
    expect((await sync.poll(spaceId)).work).toBeUndefined()
    await setup.content.restore(spaceId)
    await eventually(async () => expect((await sync.poll(spaceId)).work).toBeDefined())
  })

  it('A space that is purged leaves nothing of it behind', async () => {
    const spaceId = await sync.synchronised('both')
    await edit(spaceId, 'B')
    await sync.start(spaceId, 'export')
    await setup.content.purge(spaceId)
    await setup.content.waitUntilHandled()
    for (const table of ['git_syncs', 'git_operations'])
      expect(await setup.db.query(`select 1 from ${table} where space_id = $1`, [spaceId])).toEqual([])
    await expect(sync.push(spaceId, 'c2')).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  it('A space that is transferred stays synchronised, for those who manage it there', async () => {
    const spaceId = await sync.synchronised('both')
    setup.content.space(spaceId).organizationId = 'elsewhere'
    await expect(sync.get(spaceId)).rejects.toMatchObject({ code: 'not_found' })
    const there = setup.as('admin', 'elsewhere')
    expect(await there.getGitSync({ params: { spaceId } })).toMatchObject({ state: 'synchronized', commit: 'c1' })
    expect(await sync.push(spaceId, 'c2')).toMatchObject({ started: true })
  })
})
