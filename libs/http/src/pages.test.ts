import { busClient, type RequestMeta } from '@recto/bus'
import { operations } from '@recto/operation'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { anEdge, answer, errorOf, http } from './test/edge.ts'

const rows = operations({
  sign: { route: 'POST /sign', summary: 'Sign', consumes: 'form', produces: 'text/html', body: z.object({ name: z.string() }), reply: z.string(), public: true },
  leave: { route: 'GET /leave', summary: 'Leave', reply: z.undefined(), status: 302, public: true },
  describeIt: { route: 'GET /about', summary: 'Describe', produces: 'application/samlmetadata+xml', reply: z.string(), public: true },
})
const handlers = {
  sign: async ({ body }: { body: { name: string } }) => `<p>Grüße, ${body.name}`,
  leave: async (_input: never, { locate }: RequestMeta) => locate('https://elsewhere.example/?a=ä'),
  describeIt: async () => '<about/>',
}
const form = { 'content-type': 'application/x-www-form-urlencoded' }

let edge: Awaited<ReturnType<typeof anEdge>>
beforeAll(async () => {
  edge = await anEdge({ api: { toys: rows } })
  answer(edge.toyBus, rows, handlers)
  await edge.toyBus.connection.flush()
})
afterAll(() => edge.stop())

const sign = (body: string, headers: Record<string, string> = form) => http(edge.port, { method: 'POST', path: '/v1/sign', body, headers })

describe('a row for browsers', () => {
  it('takes a form and answers with a page that runs nothing and is kept by nobody', async () => {
    const reply = await sign('name=Ada+%26+Bob')
    expect([reply.status, reply.body.toString()]).toEqual([200, '<p>Grüße, Ada & Bob'])
    expect(reply.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' })
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
  })

  it.each<[string, string, Record<string, string>, number]>([
    ['JSON', '{"name":"Ada"}', { 'content-type': 'application/json' }, 415],
    ['a form without the field', 'title=Ada', form, 400],
    ['a field that is there twice', 'name=Ada&name=Eve', form, 400],
    ['bytes that are no text', 'name=%FF', { ...form, 'content-encoding': 'gzip' }, 415],
  ])('refuses %s with the error body', async (_case, body, headers, status) => {
    const reply = await sign(body, headers)
    expect([reply.status, errorOf(reply).code]).toEqual([status, status])
  })

  it('sends elsewhere without a body', async () => {
    const reply = await http(edge.port, { path: '/v1/leave' })
    expect([reply.status, reply.headers.location, reply.body.length]).toEqual([302, 'https://elsewhere.example/?a=%C3%A4', 0])
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('answers with a document of another type', async () => {
    const reply = await http(edge.port, { path: '/v1/about' })
    expect([reply.headers['content-type'], reply.body.toString()]).toEqual(['application/samlmetadata+xml; charset=utf-8', '<about/>'])
  })

  it('is asked by a client of the bus as it is by a browser', async () => {
    const client = busClient(edge.gateway, rows, { service: 'toys', prefix: 'api' })
    expect([await client.sign({ body: { name: 'Ada' } }), await client.describeIt()]).toEqual(['<p>Grüße, Ada', '<about/>'])
  })
})
