import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { contentApi } from '@recto/contracts-content'
import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aSpace, type ContentSetup, importInto, organization } from '../test/content-setup.ts'

const schemas = replySchemas()
const app = 'http://recto.test'
const site = 'https://docs.test'
const elsewhere = 'https://elsewhere.test'

interface SpaceOfTest {
  id: string
  /** Ids of its pages, by their titles. */
  pages: Record<string, string>
}

let content: ContentSetup
let own: SpaceOfTest
let onSite: SpaceOfTest
let open: SpaceOfTest
let closed: SpaceOfTest
let revisionId: string

const writer = () => content.as('create', { user: 'writer' })
const page = (title: string, rest: object = {}) => ({
  operation: 'insert_page' as const,
  title,
  document: { markdown: `# ${title}\n` },
  ...rest,
})

async function write(spaceId: string, changes: object[]): Promise<string> {
  await writer().updateContent({ params: { spaceId }, body: { changes } as never })
  return (await writer().getSpaceById({ params: { spaceId } })).revision
}

async function aTarget(): Promise<SpaceOfTest> {
  const id = await aSpace(content, {})
  await write(id, [page('Start'), page('Secret', { condition: 'visitor.claims.beta' })])
  const { pages } = await writer().listPages({ params: { spaceId: id } })
  return { id, pages: Object.fromEntries(pages.map(({ id, title }) => [title, id])) }
}

/** Every target that a link is tested with, by name. */
const targets = () => {
  const space = (of: SpaceOfTest) => `${app}/s/${of.id}`
  const pageOf = (of: SpaceOfTest, title: string) => `${space(of)}/~/pages/${of.pages[title]}`
  return {
    page: pageOf(onSite, 'Start'),
    path: `${space(onSite)}/start`,
    anchor: `${pageOf(onSite, 'Start')}#top`,
    space: space(onSite),
    secret: pageOf(onSite, 'Secret'),
    secretPath: `${space(onSite)}/secret#top`,
    gone: pageOf(onSite, 'Gone'),
    openPage: `${pageOf(open, 'Start')}#top`,
    openSpace: space(open),
    openSecret: pageOf(open, 'Secret'),
    closedPage: pageOf(closed, 'Start'),
    closedSpace: space(closed),
    file: `${space(onSite)}/~/files/x`,
    user: `${app}/u/ada`,
    collection: `${app}/c/one`,
    spec: `${app}/~/openapi/pets`,
    changes: `${space(onSite)}/~/changes/1`,
    organization: `${app}/o/one`,
  }
}

beforeAll(async () => {
  content = await aContent()
  own = { id: await aSpace(content), pages: {} }
  onSite = await aTarget()
  open = await aTarget()
  closed = await aTarget()
  const links = Object.entries(targets()).map(([name, url]) => `[${name}](${url})`)
  const mention = `Ask [${app}/u/ada](${app}/u/ada "mention") or [Ada](${app}/u/ada "mention").`
  revisionId = await importInto(content, own.id, {
    pages: { links: `${links.join('\n\n')}\n`, mention: `${mention}\n` },
    entries: Object.entries(targets()).map(([title, href]) => ({ type: 'link' as const, title, href })),
  })
  const address = (space: string, url: string, claims = {}) => ({
    organization,
    site: 'x',
    version: 1,
    space,
    url,
    claims,
  })
  content.sites.addresses.ofSite.set('site', [address(own.id, `${site}/`), address(onSite.id, `${site}/api/`)])
  content.sites.addresses.public.push(address(open.id, `${elsewhere}/`))
})
afterAll(() => content.stop())

type Seen = Partial<Parameters<typeof visitorActor>[0]>

function visitor(seen: Seen = {}) {
  const visited = { organization, site: 'site', version: 1, spaces: [own.id, onSite.id], claims: {}, ...seen }
  return busClient(content.gateway, contentApi, {
    service: 'content',
    prefix: 'api',
    actor: visitorActor(visited),
  } as const)
}

/** The references of the links of a page by the words of the links; those that are text are left out. */
async function linksOf(client: ReturnType<typeof visitor>, pagePath = 'links'): Promise<Record<string, unknown>> {
  const params = { spaceId: own.id, revisionId, pagePath }
  const page = await client.getPageInRevisionByPath({ params, query: { format: 'document' } })
  expect(schemas.validateReply('getPageInRevisionByPath', 200, page)).toEqual([])
  const refs: Record<string, unknown> = {}
  JSON.stringify('document' in page ? page.document : undefined, (_name, value: unknown) => {
    const node = value as { type?: string; data?: { ref: unknown }; nodes?: { leaves: { text: string }[] }[] } | null
    if (node?.type === 'link') refs[node.nodes?.[0]?.leaves[0]?.text ?? ''] = node.data?.ref
    return value
  })
  return refs
}

