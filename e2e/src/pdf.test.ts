import { changeRequestPdf, pdf } from '@recto/contracts-content'
import { aGitServer, aRepository, readPdf, type GitServer, type ReadOutline } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { forged } from './forged.ts'
import { blocks } from './fixtures/blocks.ts'
import { manual } from './fixtures/manual.ts'
import { anOrganization, sendRaw, type Person } from './people.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import { checkedReplies, importRepository } from './walk.ts'

const { checked, publishedOf } = checkedReplies()
const S = '/spaces/{spaceId}'

let stack: Installation
let git: GitServer
let organization: { id: string; admin: Person }
let repository: Awaited<ReturnType<typeof aRepository>>
let space: string

beforeAll(async () => {
  const summary = `${String(manual['SUMMARY.md'])}* [Blocks](blocks.md)\n`
  repository = await aRepository({ files: { ...manual, 'SUMMARY.md': summary, 'blocks.md': blocks } })
  git = await aGitServer({ repositories: { manual: repository.path } })
  stack = await sharedStack()
  organization = await anOrganization(stack)
  space = (await spacesIn().createSpace(organization.id, { title: 'Manual' } as never)).data.id
  await importRepository(organization.admin, space, git.url('manual'))
})
afterAll(async () => {
  await git.stop()
  await repository.remove()
})

const spacesIn = () => organization.admin.client.orgs
const spaces = () => organization.admin.client.spaces
const titlesOf = (items: ReadOutline[]): string[] =>
  items.flatMap(({ title, items: inside }) => [title, ...titlesOf(inside)])

/** Downloads a PDF without a token, as a browser does. */
async function download(url: unknown): Promise<Uint8Array> {
  const response = await fetch(String(url))
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(response.headers.get('content-disposition')).toMatch(/^inline; filename="?\w+\.pdf"?$/)
  return new Uint8Array(await response.arrayBuffer())
}

interface TreePage {
  id: string
  title: string
  type: string
  pages?: TreePage[]
}
const documents = (pages: TreePage[]): TreePage[] =>
  pages.flatMap(page => [...(page.type === 'document' ? [page] : []), ...documents(page.pages ?? [])])

describe('the published client gets a PDF', () => {
  it('of a space, with every page and every heading', async () => {
    const { pages } = (await spaces().listPages(space)).data
    const all = documents(pages as TreePage[])
    const { url } = checked(`GET ${S}/pdf`, await spaces().getSpacePdf(space))
    const { title, sheets, outline } = await readPdf(await download(url))
    expect(title).toBe('Manual')
    const titles = titlesOf(outline)
    for (const page of all) expect(titles).toContain(page.title)
    const text = sheets.map(sheet => sheet.text.replaceAll(/\s/g, '')).join('')
    for (const heading of titles) expect(text).toContain(heading.replaceAll(/\s/g, ''))
    expect(sheets.flatMap(({ links }) => links).some(({ sheet }) => sheet === 0)).toBe(false)
  })

  it('of one page', async () => {
    const { pages } = (await spaces().listPages(space)).data
    const page = documents(pages as TreePage[]).find(({ title }) => title === 'Blocks')
    const query = { page: page?.id ?? '', only: true }
    const { url } = checked(`GET ${S}/pdf`, await spaces().getSpacePdf(space, query))
    const { outline } = await readPdf(await download(url))
    expect(outline.map(({ title }) => title)).toEqual(['Blocks'])
  })

  it('of a change request', async () => {
    const changeRequest = (await spaces().createChangeRequest(space, { subject: 'More' })).data
    const changes = [{ operation: 'insert_page', title: 'A proposed page', document: { markdown: 'It says more.' } }]
    const path = `/spaces/${space}/change-requests/${changeRequest.id}/content`
    expect((await sendRaw(stack.url, organization.admin, { method: 'POST', path, body: { changes } })).status).toBe(200)
    const { url } = checked(
      `GET ${S}/change-requests/{changeRequestId}/pdf`,
      await spaces().getChangeRequestPdf(space, changeRequest.id),
    )
    const { outline } = await readPdf(await download(url))
    expect(titlesOf(outline)).toContain('A proposed page')
  })

  it('by every operation that there is', () => expect(publishedOf({ ...pdf, ...changeRequestPdf }).unused).toEqual([]))

  it('and a clear refusal for a page that is not there', async () => {
    const query = { page: 'no-such-page' }
    await expect(spaces().getSpacePdf(space, query)).rejects.toMatchObject({ code: 404 })
    const changed = (await spaces().getSpacePdf(space)).data.url
    const url = String(changed)
    expect((await fetch(forged(url, url.indexOf('/files/') + '/files/'.length))).status).toBe(404)
  })
})
