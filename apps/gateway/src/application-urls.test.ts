import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRateLimit } from '@recto/http'
import { Failure } from '@recto/operation'
import express from 'express'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { mountApplicationUrls } from './application-urls.ts'

const publicUrl = 'https://recto.test'
const requests: string[] = []
let server: Server
beforeAll(async () => {
  const app = express()
  const find = async (url: string) => {
    requests.push(url)
    if (url.endsWith('/down')) throw new Failure('unavailable', 'Content does not answer')
    return url === `${publicUrl}/s/open` ? 'https://docs.test/a%20b/ü' : undefined
  }
  mountApplicationUrls(app, { publicUrl, rate: createRateLimit(30), find })
  app.use((_request, response) => void response.status(418).end())
  server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { redirect: 'manual', headers })

it('a URL of something public leads to its address', async () => {
  const response = await get('/s/open?next=https://evil.test')
  expect([response.status, response.headers.get('location')]).toEqual([302, 'https://docs.test/a%20b/%C3%BC'])
  expect(response.headers.get('cache-control')).toBe('no-store')
})

it.each(['/s/closed', '/s/none/~/pages/x', '/c/x', '/u/x', '/o/x', '/~/openapi/x', '/s//evil.test'])(
  'nothing is said of what %s may be',
  async path => {
    const response = await get(path)
    expect([response.status, response.headers.get('location')]).toEqual([404, null])
    const message = 'There is nothing here that everybody can read'
    expect(await response.json()).toEqual({ error: { code: 404, message } })
  },
)

it('a path that is too long for any page is not asked for', async () => {
  const before = requests.length
  expect([(await get(`/s/${'x'.repeat(5_000)}`)).status, requests.length]).toEqual([404, before])
})

it('a browser gets a page that says so', async () => {
  const response = await get('/s/closed', { accept: 'text/html,*/*;q=0.8' })
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(await response.text()).toContain('nothing that is published for everybody')
})

it('a service that does not answer is no missing page', async () => {
  expect((await get('/s/down')).status).toBe(503)
})

it.each(['/', '/v1/spaces/x', '/spaces/x', '/site/x', '/s', '/docs'])('%s is no URL of the application', async path => {
  const before = requests.length
  expect([(await get(path)).status, requests.length]).toEqual([418, before])
})

it('too many requests are refused', async () => {
  const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await get('/s/closed')).status))
  expect(statuses).toContain(429)
})
