import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aContent, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'

const app = 'http://recto.test'
const site = 'https://docs.test/'
let content: ContentSetup
let open: string
let closed: string
/** Ids of the pages of the open space, by their titles. */
let pages: Record<string, string>

beforeAll(async () => {
  content = await aContent()
  open = await aSpace(content)
  closed = await aSpace(content)
  const writer = content.as('create')
  const page = (title: string, rest: object = {}) => ({
    operation: 'insert_page',
    title,
    document: { markdown: `# ${title}\n` },
    ...rest,
  })
  const changes = [page('Start here'), page('Secret', { condition: 'visitor.claims.beta' })]
  await writer.updateContent({ params: { spaceId: open }, body: { changes } as never })
  await writer.updateContent({ params: { spaceId: closed }, body: { changes } as never })
  const listed = await writer.listPages({ params: { spaceId: open } })
  pages = Object.fromEntries(listed.pages.map(({ id, title }) => [title, id]))
  const address = { organization, site: 'site', version: 1, claims: {} }
  content.sites.addresses.public.push({ ...address, space: open, url: site })
})
afterAll(() => content.stop())

const find = async (path: string) =>
  (await content.gatewayCalls.findPublicAddress({ body: { url: `${app}${path}` } })).address

it('The URLs of a public space and of its pages lead to its site', async () => {
  const start = `${site}start-here`
  expect(await find(`/s/${open}`)).toBe(site)
  expect(await find(`/s/${open}/~/pages/${pages['Start here']}`)).toBe(start)
  expect(await find(`/s/${open}/start-here`)).toBe(start)
  expect(await find(`/s/${open}/Start-Here/`)).toBe(start)
})

it('A URL of anything that not everybody can read leads nowhere', async () => {
  const paths = [
    `/s/${open}/~/pages/${pages['Secret']}`,
    `/s/${open}/secret`,
    `/s/${open}/nothing`,
    `/s/${open}/~/pages/nothing`,
    `/s/${open}/~/revisions/nothing`,
    `/s/${open}/~/changes/1`,
    `/s/${open}/~/files/x`,
    `/s/${closed}`,
    `/s/${closed}/start-here`,
    '/s/nothing',
    '/s/',
    '/s/%E0%A4%A',
    '/c/x',
    '/u/x',
    `/o/${organization}`,
  ]
  for (const path of paths) expect([path, await find(path)]).toEqual([path, undefined])
})

it('The URL of a page of a deleted space leads nowhere', async () => {
  await content.as('admin').deleteSpaceById({ params: { spaceId: open } })
  expect(await find(`/s/${open}/start-here`)).toBeUndefined()
})
