// The bare pipe's first process: express, one NATS request, its reply copied.
import type { AddressInfo } from 'node:net'
import { connect } from '@nats-io/transport-node'
import express from 'express'
import { config } from '../harness/config.ts'
import { connectionOptions } from './nats.ts'

const connection = await connect(connectionOptions(config.bare.natsUrl))
const app = express()
app.get('/v1/spaces/:id', async (request, response) => {
  const reply = await connection.request('bare.space', request.params.id, { timeout: 15_000 })
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.setHeader('content-length', reply.data.byteLength)
  response.end(reply.data)
})
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.once('SIGINT', () => {
  server.close()
  server.closeAllConnections()
  void connection.drain()
})
