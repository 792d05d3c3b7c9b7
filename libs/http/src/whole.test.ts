import { Failure, operations, type HttpReply } from '@recto/operation'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { z } from 'zod'
import { anEdge, answer, errorOf, http } from './test/edge.ts'

const reply = z.object({
  status: z.number(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string(),
})
const rows = operations({
  visitServer: {
    route: 'GET /server/{path}',
    summary: 'Visit a server',
    reply,
    response: { isWhole: true },
    access: { public: true },
    errors: ['not_found'],
  },
})

let nextReply: () => Promise<HttpReply>
let edge: Awaited<ReturnType<typeof anEdge>>
beforeAll(async () => {
  edge = await anEdge({ api: { toys: rows } })
  answer(edge.toyBus, rows, { visitServer: () => nextReply() })
  await edge.toyBus.connection.flush()
})
afterAll(() => edge.stop())

it('A whole reply is sent with its status, its headers, each as often as it is given, and its body', async () => {
  nextReply = async () => ({
    status: 303,
    headers: [
      ['Location', 'https://other.test/?a=b'],
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Cache-Control', 'no-store'],
    ],
    body: 'größe',
  })
  const { status, headers, body } = await http(edge.port, { path: '/v1/server/a' })
  expect([status, body.toString()]).toEqual([303, 'größe'])
  expect(headers).toMatchObject({
    location: 'https://other.test/?a=b',
    'set-cookie': ['a=1', 'b=2'],
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': '7',
    'x-content-type-options': 'nosniff',
  })
})

it('A whole reply does not decide about the connection, the name of the request, nor who may read it', async () => {
  nextReply = async () => ({
    status: 200,
    headers: [
      ['Transfer-Encoding', 'chunked'],
      ['Content-Length', '1'],
      ['X-Request-Id', 'other'],
      ['Access-Control-Allow-Origin', 'https://other.test'],
    ],
    body: 'four',
  })
  const { headers, body } = await http(edge.port, { path: '/v1/server/a', headers: { 'x-request-id': 'own' } })
  expect([headers['transfer-encoding'], body.toString()]).toEqual([undefined, 'four'])
  expect(headers).toMatchObject({ 'content-length': '4', 'x-request-id': 'own', 'access-control-allow-origin': '*' })
})

it('A failure of a row with whole replies has the error body of its surface', async () => {
  nextReply = async () => {
    throw new Failure('not_found', 'There is nothing')
  }
  expect(errorOf(await http(edge.port, { path: '/v1/server/a' }))).toMatchObject({ code: 404 })
})
