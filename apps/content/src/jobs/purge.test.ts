import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { query, transact } from '@recto/database'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  aCollection,
  aContent,
  aGrant,
  aManifest,
  aSpace,
  type ContentSetup,
  importInto,
} from '../test/content-setup.ts'
import { purge, sweep } from './purge.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const admin = () => content.as('admin')
const hour = 3_600_000
const day = 86_400_000
const longAgo = () => new Date(Date.now() - 7 * day - 1000)
const purgeNow = (now = new Date()) =>
  purge({ transaction: work => transact(content.service.db, () => undefined, work), now })
const sweepNow = (now = new Date(Date.now() + hour)) => sweep({ db: content.service.db, blobs: content.blobs, now })
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const rows = async (sql: string, values: unknown[] = []) => (await query(content.service.db, sql, values)).length
const statusOf = (spaceId: string) => failure(admin().getSpaceById({ params: { spaceId } }))

/** Makes content with many nodes that no other test stores. */
function contentOf(name: string, pages = 60) {
  return {
    pages: Object.fromEntries(Array.from({ length: pages }, (_, n) => [`page-${n}`, `# ${name} ${n}\n`])),
    files: { 'picture.txt': `picture of ${name}` },
  }
}

/** Deletes a space and sets the time of its deletion a week back. */
async function deleteLongAgo(spaceId: string): Promise<void> {
  await admin().deleteSpaceById({ params: { spaceId } })
  await query(content.service.db, 'update spaces set deleted_at = $2 where id = $1', [spaceId, longAgo()])
}

/** Reads the sorted Markdown of all pages of a space, and for each of its files whether its blob is stored. */
async function readAll(spaceId: string): Promise<{ markdown: string[]; files: boolean[] }> {
  const { pages } = await admin().listPages({ params: { spaceId } })
  const read = await Promise.all(
    pages.map(({ id }) => admin().getPageById({ params: { spaceId, pageId: id }, query: {} })),
  )
  const files = await query<{ hash: string }>(
    content.service.db,
    `select (regexp_matches(n.body, '"hash":"([0-9a-f]{64})"', 'g'))[1] as hash from spaces s join revisions r on r.id = s.revision join tree_nodes n on n.hash = r.files_root where s.id = $1`,
    [spaceId],
  )
  return {
    markdown: read.map(page => ('markdown' in page ? (page.markdown ?? '') : '')).toSorted(),
    files: await Promise.all(files.map(({ hash }) => content.blobs.has(hash))),
  }
}

const expectedOf = ({ pages }: ReturnType<typeof contentOf>) => ({
  markdown: Object.values(pages).toSorted(),
  files: [true],
})

