import { beforeAll, describe, expect, it } from '@jest/globals'
import { aPublishedSite, aSpace, ask, type ReaderSites } from './reader-sites.ts'
import { aCustomization } from './sites.ts'

/** A site of two spaces, of which one links to the other and elsewhere. */
interface LinkedSite {
  running: ReaderSites
  /** Where the reader shows it. */
  path: string
  published: string
  own: string
  guide: string
  closed: string
  users: string
  secret: string
}

/** The references of the page with the links, by the words of the links. */
const refsOf = ({ guide, closed, users, secret }: Pick<LinkedSite, 'guide' | 'closed' | 'users' | 'secret'>) => ({
  users: { kind: 'page', page: users, space: guide },
  anchor: { kind: 'anchor', anchor: 'list-them', page: users, space: guide },
  space: { kind: 'space', space: guide },
  secret: { kind: 'page', page: secret, space: guide },
  closed: { kind: 'space', space: closed },
  user: { kind: 'user', user: 'somebody' },
})

const linking = (refs: Record<string, object>) => ({
  object: 'document',
  data: { schemaVersion: 8 },
  nodes: Object.entries(refs).map(([words, ref]) => {
    const nodes = [{ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] }]
    const link = { object: 'inline', type: 'link', data: { ref }, nodes }
    return { object: 'block', type: 'paragraph', nodes: [link] }
  }),
})

const page = (title: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown: `# ${title}\n\n## List them\n` },
  ...more,
})

async function aLinkedSite(running: ReaderSites): Promise<LinkedSite> {
  const { admin, organizationId } = running
  const changes = [page('Start'), page('Users'), page('Secret', { condition: 'visitor.claims.beta' })]
  const guide = await aSpace(running, 'Guide', changes)
  const closed = await aSpace(running, 'Closed', [page('Start')])
  const { pages } = (await admin.client.spaces.listPages(guide)).data
  const idOf = (title: string) => pages.find(each => each.title === title)?.id ?? ''
  const ids = { guide, closed, users: idOf('Users'), secret: idOf('Secret') }
  const refs = refsOf(ids)
  const links = { operation: 'insert_page', title: 'Links', document: { document: linking(refs) } }
  const own = await aSpace(running, 'Own', [page('Home'), links])
  const { siteId, name } = await aPublishedSite(running, { title: 'Linked', spaces: [own, guide] })
  const header = [{ title: 'To the users', style: 'link', to: refs.anchor, links: [] }]
  const custom = { ...aCustomization(), header: { ...aCustomization().header, links: header } }
  await admin.client.orgs.updateSiteCustomizationById(organizationId, siteId, custom as never)
  const { data } = await admin.client.orgs.getSiteById(organizationId, siteId)
  return { ...ids, running, own, path: `/${name}`, published: data.urls.published ?? '' }
}

async function comeBack(site: LinkedSite): Promise<void> {
  const { spaces } = site.running.admin.client
  const { data } = await spaces.getPageByPath(site.own, 'links', { format: 'document' })
  const targets: unknown[] = []
  JSON.stringify(data, (name, value: unknown) => (name === 'ref' && targets.push(value), value))
  expect(targets).toEqual(Object.values(refsOf(site)))
}

/** The targets of the links in HTML, by their words. */
function targetsIn(html: string): Record<string, string | undefined> {
  const links = html.matchAll(/<a href="([^"]*)"[^>]*>(?:<span>)?(\w+)(?:<\/span>)?<\/a>/g)
  return Object.fromEntries([...links].map(([, href, words = '']) => [words, href]))
}

async function leadInHtml(site: LinkedSite): Promise<void> {
  const { running, path } = site
  const { text } = await ask(`${running.reader}${path}/links`)
  const targets = targetsIn(text.slice(text.indexOf('<h1')))
  const names = Object.keys(refsOf(site))
  expect(names.map(words => targets[words])).toEqual([
    `${path}/guide/users`,
    `${path}/guide/users#list-them`,
    `${path}/guide`,
    undefined,
    undefined,
    undefined,
  ])
  for (const words of names) expect(text).toContain(words)
  expect((await ask(`${running.reader}${path}/guide/users`)).text).toContain('id="list-them"')
}

async function leadInMarkdown({ running, path, published }: LinkedSite): Promise<void> {
  for (const name of ['links.md', 'llms-full.txt']) {
    const { text } = await ask(`${running.reader}${path}/${name}`)
    expect(text).toContain(`[users](${published}guide/users.md)`)
    expect(text).toContain(`[anchor](${published}guide/users.md#list-them)`)
    expect(text).toContain(`[space](${published}guide/)`)
    expect(text).toMatch(/^secret$/m)
    expect(text).not.toMatch(/\/(?:s|u)\/\w/)
  }
}

async function leadInTheHeader({ running, path, users }: LinkedSite): Promise<void> {
  const { text } = await ask(`${running.reader}${path}/`)
  const [, href = ''] = /href="([^"]*)"[^>]*>(?:<span>)?To the users/.exec(text) ?? []
  expect(href).toBe(`${path}/guide/~recto/page/${users}#list-them`)
  const { headers } = await ask(`${running.reader}${href.split('#')[0]}`)
  expect(headers.location).toBe(`${path}/guide/users`)
}

async function leadFromTheApplication({ running, published, ...ids }: LinkedSite): Promise<void> {
  const get = async (path: string) => {
    const { status, headers } = await fetch(`${running.stack.url}${path}`, { redirect: 'manual' })
    return [status, headers.get('location')]
  }
  expect(await get(`/s/${ids.guide}/~/pages/${ids.users}`)).toEqual([302, `${published}guide/users`])
  expect(await get(`/s/${ids.own}`)).toEqual([302, published])
  const hidden = [`/s/${ids.guide}/~/pages/${ids.secret}`, `/s/${ids.closed}`, '/s/none', '/u/somebody']
  for (const path of hidden) expect([path, ...(await get(path))]).toEqual([path, 404, null])
}

/** The tests of links between the spaces of a site, in an installation that runs already. */
export function linksBetweenSpaces(running: () => ReaderSites): void {
  describe('links between spaces', () => {
    let site: LinkedSite
    beforeAll(async () => void (site = await aLinkedSite(running())))
    it('come back to members as they were given', () => comeBack(site))
    it('lead to the pages that the visitor sees, and are words elsewhere', () => leadInHtml(site))
    it('are addresses in Markdown', () => leadInMarkdown(site))
    it('of the header lead through the id of the page', () => leadInTheHeader(site))
    it('are URLs of the application that lead to the site, or say nothing', () => leadFromTheApplication(site))
  })
}
