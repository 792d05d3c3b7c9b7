import { query } from '@recto/database'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { lockProjection } from '../projection/main-projections.repository.ts'
import { aContentWithSpecs, anOutline, computedFrom, type SpecService } from '../test/a-spec-service.ts'
import { aSpace, importInto, organization, type ContentSetup } from '../test/content-setup.ts'
import { handledEvents } from '../test/handled-events.ts'

let content: ContentSetup
let specs: SpecService
let stop: () => Promise<void>
beforeAll(async () => void ({ content, specs, stop } = await aContentWithSpecs()))
afterAll(() => stop())

/** Waits until a specification has another version than this one, and all that content does at once because of it is done. */
async function followed(slug: string, version: string): Promise<void> {
  const { db } = content.service
  const sql = 'select 1 from specifications where organization_id = $1 and slug = $2 and version <> $3'
  await eventually(async () => {
    const recorded = await query(db, sql, [organization, slug, version])
    const waiting = await query(db, `select 1 from event_reactions where reaction = 'computed-pages'`)
    expect([recorded.length, waiting.length]).toEqual([1, 0])
  })
}

it('Computed pages and links follow a version that came before the references of their space were written', async () => {
  const { db } = content.service
  const first = await specs.addVersion('early', anOutline({ tags: [] }))
  const spaceId = await aSpace(content)
  await handledEvents(db, spaceId)
  const holder = db.connection.createQueryRunner()
  await holder.startTransaction()
  await lockProjection(holder.manager, spaceId)
  const entries = [{ type: 'computed' as const, title: 'API', computed: computedFrom('early') }]
  await importInto(content, spaceId, { pages: { first: '# First' }, entries })
  const adding = specs.addVersion('early', anOutline({ tags: ['Tools'] }))
  await followed('early', first)
  await holder.commitTransaction()
  await holder.release()
  await adding
  await eventually(async () => {
    const { pages } = await content.as('read').listPages({ params: { spaceId }, query: {} })
    expect(pages.map(({ title }) => title)).toContain('Tools')
  })
  const broken = `select 1 from content_references where space_id = $1 and status <> 'ok'`
  expect(await query(db, broken, [spaceId])).toEqual([])
})
