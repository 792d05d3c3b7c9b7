import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from '@jest/globals'
import { firstRequestsFirst } from './first-requests.ts'
import { listenOn } from './http-server.ts'

const visitors = 200
const requestsOfEach = 4

/** Sends requests of many connections that begin at once; resolves to the numbers of the requests in their connections, as answered. */
async function answeredBy(listenerOf: (server: Server, listener: RequestListener) => RequestListener) {
  const answered: number[] = []
  const server = createServer()
  const listener = listenerOf(server, (request, response) => {
    answered.push(Number(request.url?.slice(1)))
    response.end()
  })
  server.on('request', listener)
  await listenOn(server, { port: 0, host: '127.0.0.1' })
  const { port } = server.address() as AddressInfo
  const visit = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let number = 0; number < requestsOfEach; number += 1) {
      const [response] = (await once(get({ port, host: '127.0.0.1', path: `/${number}`, agent }), 'response')) as [
        IncomingMessage,
      ]
      await once(response.resume(), 'end')
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: visitors }, visit))
  server.close()
  return answered
}

/** Later requests that were answered before the last first one. */
const answeredBefore = (answered: readonly number[]) =>
  answered.slice(0, answered.lastIndexOf(0)).filter(number => number > 0).length

it('The first requests of connections that come at once are answered before later ones', async () => {
  const answered = await answeredBy(firstRequestsFirst)
  expect(answered).toHaveLength(visitors * requestsOfEach)
  const usual = await answeredBy((_server, listener) => listener)
  // Connections that come while there is nothing to accept may find later requests before them.
  expect(answeredBefore(answered)).toBeLessThan(answeredBefore(usual) / 2)
})

it('Later requests are answered while there is nothing to accept', async () => {
  const server = createServer()
  server.on(
    'request',
    firstRequestsFirst(server, (request, response) => response.end(request.url)),
  )
  await listenOn(server, { port: 0, host: '127.0.0.1' })
  const { port } = server.address() as AddressInfo
  for (const path of ['/a', '/b']) expect(await (await fetch(`http://127.0.0.1:${port}${path}`)).text()).toBe(path)
  server.closeAllConnections()
  server.close()
})
