import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aSpace, type ContentSetup, importInto } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

describe('an import', () => {
  it('that is standalone is neither older nor newer than others', async () => {
    const spaceId = await aSpace(content)
    const pages = { a: 'x' }
    const main = await importInto(content, spaceId, { pages }, { timestamp: '2026-02-01T00:00:00Z' })
    for (const timestamp of ['2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z']) {
      const request = { timestamp, standalone: true, oid: timestamp }
      expect(await importInto(content, spaceId, { pages: { a: timestamp } }, request)).not.toBe(main)
      expect(await content.as('read').getSpaceById({ params: { spaceId } })).toMatchObject({ revision: main })
    }
    const newer = { timestamp: '2026-02-02T00:00:00Z', oid: 'c2' }
    expect(await importInto(content, spaceId, { pages: { a: 'y' } }, newer)).not.toBe(main)
    const { items } = await content.as('read').listGitOperations({ params: { spaceId }, query: {} })
    expect(items.map(({ state }) => state)).toEqual(['success', 'success', 'success', 'success'])
  })
})
