import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { createApiClient } from '../api/api-client.ts'
import { createReads } from '../api/reads.ts'
import type { DocumentPage } from '../api/types.ts'
import type { Body, BodyInput } from '../blocks/index.ts'
import type { OpenedSite } from './open-site.ts'
import { createBodies, type Bodies, type RenderBody } from './read-body.ts'

/** An API whose pages all have the same document, and that has nothing else. */
const requests: string[] = []
let nodes: object[] = []
let status = 200
const server = createServer((request, response) => {
  requests.push(request.url ?? '')
  const isPage = request.url?.includes('/page/')
  response.writeHead(isPage ? status : 404).end(JSON.stringify({ object: 'document', data: {}, nodes }))
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())
beforeEach(() => {
  requests.splice(0)
  nodes = []
  status = 200
})

const site = {
  lookup: { apiToken: 'token', organization: 'o' },
  space: { id: 's' },
  revision: { id: 'r' },
  links: { space: '/' },
  claims: {},
  published: { structure: { type: 'siteSpaces', structure: [] } },
} as unknown as OpenedSite
const where = { site, locale: 'en', newTab: false, externalAI: false } as const
const page = { id: 'p', path: 'p' } as DocumentPage
const aBody = (html: string): Body => ({ html, outline: [], hasMath: false, updates: [] })

function someBodies(render: (input: BodyInput) => Body, maxBytes = 100_000): { bodies: Bodies; rendered: string[] } {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const reads = createReads(createApiClient({ url, publicUrl: url, timeout: 5_000 }), { freshFor: 1, maxBytes: 1e6 })
  const rendered: string[] = []
  const counted: RenderBody = async input => {
    rendered.push(input.locale)
    return render(input)
  }
  return { bodies: createBodies(reads, { render: counted, maxBytes }), rendered }
}

it('renders a page once for all who ask', async () => {
  const { bodies, rendered } = someBodies(() => aBody('<p>x</p>'))
  const [one, other] = await Promise.all([bodies.read(page, where), bodies.read(page, where)])
  expect([one === other, await bodies.read(page, where), rendered.length]).toEqual([true, one, 1])
})

it('renders it again for another visitor, language or address', async () => {
  const { bodies, rendered } = someBodies(() => aBody('<p>x</p>'))
  await bodies.read(page, where)
  await bodies.read(page, { ...where, site: { ...site, lookup: { ...site.lookup, apiToken: 'another' } } })
  await bodies.read(page, { ...where, newTab: true })
  await bodies.read(page, { ...where, externalAI: true })
  await bodies.read(page, { ...where, site: { ...site, links: { ...site.links, space: '/docs/' } } })
  expect(rendered).toHaveLength(5)
})

it('does not try a page again at once that cannot be rendered', async () => {
  const { bodies, rendered } = someBodies(() => {
    throw new Error('The task took too long')
  })
  for (let time = 0; time < 3; time += 1)
    await expect(bodies.read(page, where)).rejects.toMatchObject({
      status: 500,
      message: expect.stringContaining('too long'),
    })
  expect(rendered).toHaveLength(1)
})

it('tries a page again that the API did not have', async () => {
  const { bodies } = someBodies(() => aBody(''))
  status = 503
  await expect(bodies.read(page, where)).rejects.toMatchObject({ status: 503 })
  status = 200
  expect((await bodies.read(page, where)).html).toBe('')
})

it('keeps nothing that is larger than its room', async () => {
  const { bodies, rendered } = someBodies(() => aBody('x'.repeat(1_000)), 1_000)
  expect([(await bodies.read(page, where)).html.length, (await bodies.read(page, where)).html.length]).toEqual([
    1_000, 1_000,
  ])
  expect([rendered.length, bodies.state().bytes]).toEqual([2, 0])
})

it('asks for so many specifications and included contents of a page, and no more', async () => {
  const refs = Array.from({ length: 1_000 }, (_, number) => [
    {
      object: 'block',
      type: 'reusable-content',
      data: { ref: { kind: 'reusable-content', reusableContent: `../${number}` } },
    },
    { object: 'block', type: 'openapi-operation', data: { ref: { kind: 'openapi', spec: `${number}` } } },
  ])
  nodes = refs.flat()
  const { bodies } = someBodies(() => aBody(''))
  await bodies.read(page, where)
  const counts = ['/reusable-contents/..%2F', '/openapi/'].map(
    part => requests.filter(url => url.includes(part)).length,
  )
  expect([counts, requests.length]).toEqual([[200, 20], 221])
})
