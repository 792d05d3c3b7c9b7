// The bare pipe's first process: express, one NATS request, its reply copied.
import type { AddressInfo } from 'node:net'
import { connect } from '@nats-io/transport-node'
import express, { type Response } from 'express'
import { config } from '../harness/config.ts'
import { connectionOptions } from './nats.ts'

const connection = await connect(connectionOptions(config.bare.natsUrl))
const app = express()
/** Answers with the reply of the second process. */
async function answer(response: Response, subject: string, body: string | Uint8Array = ''): Promise<void> {
  const reply = await connection.request(subject, body, { timeout: 15_000 })
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.setHeader('content-length', reply.data.byteLength)
  response.end(reply.data)
}
app.get('/v1/spaces/:id', (request, response) => answer(response, 'bare.space', request.params.id))
app.get('/v1/bare/pages', (_request, response) => answer(response, 'bare.pages'))
app.post('/v1/bare/content', express.raw({ type: () => true }), (request, response) =>
  answer(response, 'bare.content', request.body as Buffer),
)
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.once('SIGINT', () => {
  server.close()
  server.closeAllConnections()
  void connection.drain()
})
