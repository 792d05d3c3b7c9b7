import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { settingFields } from '../pages/page-text.ts'
import { loadPageIndex } from '../pages/revision-index.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { anEditor } from '../test/an-editor.ts'
import { aContent, type ContentSetup, importInto, type TestContent } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { aSpace, change, revisionOf, idOf } = anEditor(() => content)

async function recordsOf(spaceId: string) {
  const { db } = content.service
  return (await loadPageIndex(db, await revisions.get(db, await revisionOf(spaceId)))).inOrder()
}

const textOf = async (spaceId: string, pageId: string) =>
  ((await content.as('edit').getPageById({ params: { spaceId, pageId } })) as { markdown: string }).markdown

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
  const settingsFile = 'read' as const
  await importInto(content, spaceId, { pages, settingsFile, entries: [{ ...group, ...set }] })
  expect(await recordsOf(spaceId)).toMatchObject([{ slug: 'guide' }, { type: 'group', slug: 'howto', ...set }])
  await importInto(content, spaceId, { pages, settingsFile: 'unreadable', entries: [group] }, { oid: 'decade' })
  expect((await recordsOf(spaceId))[1]).toMatchObject(set)
  await importInto(content, spaceId, { pages, settingsFile, entries: [{ ...group, ...set }] }, { oid: 'facade' })
  await importInto(content, spaceId, { pages, settingsFile: 'absent', entries: [group] }, { oid: 'accede' })
  const [, last] = await recordsOf(spaceId)
  expect(last).toMatchObject({ type: 'group', slug: 'howto' })
  expect(Object.keys(last ?? {})).toEqual(expect.not.arrayContaining(['emoji', 'condition', 'hasOwnSlug']))
})

/** Front matter with every setting of a page. */
const everySetting = `linkTitle: Short
description: About it
icon: rocket
hidden: true
noIndex: true
noRobotsIndex: true
metaLinks:
  canonical: https://canonical.test/page
if: visitor.claims.vip
vars:
  product: Recto
layout:
  width: wide
tags:
  - guide
cover: assets/a.png
coverY: 12
`
const settingsOf = (page: object | undefined) =>
  Object.fromEntries(
    Object.entries(page ?? {}).filter(([name]) => [...settingFields, 'cover', 'emoji', 'slug'].includes(name)),
  )
const plain: TestContent = {
  pages: { guide: '# Guide\n', other: '# Other\n' },
  files: { 'a.png': 'image' },
  settingsFile: 'absent',
}
const moved: TestContent = { ...plain, pages: { guide: '# Guide\n', other: '# Other, again\n' } }

it('An import of the same commit, or of one that touches another file, keeps every setting of a page with a file', async () => {
  const spaceId = await aSpace()
  await importInto(content, spaceId, plain)
  const page = await idOf(spaceId, 'guide')
  const markdown = `---\n${everySetting}---\n\n# Guide, edited\n`
  await change(spaceId, { operation: 'update_page', page, emoji: '1f680', document: { markdown } })
  const [before] = await recordsOf(spaceId)
  expect(Object.keys(settingsOf(before))).toHaveLength(settingFields.length + 3)
  await importInto(content, spaceId, plain)
  const [after, other] = await recordsOf(spaceId)
  expect(settingsOf(after)).toEqual(settingsOf(before))
  expect(other).toMatchObject({ git: { path: 'other.md' } })
  // The text is that of the commit, with the settings in its front matter.
  expect(await textOf(spaceId, page)).toBe(`---\n${everySetting}---\n\n# Guide\n`)
  const revision = await revisionOf(spaceId)
  await importInto(content, spaceId, plain)
  expect(await revisionOf(spaceId)).toBe(revision)
  for (const oid of ['decade', 'facade']) await importInto(content, spaceId, moved, { oid })
  expect((await recordsOf(spaceId))[0]).toEqual(after)
})

it('An import removes what a commit had and the next one lacks, keeps what was set since, and every condition', async () => {
  const spaceId = await aSpace()
  const committed = { description: 'About it', noIndex: true, condition: 'visitor.claims.vip' }
  const text = '---\ndescription: About it\nnoIndex: true\nif: visitor.claims.vip\n---\n\n# Guide\n'
  const first = { ...plain, pages: { guide: text, other: '# Other\n' }, fields: { guide: committed } }
  await importInto(content, spaceId, first)
  const page = await idOf(spaceId, 'guide')
  await change(spaceId, { operation: 'update_page', page, hidden: true })
  await importInto(content, spaceId, first, { oid: 'decade' })
  expect((await recordsOf(spaceId))[0]).toMatchObject({ ...committed, hidden: true })
  for (const oid of ['facade', 'accede']) {
    await importInto(content, spaceId, plain, { oid })
    const [after] = await recordsOf(spaceId)
    expect(settingsOf(after)).toEqual({ slug: 'guide', hidden: true, condition: 'visitor.claims.vip' })
  }
  expect(await textOf(spaceId, page)).toBe('---\nhidden: true\nif: visitor.claims.vip\n---\n\n# Guide\n')
})

it('The first import of another branch removes what the last one had, but nothing that was set in the space', async () => {
  const spaceId = await aSpace()
  const first = {
    ...plain,
    pages: { guide: '---\ndescription: About it\n---\n\n# Guide\n' },
    fields: { guide: { description: 'About it' } },
  }
  await importInto(content, spaceId, first)
  const page = await idOf(spaceId, 'guide')
  await change(spaceId, { operation: 'update_page', page, hidden: true, condition: 'visitor.claims.vip' })
  await importInto(content, spaceId, plain, { oid: 'decade', ref: 'refs/heads/next' })
  expect(settingsOf((await recordsOf(spaceId))[0])).toEqual({
    slug: 'guide',
    hidden: true,
    condition: 'visitor.claims.vip',
  })
})

it('A page whose text cannot have front matter written keeps its settings, and one that is renamed as well', async () => {
  const spaceId = await aSpace()
  await importInto(content, spaceId, plain)
  const page = await idOf(spaceId, 'guide')
  await change(spaceId, { operation: 'update_page', page, hidden: true, condition: 'visitor.claims.vip' })
  await importInto(content, spaceId, { ...plain, pages: { renamed: '# Guide\n' } }, { oid: 'decade' })
  const restricted = { hidden: true, condition: 'visitor.claims.vip' }
  expect((await recordsOf(spaceId))[0]).toMatchObject({ id: page, file: 'renamed.md', ...restricted })
  const unreadable = [Buffer.from('# Guide\n\xff', 'latin1'), '---\n: [\n---\n# Guide\n']
  for (const [at, text] of unreadable.entries()) {
    await importInto(content, spaceId, { ...plain, pages: { renamed: text } }, { oid: `decade${at}` })
    expect((await recordsOf(spaceId))[0]).toMatchObject({ id: page, git: { path: 'renamed.md' }, ...restricted })
  }
})