describe('a purge', () => {
  it('A purge deletes spaces that were deleted more than seven days ago with all their data, and publishes an event for each', async () => {
    const otherSpace = await aSpace(content)
    const young = await aSpace(content)
    const old = await aSpace(content)
    await importInto(content, old, contentOf('taken', 1))
    await aGrant(content, { space: old, user: 'guest', role: 'read' })
    await admin().deleteSpaceById({ params: { spaceId: young } })
    await deleteLongAgo(old)
    expect(await statusOf(old)).toBeUndefined()
    expect(await purgeNow()).toBe(1)
    expect(await Promise.all([otherSpace, young, old].map(statusOf))).toEqual([undefined, undefined, 'not_found'])
    expect(await failure(admin().restoreSpace({ params: { spaceId: old } }))).toBe('not_found')
    for (const table of ['revisions', 'repository_work'])
      expect(await rows(`select from ${table} where space_id = $1`, [old])).toBe(0)
    expect(await rows('select from grants where resource_id = $1', [old])).toBe(0)
    expect(
      await rows(`select from outbox where subject = 'events.content.space.purged' and payload->>'space' = $1`, [old]),
    ).toBe(1)
  })

  it('A purge deletes spaces after exactly seven days on the injected clock', async () => {
    const spaceId = await aSpace(content)
    await admin().deleteSpaceById({ params: { spaceId } })
    const { deletedAt = '' } = await admin().getSpaceById({ params: { spaceId } })
    await purgeNow(new Date(Date.parse(deletedAt) + 7 * day))
    expect(await statusOf(spaceId)).toBeUndefined()
    await purgeNow(new Date(Date.parse(deletedAt) + 7 * day + 1))
    expect(await statusOf(spaceId)).toBe('not_found')
  })

  it('A purge deletes several batches, each space once when two purges run at once, and nothing when run again', async () => {
    for (let made = 0; made < 45; made += 1) await aSpace(content, { deletedAt: longAgo() })
    const before = await rows(`select from outbox where subject = 'events.content.space.purged'`)
    const counts = await Promise.all([purgeNow(), purgeNow()])
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(45)
    expect(await rows(`select from outbox where subject = 'events.content.space.purged'`)).toBe(before + 45)
    expect(await rows('select from spaces where deleted_at < $1', [longAgo()])).toBe(0)
    expect(await purgeNow()).toBe(0)
  })

  it('A purge deletes collections when they are empty, from the innermost outwards', async () => {
    const outer = await aCollection(content)
    const nested = await aCollection(content, { parent: outer })
    const spaceId = await aSpace(content, { parent: nested })
    await aGrant(content, { collection: outer, user: 'guest', role: 'read' })
    await admin().deleteCollectionById({ params: { collectionId: outer } })
    await query(content.service.db, 'update collections set deleted_at = $1 where id = any($2)', [
      longAgo(),
      [outer, nested],
    ])
    await purgeNow()
    expect(await rows('select from collections where id = any($1)', [[outer, nested]])).toBe(2)
    await query(content.service.db, 'update spaces set deleted_at = $1 where id = $2', [longAgo(), spaceId])
    await purgeNow()
    expect(await rows('select from collections where id = any($1)', [[outer, nested]])).toBe(0)
    expect(await rows('select from grants where resource_id = $1', [outer])).toBe(0)
  })

  it('A purge leaves a collection that is not deleted, and one that is not empty', async () => {
    const there = await aCollection(content)
    const emptied = await aCollection(content, { deletedAt: longAgo() })
    await purgeNow()
    expect(await rows('select from collections where id = any($1)', [[there, emptied]])).toBe(1)
    expect(await failure(admin().getCollectionById({ params: { collectionId: there } }))).toBeUndefined()
  })

  it('A purge running concurrently with a restore leaves a complete space or none', async () => {
    for (let turn = 0; turn < 12; turn += 1) {
      const spaceId = await aSpace(content)
      const whole = contentOf(`restored ${turn}`, 2)
      await importInto(content, spaceId, whole)
      await admin().deleteSpaceById({ params: { spaceId } })
      // The clock of the purge is eight days ahead of the clock of the restore.
      const restore = () => failure(admin().restoreSpace({ params: { spaceId } }))
      const later = new Date(Date.now() + 8 * day)
      const [restoreFailure] = await Promise.all([restore(), sleep(turn % 6).then(() => purgeNow(later))])
      await sweepNow(new Date(Date.now() + 9 * day))
      if (restoreFailure === undefined) expect(await readAll(spaceId)).toEqual(expectedOf(whole))
      else expect([restoreFailure, await statusOf(spaceId)]).toEqual(['not_found', 'not_found'])
    }
  })
})

