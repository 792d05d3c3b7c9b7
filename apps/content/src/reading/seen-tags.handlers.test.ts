import { visitorActor } from '@recto/actor/visitor-token'
import { verifyDownload } from '@recto/blobs'
import { busClient } from '@recto/bus'
import { contentApi } from '@recto/contracts-content'
import { readPdf, replySchemas } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aSpace, type ContentSetup, importInto, organization } from '../test/content-setup.ts'

const schemas = replySchemas()
const tagged = (slug: string, more: object = {}) => ({ slug, label: `The ${slug}`, color: 'default' as const, ...more })
const tags = [
  tagged('unused'),
  tagged('news', { icon: 'star', color: '$success' }),
  tagged('secret'),
  tagged('page', { emoji: '🎉' }),
  tagged('shared'),
  tagged('hidden'),
]
const update = (day: number, names: string) =>
  `{% updates format="full" %}\n{% update date="2026-01-0${day}" tags="${names}" %}\nText\n{% endupdate %}\n{% endupdates %}`

let content: ContentSetup
let spaceId: string
let revisionId: string
beforeAll(async () => {
  content = await aContent()
  spaceId = await aSpace(content, {})
  await importInto(content, spaceId, {
    tags,
    pages: {
      log: [
        update(1, 'news,other'),
        `{% if visitor.claims.beta %}\n${update(2, 'secret')}\n{% endif %}`,
        '{% include ".gitbook/includes/more.md" %}',
      ].join('\n\n'),
      plain: 'Text\n',
      beta: update(3, 'hidden'),
    },
    fields: {
      plain: { tags: [{ tag: 'page', primary: true }, { tag: 'other' }] },
      beta: { condition: 'visitor.claims.beta' },
    },
    reusable: { more: update(4, 'shared'), elsewhere: update(5, 'unused') },
  })
  revisionId = (await content.as('read').getSpaceById({ params: { spaceId } })).revision
})
afterAll(() => content.stop())

function visitor(claims: Record<string, unknown>) {
  const actor = visitorActor({ organization, site: 'site', version: 1, spaces: [spaceId], claims })
  return busClient(content.gateway, contentApi, { service: 'content', prefix: 'api', actor })
}
const other = { slug: 'other', label: 'other', color: 'default' }
const tagsOf = (...slugs: string[]) => tags.filter(({ slug }) => slugs.includes(slug))

describe('the tags of a revision', () => {
  it('Members get all that the repository describes in its order, and others that pages have', async () => {
    const revision = await content.as('read').getCurrentRevision({ params: { spaceId } })
    expect(revision.tags).toEqual([...tags, other])
    expect(schemas.validateReply('getCurrentRevision', 200, revision)).toEqual([])
  })

  it.each([
    ['without claims', {}, ['news', 'page', 'shared']],
    ['with claims', { beta: true }, ['news', 'secret', 'page', 'shared', 'hidden']],
  ])('A visitor %s gets those of pages and updates that they see', async (_who, claims, slugs) => {
    const revision = await visitor(claims).getRevisionById({ params: { spaceId, revisionId } })
    expect(revision.tags).toEqual([...tagsOf(...slugs), other])
  })

  it('Markdown for a visitor and PDFs call tags by their labels', async () => {
    const read = async (pagePath: string) => {
      const query = { format: 'markdown' as const }
      const page = await visitor({}).getPageInRevisionByPath({ params: { spaceId, revisionId, pagePath }, query })
      return 'markdown' in page ? page.markdown : ''
    }
    expect(await read('plain')).toBe('# Page plain\n\nThe page · other\n\nText\n')
    expect(await read('log')).toContain('{% update date="2026-01-01" tags="The news,other" %}')
    const { url } = await content.as('read').getSpacePDF({ params: { spaceId }, query: {} })
    const signing = { secret: ['a-secret-for-tests-of-32-characters-or-more'] as [string], now: new Date() }
    const download = verifyDownload(signing, new URL(url).pathname)
    const hash = typeof download === 'string' ? download : download.hash
    const text = (await readPdf(await content.blobs.bytes(hash))).sheets.map(sheet => sheet.text).join('\n')
    expect(text).toContain('The page · other')
    expect(text).toMatch(/January 1, 2026\s+·\s+The news\s+·\s+other/)
  })

  it('A revision whose tags are others lists the changes for members, and for visitors no names', async () => {
    const secret = { ...tagged('secret'), label: 'Known' }
    await importInto(content, spaceId, { tags: [secret], pages: { plain: 'Text\n' } })
    const query = { since: revisionId }
    const { items } = await content.as('read').listContentChanges({ params: { spaceId }, query })
    expect(items.filter(({ type }) => type.startsWith('tag_')).slice(0, 2)).toEqual([
      {
        type: 'tag_edited',
        tag: { slug: 'secret', label: 'Known' },
        attributes: { label: { before: 'The secret', after: 'Known' } },
      },
      { type: 'tag_deleted', tag: { slug: 'unused', label: 'The unused' } },
    ])
    const seen = await visitor({}).listContentChanges({ params: { spaceId }, query })
    expect(JSON.stringify(seen)).not.toContain('tag_')
    expect(seen.items).toContainEqual({ type: 'variables_edited', variables: {} })
  })
})
