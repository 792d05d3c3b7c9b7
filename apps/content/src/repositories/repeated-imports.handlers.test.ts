import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { loadPageIndex } from '../pages/revision-index.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { anEditor } from '../test/an-editor.ts'
import { aContent, type ContentSetup, importInto } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { aSpace, change, revisionOf, idOf } = anEditor(() => content)

it('An import keeps the emoji and the slug of a page, and its id', async () => {
  const spaceId = await aSpace()
  await importInto(content, spaceId, { pages: { guide: '# Guide\n', other: '# Other\n' } })
  const page = await idOf(spaceId, 'guide')
  await change(spaceId, { operation: 'update_page', page, emoji: '1f680', slug: 'start' })
  await importInto(content, spaceId, { pages: { guide: '# Guide, again\n', other: '# Other\n' } }, { oid: 'decade' })
  const { db } = content.service
  const pages = await loadPageIndex(db, await revisions.get(db, await revisionOf(spaceId)))
  expect(pages.get(page)).toMatchObject({ emoji: '1f680', slug: 'start' })
  expect(await idOf(spaceId, 'start')).toBe(page)
})

it('An import takes the settings of the repository, and takes away what a commit had and the next one lacks', async () => {
  const spaceId = await aSpace()
  const set = { emoji: '1f680', condition: 'visitor.claims.beta' }
  const group = { type: 'group' as const, title: 'Guides', slug: 'howto', hasOwnSlug: true as const, pages: [] }
  const pages = { guide: '# Guide\n' }
  const recordsOf = async () => {
    const { db } = content.service
    return (await loadPageIndex(db, await revisions.get(db, await revisionOf(spaceId)))).inOrder()
  }
  const settingsFile = 'read' as const
  await importInto(content, spaceId, { pages, settingsFile, entries: [{ ...group, ...set }] })
  expect(await recordsOf()).toMatchObject([{ slug: 'guide' }, { type: 'group', slug: 'howto', ...set }])
  await importInto(content, spaceId, { pages, settingsFile: 'unreadable', entries: [group] }, { oid: 'decade' })
  expect((await recordsOf())[1]).toMatchObject(set)
  await importInto(content, spaceId, { pages, settingsFile, entries: [{ ...group, ...set }] }, { oid: 'facade' })
  await importInto(content, spaceId, { pages, settingsFile: 'absent', entries: [group] }, { oid: 'accede' })
  const [, last] = await recordsOf()
  expect(last).toMatchObject({ type: 'group', slug: 'howto' })
  expect(Object.keys(last ?? {})).toEqual(expect.not.arrayContaining(['emoji', 'condition', 'hasOwnSlug']))
})
