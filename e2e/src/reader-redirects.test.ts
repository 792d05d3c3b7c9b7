import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@recto/testing'
import { sendOk } from './people.ts'
import { ask, readerSites, type ReaderSites } from './reader-sites.ts'

let sites: ReaderSites
let root: string
let siteSpaceId: string
beforeAll(async () => {
  sites = await readerSites()
  const { admin, organizationId, docs } = sites
  root = `${sites.reader}/${docs.name}`
  const { items } = (await admin.client.orgs.listSiteSpaces(organizationId, docs.siteId)).data
  siteSpaceId = items.find(({ space }) => space.id === docs.old)?.id ?? ''
})
afterAll(async () => {
  await sites.stop()
})

/** A part of a path with all but unreserved characters encoded (RFC 3986), as sources are written. */
const encoded = (part: string) =>
  encodeURIComponent(part).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
const redirect = (source: string) =>
  sites.admin.client.orgs.createSiteRedirect(sites.organizationId, sites.docs.siteId, {
    source,
    destination: { kind: 'site-space', siteSpaceId } as never,
  })
const leadsTo = async (path: string) => {
  const { status, headers } = await ask(`${root}/${path}`)
  return [status, headers.location]
}

const hostile = [
  'ä',
  '日本',
  'Ünïcode',
  'a b',
  '[x]',
  '100%',
  '%25',
  '%2F',
  'a%2Fb',
  'a+b',
  'a&b=c',
  'a?b',
  'a#b',
  '😀',
  'e\u0301',
  "it's(x)!*",
  'a;b,c:d@e$f',
  '"quoted"',
  '<b>',
  '\\',
  '{x}|^`',
  'v',
  '~',
]

describe('a redirect of the site', () => {
  it.each(hostile)('of %j is followed, however the path is spelled', async name => {
    await redirect(`/from/${encoded(name)}`)
    const target = [307, `/${sites.docs.name}/old/`]
    const lowerCodes = encoded(name).replace(/%[0-9A-F]{2}/g, code => code.toLowerCase())
    const spellings = [encoded(name), encodeURIComponent(name), lowerCodes]
    for (const spelling of new Set(spellings))
      expect([spelling, await leadsTo(`from/${spelling}`)]).toEqual([spelling, target])
  })

  it('of brackets is followed from the path that browsers send', async () => {
    await redirect('/raw/%5Ba%5D')
    expect(await leadsTo('raw/[a]')).toEqual([307, `/${sites.docs.name}/old/`])
  })

  it('below a section and a variant is followed, too', async () => {
    for (const below of ['api', 'old']) {
      await redirect(`/${below}/${encoded('ä b')}/${encoded('[x]')}`)
      expect(await leadsTo(`${below}/${encoded('ä b')}/[x]`)).toEqual([307, `/${sites.docs.name}/old/`])
    }
  })

  it('is the same however it was spelled', async () => {
    const { data } = await redirect('/%61gain/%c3%a4')
    expect(data.source).toBe('/again/%C3%A4')
    await expect(redirect('/again/%C3%A4')).rejects.toMatchObject({ code: 409 })
    expect(await leadsTo(`again/${encoded('ä')}`)).toEqual([307, `/${sites.docs.name}/old/`])
    expect(await leadsTo(`AGAIN/${encoded('Ä')}`)).toEqual([307, `/${sites.docs.name}/old/`])
  })
})

it('a permanent redirect and one to another site are followed, with what a wildcard stands for', async () => {
  const create = (body: object) =>
    sendOk(sites.stack, sites.admin, {
      method: 'POST',
      path: `/orgs/${sites.organizationId}/sites/${sites.docs.siteId}/redirects`,
      body,
    })
  await create({ source: '/for-good', destination: { kind: 'site-space', siteSpaceId }, permanent: true })
  expect(await leadsTo('for-good')).toEqual([308, `/${sites.docs.name}/old/`])
  const destination = { kind: 'external', url: 'https://elsewhere.example/日?v=1' }
  await create({ source: '/out/*', destination, captureWildcard: true })
  expect(await leadsTo('out/a%20b/c')).toEqual([307, 'https://elsewhere.example/%E6%97%A5/a%20b/c?v=1'])
  expect(await leadsTo('out?v=2&utm=x')).toEqual([307, 'https://elsewhere.example/%E6%97%A5?v=1&utm=x'])
  expect(await leadsTo('for-good?a=b%20c&d')).toEqual([308, `/${sites.docs.name}/old/?a=b%20c&d`])
  await create({ source: '/unready', destination, draft: true })
  expect((await ask(`${root}/unready`)).status).toBe(404)
})

describe('the path that a page had before', () => {
  it.each(['größe', '日本-語', 'a.b_c'])('is followed from %j', async slug => {
    const { stack, admin, docs } = sites
    const write = (changes: object[]) =>
      sendOk<{ changes: { page?: { id: string } }[] }>(stack, admin, {
        method: 'POST',
        path: `/spaces/${docs.manual}/content`,
        body: { changes },
      })
    const inserted = await write([{ operation: 'insert_page', title: slug, slug, document: { markdown: '# Page\n' } }])
    const page = inserted.changes[0]?.page?.id ?? ''
    await eventually(async () => expect((await ask(`${root}/${encoded(slug)}`)).status).toBe(200))
    await write([{ operation: 'update_page', page, slug: `now-${encodeURIComponent(slug).length}` }])
    const target = `/${docs.name}/now-${encodeURIComponent(slug).length}`
    await eventually(async () => expect(await leadsTo(encoded(slug))).toEqual([307, target]))
    expect(await leadsTo(`${encoded(slug)}.md`)).toEqual([307, `${target}.md`])
  })
})

it('what leads nowhere is a page that says so, however its path is spelled', async () => {
  for (const name of [...hostile, 'x'.repeat(600)])
    expect([name, (await ask(`${root}/nowhere/${encodeURIComponent(name)}`)).status]).toEqual([name, 404])
})
