import { query, transact } from '@recto/database'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { organization, type ContentSetup } from '../test/content-setup.ts'
import { aContentWithSpecs, anOutline, computedFrom, type SpecService } from '../test/a-spec-service.ts'
import { purge, sweep } from './purge.ts'

let content: ContentSetup
let specs: SpecService
let stop: () => Promise<void>
beforeAll(async () => void ({ content, specs, stop } = await aContentWithSpecs()))
afterAll(() => stop())

const admin = () => content.as('admin')
const hour = 3_600_000
const week = 604_800_000
async function purgeSpace(spaceId: string): Promise<void> {
  const { db } = content.service
  await admin().deleteSpaceById({ params: { spaceId } })
  await query(db, 'update spaces set deleted_at = $2 where id = $1', [spaceId, new Date(Date.now() - week - 1_000)])
  await purge({ transaction: work => transact(db, () => undefined, work), now: new Date() })
  await sweep({ db, blobs: content.blobs, now: new Date(Date.now() + hour) })
}

it('Computed pages stay as long as a space shows them, and their texts are freed with the last space', async () => {
  await specs.addVersion('toys', anOutline({ tags: ['Toys'] }))
  const body = { computedSource: computedFrom('toys') }
  const created = await admin().createSpace({ params: { organizationId: organization }, body })
  const { id: copy } = await admin().duplicateSpace({ params: { spaceId: created.id } })
  const read = (spaceId: string) => admin().getPageByPath({ params: { spaceId, pagePath: 'toys' }, query: {} })
  const text = async () => (await read(copy)) as { markdown?: string }
  const before = (await text()).markdown
  expect(before).toContain('openapi-operation')
  await purgeSpace(created.id)
  expect((await text()).markdown).toBe(before)
  const storedDocuments = () =>
    query(content.service.db, 'select hash from documents where bytes = $1', [Buffer.from(before ?? '')])
  expect(await storedDocuments()).toHaveLength(1)
  await purgeSpace(copy)
  expect(await storedDocuments()).toHaveLength(0)
})