describe('a sweep', () => {
  it('A sweep frees nodes, documents and files of a purged space an hour later, and those of no other space', async () => {
    const gone = await aSpace(content)
    const stays = await aSpace(content)
    const own = contentOf('gone')
    const others = contentOf('stays')
    const shared = { pages: { shared: '# Shared\n' }, files: { 'shared.txt': 'a shared file' } }
    const join = (one: typeof own, two: typeof shared) => ({
      pages: { ...one.pages, ...two.pages },
      files: { ...one.files, ...two.files },
    })
    await importInto(content, gone, join(own, shared))
    await importInto(content, gone, { pages: { later: '# Later revision\n' } })
    await importInto(content, stays, join(others, shared))
    await deleteLongAgo(gone)
    await purgeNow()
    expect((await sweepNow(new Date())).freed).toEqual({ node: 0, document: 0, blob: 0 })
    expect(await content.blobs.has(hashOf('picture of gone'))).toBe(true)
    const { busy } = await sweepNow()
    expect(busy).toBe(false)
    expect(
      await Promise.all(
        ['picture of gone', 'picture of stays', 'a shared file'].map(text => content.blobs.has(hashOf(text))),
      ),
    ).toEqual([false, true, true])
    const documents = [...Object.values(own.pages), '# Later revision\n'].map(hashOf)
    expect(await rows('select from documents where hash = any($1)', [documents])).toBe(0)
    expect(await readAll(stays)).toEqual({ markdown: expectedOf(join(others, shared)).markdown, files: [true, true] })
    expect(await rows('select from garbage where since <= $1', [new Date()])).toBe(0)
  })

  it('A sweep leaves all content of a copy, and frees it when the copy is purged too', async () => {
    const spaceId = await aSpace(content)
    const whole = contentOf('copied')
    await importInto(content, spaceId, whole)
    const { id: copy } = await admin().duplicateSpace({ params: { spaceId } })
    const nodes = await rows('select from tree_nodes')
    await deleteLongAgo(spaceId)
    await purgeNow()
    await sweepNow()
    expect(await rows('select from tree_nodes')).toBe(nodes)
    expect(await readAll(copy)).toEqual(expectedOf(whole))
    await deleteLongAgo(copy)
    await purgeNow()
    expect((await sweepNow()).freed).toMatchObject({ document: 60, blob: 1 })
    expect(await content.blobs.has(hashOf('picture of copied'))).toBe(false)
    expect(await rows('select from tree_nodes')).toBeLessThan(nodes - 5)
  })

  it('A sweep frees nothing while an operation is running, and nothing that its worker has imported', async () => {
    const old = await aSpace(content)
    const next = await aSpace(content)
    const whole = contentOf('again')
    await importInto(content, old, whole)
    await deleteLongAgo(old)
    await purgeNow()
    const attempt = { operationId: 'again', lease: 1, spaceId: next, holdSeconds: 60 }
    await content.calls.listKnownGitBlobs({ body: attempt })
    expect(await sweepNow()).toEqual({ freed: { node: 0, document: 0, blob: 0 }, busy: true })
    const { hash: manifest } = await content.blobs.put(
      Buffer.from(JSON.stringify(await aManifest(content.blobs, whole))),
    )
    expect((await sweepNow()).busy).toBe(true)
    await content.calls.applyGitOperation({
      body: {
        ...attempt,
        manifest,
        discarded: [],
        createdBy: 'user-create',
        work: { kind: 'import', isStandalone: false },
        commit: { oid: 'c0ffee', message: '', ref: 'refs/heads/main', createdByService: false },
        repository: { url: 'https://git.example/docs.git', updatedAt: new Date().toISOString() },
      },
    })
    expect((await sweepNow()).busy).toBe(false)
    expect(await readAll(next)).toEqual(expectedOf(whole))
  })

  it('A sweep leaves content that is imported again afterwards', async () => {
    const old = await aSpace(content)
    const next = await aSpace(content)
    const whole = contentOf('after')
    await importInto(content, old, whole)
    await deleteLongAgo(old)
    await purgeNow()
    await sweepNow()
    await importInto(content, next, whole)
    await sweepNow()
    expect(await readAll(next)).toEqual(expectedOf(whole))
  })

  it('A sweep frees nothing that concurrent imports of the same content use', async () => {
    const whole = contentOf('at once', 20)
    const state = { isOver: false }
    const sweeping = (async () => {
      const total = { freed: 0 }
      while (!state.isOver) {
        await purgeNow()
        const { freed } = await sweepNow()
        total.freed += freed.node + freed.document + freed.blob
      }
      return total
    })()
    const importing = async () => {
      for (let turn = 0; turn < 6; turn += 1) {
        const spaceId = await aSpace(content)
        await importInto(content, spaceId, whole)
        expect(await readAll(spaceId)).toEqual(expectedOf(whole))
        await deleteLongAgo(spaceId)
      }
      const last = await aSpace(content)
      await importInto(content, last, whole)
      return last
    }
    const last = await Promise.all([importing(), importing()]).finally(() => (state.isOver = true))
    const total = await sweeping
    await purgeNow()
    await sweepNow()
    for (const spaceId of last) expect(await readAll(spaceId)).toEqual(expectedOf(whole))
    expect(total.freed).toBeGreaterThan(0)
  })

  it('A sweep frees manifests an hour after their import', async () => {
    const spaceId = await aSpace(content)
    const whole = contentOf('manifest', 2)
    const manifest = hashOf(JSON.stringify(await aManifest(content.blobs, whole)))
    await importInto(content, spaceId, whole)
    expect(await content.blobs.has(manifest)).toBe(true)
    await sweepNow()
    expect(await content.blobs.has(manifest)).toBe(false)
    expect(await readAll(spaceId)).toEqual(expectedOf(whole))
  })

  it('A sweep frees a large space in batches, and stops between batches when aborted', async () => {
    const spaceId = await aSpace(content)
    const whole = contentOf('large', 1200)
    await importInto(content, spaceId, whole)
    await deleteLongAgo(spaceId)
    await purgeNow()
    expect(
      await sweep({
        db: content.service.db,
        blobs: content.blobs,
        now: new Date(Date.now() + hour),
        signal: AbortSignal.abort(),
      }),
    ).toMatchObject({ freed: { node: 0 }, busy: true })
    const [one, two] = await Promise.all([sweepNow(), sweepNow()])
    expect(one.freed.document + two.freed.document + (await sweepNow()).freed.document).toBe(1200)
    expect(await rows('select from documents where hash = any($1)', [Object.values(whole.pages).map(hashOf)])).toBe(0)
  })
})

it('The references of a node in the database include every part that it names', async () => {
  const spaceId = await aSpace(content)
  await importInto(content, spaceId, {
    pages: { odd: '# Odd\n', 'quo"te': '# "Quoted"\n' },
    files: { 'a\u0000"b\ud800.txt': 'odd name' },
  })
  const lost = await query(
    content.service.db,
    `select hash from documents d where d.hash = any($1) and not exists (select from tree_nodes where node_references(body) @> array[d.hash])`,
    [['# Odd\n', '# "Quoted"\n'].map(hashOf)],
  )
  expect(lost).toEqual([])
  expect(
    await rows('select from tree_nodes where node_references(body) @> array[$1::text]', [hashOf('odd name')]),
  ).toBe(1)
})
