import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { readAddress } from './read-address.ts'

let close = () => undefined as void
afterEach(() => close())

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = () => {
    server.close()
    server.closeAllConnections()
  }
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

const limits = { maxBytes: 1_000_000, idleMs: 5_000, signal: new AbortController().signal }

describe('an address of a site', () => {
  it('is read as it is: nothing of it is compressed on the way', async () => {
    const encodings: unknown[] = []
    const url = await serve((request, response) => {
      encodings.push(request.headers['accept-encoding'])
      response.end(Buffer.alloc(1_000_000))
    })
    const { ok, bytes } = await readAddress(url, limits)
    expect([ok, bytes.length, encodings]).toEqual([true, 1_000_000, ['identity']])
  })

  it.each<[title: string, listener: RequestListener, limits: Partial<typeof limits>, message: string | RegExp]>([
    ['has more than the limit', (_, response) => response.end(Buffer.alloc(11)), { maxBytes: 10 }, 'it has more than'],
    ['ends before its length', (_, response) => endEarly(response), {}, /terminated|other side closed/],
    ['stops in the middle', (_, response) => response.write('a'), { idleMs: 50 }, 'nothing came for 0.05 seconds'],
  ])('that %s is refused', async (_title, listener, own, message) => {
    const url = await serve(listener)
    await expect(readAddress(url, { ...limits, ...own })).rejects.toThrow(message)
  })
})

function endEarly(response: Parameters<RequestListener>[1]): void {
  response.writeHead(200, { 'content-length': '10' })
  response.write('a', () => response.destroy())
}