const seenPages = () => ({
  page: { kind: 'page', page: onSite.pages['Start'], space: onSite.id },
  path: { kind: 'page', page: onSite.pages['Start'], space: onSite.id },
  anchor: { kind: 'anchor', anchor: 'top', page: onSite.pages['Start'], space: onSite.id },
  space: { kind: 'space', space: onSite.id },
  openPage: { kind: 'url', url: `${elsewhere}/start#top` },
  openSpace: { kind: 'url', url: `${elsewhere}/` },
})

describe('a document for a visitor', () => {
  it('A document for a visitor refers to what they see of other spaces; all other links to the application are text', async () => {
    expect(await linksOf(visitor())).toEqual(seenPages())
  })

  it('A document for a visitor refers to what their claims let them see', async () => {
    const secret = { page: onSite.pages['Secret'], space: onSite.id }
    expect(await linksOf(visitor({ claims: { beta: true } }))).toEqual({
      ...seenPages(),
      secret: { kind: 'page', ...secret },
      secretPath: { kind: 'anchor', anchor: 'top', ...secret },
    })
  })

  it('A document for a visitor refers to nothing of a space that their site does not show them', async () => {
    const { openPage, openSpace } = seenPages()
    expect(await linksOf(visitor({ spaces: [own.id] }))).toMatchObject({ openPage, openSpace })
    expect(Object.keys(await linksOf(visitor({ spaces: [own.id], site: 'another' })))).toEqual([
      'openPage',
      'openSpace',
    ])
  })

  it('A document for a visitor has the same references in a preview', async () => {
    expect(await linksOf(visitor({ previews: true }))).toMatchObject(seenPages())
  })

  it('A document for a visitor leads to a page of another space as that is now', async () => {
    const moved = page('Moved', { ref: 'moved' })
    await write(onSite.id, [{ operation: 'delete_page', page: onSite.pages['Start'] }])
    expect(await linksOf(visitor())).not.toHaveProperty('page')
    await write(onSite.id, [moved])
  })

  it('A document for a visitor has the words of a mention of a user, and no name that the author did not write', async () => {
    const params = { spaceId: own.id, revisionId, pagePath: 'mention' }
    const query = { format: 'document' } as const
    expect(JSON.stringify(await visitor().getPageInRevisionByPath({ params, query }))).not.toContain('/u/ada')
    const { markdown } = (await visitor().getPageInRevisionByPath({ params, query: { format: 'markdown' } })) as never
    expect(markdown).toContain('Ask  or Ada.')
  })
})

it('Markdown for a visitor has addresses, and words alone where nothing opens', async () => {
  const params = { spaceId: own.id, revisionId, pagePath: 'links' }
  const page = await visitor().getPageInRevisionByPath({ params, query: { format: 'markdown' } })
  const markdown = 'markdown' in page ? page.markdown : ''
  expect(markdown).toContain(`[space](${site}/api/)`)
  expect(markdown).toContain(`[openPage](${elsewhere}/start#top)`)
  expect(markdown).toMatch(/^closedPage$/m)
  expect(markdown).not.toContain(app)
  expect(markdown).not.toContain('broken-reference')
})

it('Links in the page tree lead where those of texts do', async () => {
  const linked = async (client: ReturnType<typeof visitor>) => {
    const { pages } = await client.listPagesInRevisionById({ params: { spaceId: own.id, revisionId } })
    const links = pages.flatMap(entry => (entry.type === 'link' ? [entry] : []))
    return Object.fromEntries(links.map(({ title, target, href }) => [title, { target, href }]))
  }
  const { space, openPage } = seenPages()
  const brokenTarget = { target: { kind: 'url', url: 'broken-reference' }, href: undefined }
  expect(await linked(visitor())).toMatchObject({
    space: { target: space, href: `${site}/api/` },
    openPage: { target: openPage, href: openPage.url },
    secret: brokenTarget,
    closedPage: brokenTarget,
    user: brokenTarget,
    collection: brokenTarget,
    changes: brokenTarget,
  })
  expect(JSON.stringify(await linked(visitor()))).not.toContain(app)
  const { pages } = await writer().listPages({ params: { spaceId: own.id } })
  const asMember = Object.fromEntries(pages.map(entry => [entry.title, 'target' in entry && entry.target]))
  expect(asMember).toMatchObject({
    anchor: { kind: 'anchor', anchor: 'top', space: onSite.id },
    closedPage: { kind: 'page', page: closed.pages['Start'], space: closed.id },
    user: { kind: 'user', user: 'ada' },
    collection: { kind: 'collection', collection: 'one' },
    spec: { kind: 'openapi', spec: 'pets' },
  })
})
