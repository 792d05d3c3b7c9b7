import { eventually, failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { maxPlacesPerTarget } from './reference-lists.repository.ts'
import { aContent, aSpace, type ContentSetup, importInto, organization } from '../test/content-setup.ts'
import { statementsOf } from '../test/statements.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const manual = {
  pages: {
    start:
      '# Start\n\n[guide](guide.md) and [again](guide.md#setup)\n\n## More\n\n[guide](guide.md) ![p](assets/a%20b.txt)\n',
    guide: '# Guide\n\n[missing](missing.md)\n\n## Setup\n\n[home](start.md#nowhere) [self](#setup)\n',
    'guide/deep': '[up](../guide.md) [web](https://example.com/) [app](http://recto.test/c/x)\n',
  },
  files: { 'a b.txt': 'text' },
}
const reader = () => content.as('read')
const linksOf = (spaceId: string, query = {}) => reader().listSpaceLinks({ params: { spaceId }, query })
const waitForLinks = (spaceId: string, total: number) =>
  eventually(async () => expect((await linksOf(spaceId)).stats.total).toBe(total))

async function pageIds(spaceId: string): Promise<Record<string, string>> {
  const { pages } = await reader().listPages({ params: { spaceId } })
  const all = pages.flatMap(page => [page, ...('pages' in page ? page.pages : [])])
  return Object.fromEntries(all.map(page => ['path' in page ? page.path : '', page.id]))
}

async function aManual(pages: Record<string, string> = manual.pages): Promise<string> {
  const spaceId = await aSpace(content)
  await importInto(content, spaceId, { ...manual, pages })
  return spaceId
}

describe('links of a space', () => {
  it('Links in the page tree are links of pages that show their target', async () => {
    const spaceId = await aSpace(content)
    const entries = [{ type: 'link' as const, title: 'L', href: 'guide.md' }]
    await importInto(content, spaceId, { pages: { guide: '# Guide\n' }, entries })
    await waitForLinks(spaceId, 1)
    const { guide } = await pageIds(spaceId)
    const { items } = await linksOf(spaceId)
    expect(items).toMatchObject([
      { locationReferences: [{ page: { type: 'link', target: { kind: 'page', page: guide } } }] },
    ])
  })

  it('Links of a space have a status, whole objects and their sections', async () => {
    const spaceId = await aManual()
    await waitForLinks(spaceId, 7)
    const { items, stats, count } = await linksOf(spaceId)
    expect({ stats, count }).toEqual({ stats: { total: 7, broken: { total: 2 } }, count: 7 })
    const ids = await pageIds(spaceId)
    const toGuide = items.find(({ targetReference: target }) => target?.kind === 'page' && !target.internalLocation)
    const embedded = { organization: { object: 'organization', id: organization }, space: { id: spaceId } }
    expect(toGuide).toMatchObject({
      status: 'ok',
      relation: 'reference',
      targetReference: { ...embedded, kind: 'page', page: { id: ids.guide, path: 'guide', pages: [] } },
    })
    const places = toGuide?.locationReferences ?? []
    const ofPage = (id: string | undefined) => places.filter(place => place.kind === 'page' && place.page.id === id)
    expect(ofPage(ids.start)).toMatchObject([
      { ...embedded, kind: 'page', page: { id: ids.start } },
      { page: { id: ids.start }, internalLocation: { type: 'anchor', anchor: 'more' } },
    ])
    expect(ofPage(ids['guide/deep'])).toMatchObject([{ ...embedded, kind: 'page', page: { title: 'Page guide/deep' } }])
    expect(places).toHaveLength(3)
  })

  it('Links of a space to one target are one link with all places, however the target is written', async () => {
    const spaceId = await aManual({
      guide: '# Guide\n',
      start: '[a](guide.md) [b](./guide.md)\n\n## More\n\n[c](/guide) [lost](lost.md) ![p](assets/a%20b.txt)\n',
      'start/below': '[d](../guide.md#) [lost](./../lost.md) ![p](<../assets/a b.txt>) [lost](lost.md)\n',
    })
    await waitForLinks(spaceId, 4)
    const { items, count, stats } = await linksOf(spaceId)
    expect({ count, stats }).toEqual({ count: 4, stats: { total: 4, broken: { total: 2 } } })
    const placesOf = ({ locationReferences }: (typeof items)[number]) =>
      locationReferences
        .map(place => (place.kind === 'page' ? `${place.page.title}#${place.internalLocation?.anchor ?? ''}` : ''))
        .toSorted()
    const start = 'Page start#'
    const more = 'Page start#more'
    const below = 'Page start/below#'
    const listed = items.map(item => [item.status, item.targetReference?.kind, placesOf(item)])
    expect(listed).toEqual([
      ['ok', 'file', [more, below]],
      ['ok', 'page', [start, more, below]],
      ['broken', undefined, [more, below]],
      ['broken', undefined, [below]],
    ])
    const { 'start/below': pageId = '' } = await pageIds(spaceId)
    const ofPage = await reader().listPageLinksInSpace({ params: { spaceId, pageId } })
    expect(ofPage.items.map(placesOf)).toEqual([[below], [below], [below], [below]])
  })

  it('Links of a space have at most a hundred places each', async () => {
    const pages = Array.from({ length: 103 }, (_, at) => [`p${at}`, '[lost](lost.md)\n'] as const)
    const spaceId = await aManual(Object.fromEntries(pages))
    await waitForLinks(spaceId, 1)
    expect((await linksOf(spaceId)).items[0]?.locationReferences).toHaveLength(100)
  })

  it('Links to other spaces show their target, as far as the caller can read it', async () => {
    const otherId = await aManual()
    const closedId = await aSpace(content, { defaultLevel: null })
    const { guide = '' } = await pageIds(otherId)
    const { id: collection } = await content
      .as('create')
      .createCollection({ params: { organizationId: organization }, body: { title: 'All' } })
    content.people.add({ organization, user: 'user-read', role: 'read' })
    const app = 'http://recto.test'
    const urls = {
      page: `${app}/s/${otherId}/~/pages/${guide}#setup`,
      path: `${app}/s/${otherId}/guide`,
      space: `${app}/s/${otherId}`,
      gone: `${app}/s/${otherId}/~/pages/gone`,
      closed: `${app}/s/${closedId}`,
      user: `${app}/u/ada`,
      member: `${app}/u/user-read`,
      collection: `${app}/c/${collection}`,
      unknown: `${app}/c/none`,
    }
    const spaceId = await aManual({
      start: Object.values(urls)
        .map(url => `[a](${url})`)
        .join(' '),
    })
    await waitForLinks(spaceId, Object.keys(urls).length)
    const { items } = await linksOf(spaceId, { status: 'in-app' })
    const linkTargets = items.map(({ targetReference: target }) => target)
    const space = { organization: { id: organization }, space: { id: otherId } }
    const page = { ...space, kind: 'page', page: { id: guide, path: 'guide', pages: [] } }
    const kinds = linkTargets.map(target => target?.kind)
    expect(kinds.toSorted()).toEqual(['collection', 'page', 'page', 'space', 'url', 'url', 'url', 'url', 'user'])
    expect(linkTargets.find(target => target?.kind === 'collection')).toMatchObject({ collection: { id: collection } })
    expect(linkTargets.find(target => target?.kind === 'user')).toMatchObject({ user: { id: 'user-read' } })
    const anchored = linkTargets.find(target => target?.kind === 'page' && target.internalLocation)
    expect(anchored).toMatchObject({ ...page, internalLocation: { type: 'anchor', anchor: 'setup' } })
    expect(linkTargets.find(target => target?.kind === 'page' && !target.internalLocation)).toMatchObject(page)
    expect(linkTargets.find(target => target?.kind === 'space')).toMatchObject(space)
    const dead = linkTargets.flatMap(target => (target?.kind === 'url' ? [target.url] : []))
    expect(dead.toSorted()).toEqual([urls.gone, urls.closed, urls.user, urls.unknown].toSorted())
  })

  it('Links of a space are listed by status, and stats do not depend on it', async () => {
    const spaceId = await aManual()
    await waitForLinks(spaceId, 7)
    const broken = await linksOf(spaceId, { status: 'broken' })
    expect(broken).toMatchObject({ count: 2, stats: { total: 7, broken: { total: 2 } } })
    for (const item of broken.items) expect(item).not.toHaveProperty('targetReference')
    expect(await linksOf(spaceId, { status: 'in-app' })).toMatchObject({
      count: 1,
      items: [{ status: 'in-app', targetReference: { kind: 'url', url: 'http://recto.test/c/x' } }],
    })
    const pages = []
    for (let page: string | undefined; ;) {
      const one = await linksOf(spaceId, { limit: 4, ...(page !== undefined && { page }) })
      pages.push(...one.items)
      page = one.next?.page
      if (page === undefined) break
    }
    expect(pages).toEqual((await linksOf(spaceId)).items)
    expect(pages).toHaveLength(7)
  })

  it('Links of a page are its own, and links of a missing page are not found', async () => {
    const spaceId = await aManual()
    await waitForLinks(spaceId, 7)
    const { guide: pageId = '' } = await pageIds(spaceId)
    expect(await reader().listPageLinksInSpace({ params: { spaceId, pageId } })).toMatchObject({
      count: 3,
      stats: { total: 3, broken: { total: 2 } },
    })
    const missing = [
      () => reader().listPageLinksInSpace({ params: { spaceId, pageId: 'x' } }),
      () => reader().listSpacePageBacklinks({ params: { spaceId, pageId: 'x' } }),
      () => reader().listSpaceFileBacklinks({ params: { spaceId, fileId: 'x' } }),
      () => content.as(undefined).listSpaceLinks({ params: { spaceId } }),
    ]
    for (const attempt of missing) expect(await failure(attempt())).toBe('not_found')
  })

  it('Links of a space follow edits: a corrected link is no longer broken, and a deleted heading breaks links to it', async () => {
    const spaceId = await aManual()
    await waitForLinks(spaceId, 7)
    const mended = { ...manual.pages, start: `${manual.pages.start}\n## Nowhere\n`, missing: 'Here.\n' }
    await importInto(content, spaceId, { ...manual, pages: mended }, { oid: 'mended' })
    await eventually(async () => expect((await linksOf(spaceId)).stats).toEqual({ total: 7, broken: { total: 0 } }))
    const without = { ...mended, guide: mended.guide.replace('## Setup', '## Other') }
    await importInto(content, spaceId, { ...manual, pages: without }, { oid: 'without' })
    await eventually(async () => expect((await linksOf(spaceId)).stats).toEqual({ total: 7, broken: { total: 1 } }))
    const { guide: _guide, 'guide/deep': _deep, ...rest } = mended
    await importInto(content, spaceId, { ...manual, pages: rest }, { oid: 'removed' })
    await eventually(async () => expect((await linksOf(spaceId)).stats).toEqual({ total: 3, broken: { total: 2 } }))
  })

  it('Links of a reusable content are listed once, however many pages include it', async () => {
    const spaceId = await aSpace(content)
    const include = '{% include ".gitbook/includes/note.md" %}\n'
    await importInto(content, spaceId, {
      pages: { guide: `# Guide\n\n${include}`, other: include },
      files: { 'a.txt': 'a' },
      reusable: { note: '## Note\n\n[guide](../../guide.md) ![a](../../assets/a.txt) [own](#note) [lost](lost.md)\n' },
    })
    await waitForLinks(spaceId, 5)
    expect((await linksOf(spaceId)).stats).toEqual({ total: 5, broken: { total: 1 } })
    const { guide: pageId = '' } = await pageIds(spaceId)
    const note = [{ kind: 'reusable-content', space: { id: spaceId }, reusableContent: { title: 'note' } }]
    expect((await reader().listSpacePageBacklinks({ params: { spaceId, pageId } })).items).toMatchObject(note)
    const { items: files } = await reader().listFiles({ params: { spaceId } })
    const params = { spaceId, fileId: files[0]?.id ?? '' }
    expect((await reader().listSpaceFileBacklinks({ params })).items).toMatchObject(note)
    const reusable = { note: '# Note\n' }
    await importInto(content, spaceId, { pages: { guide: `# Guide\n\n${include}` }, reusable }, { oid: 'without' })
    await waitForLinks(spaceId, 1)
    expect((await reader().listSpacePageBacklinks({ params: { spaceId, pageId } })).items).toEqual([])
  })

  it('A new space has no links, and the links of a copy are its own', async () => {
    const spaceId = await aManual()
    expect(await linksOf(await aSpace(content))).toMatchObject({ items: [], count: 0, stats: { total: 0 } })
    const { id } = await content.as('create').duplicateSpace({ params: { spaceId } })
    await waitForLinks(id, 7)
    expect((await linksOf(id)).items[0]?.locationReferences[0]).toMatchObject({ space: { id } })
  })

  it('A list of links takes as many statements for a thousand as for ten', async () => {
    const many = (count: number) => ({ start: Array.from({ length: count }, (_, at) => `[l](p${at}.md)`).join('\n\n') })
    const few = await aManual(many(10))
    const lots = await aManual(many(1_000))
    await waitForLinks(few, 10)
    await waitForLinks(lots, 1_000)
    const statements = (spaceId: string) => statementsOf(content.service.db, () => linksOf(spaceId, { limit: 1_000 }))
    expect(await statements(lots)).toEqual(await statements(few))
    const calls = content.people.answered()
    for (const spaceId of [few, lots]) await linksOf(spaceId, { limit: 1_000 })
    // One call for each of the two requests.
    expect(content.people.answered() - calls).toBe(2)
  })
})

describe('backlinks', () => {
  it('Backlinks of a page are the other pages that refer to it', async () => {
    const spaceId = await aManual()
    await waitForLinks(spaceId, 7)
    const { guide: pageId = '', start = '', 'guide/deep': deep = '' } = await pageIds(spaceId)
    const { items, count } = await reader().listSpacePageBacklinks({ params: { spaceId, pageId } })
    expect(count).toBe(2)
    expect(items.map(item => (item.kind === 'page' ? item.page.id : '')).toSorted()).toEqual([start, deep].toSorted())
    expect(items[0]).toMatchObject({ organization: { id: organization }, space: { id: spaceId } })
  })

  it('Backlinks name their organization without settings that the caller may not see', async () => {
    const spaceId = await aManual()
    await waitForLinks(spaceId, 7)
    const { guide: pageId = '' } = await pageIds(spaceId)
    content.people.setMergeRules({ rule: 'require_specific_reviewers', users: ['rob'] })
    try {
      const { items } = await reader().listSpacePageBacklinks({ params: { spaceId, pageId } })
      expect(items[0]).toMatchObject({ organization: { mergeRules: { type: 'none' } } })
    } finally {
      content.people.setMergeRules()
    }
  })

  it('Backlinks of a file are the pages that show it', async () => {
    const spaceId = await aManual()
    await waitForLinks(spaceId, 7)
    const { items: files } = await reader().listFiles({ params: { spaceId } })
    const { items } = await reader().listSpaceFileBacklinks({ params: { spaceId, fileId: files[0]?.id ?? '' } })
    expect(items).toMatchObject([{ kind: 'page', page: { path: 'start' } }])
  })
})

it.each([
  [1, 100],
  [50, 100],
  [500, 10],
  [1_000, 5],
  [100_000, 1],
])('On a list page of %d targets, each has at most %d places', (targets, places) =>
  expect(maxPlacesPerTarget(targets)).toBe(places),
)
