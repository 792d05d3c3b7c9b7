import { eventually } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { inProcess, ReplyTooLarge } from './in-process.ts'

const never = new AbortController().signal
const closed: string[] = []
/** Answers with what it was sent; a path of `/wait` is never answered. */
const send = inProcess((request, response) => {
  response.once('close', () => closed.push(request.url ?? ''))
  if (request.url === '/wait') return
  const chunks: Buffer[] = []
  request
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => {
      const { method, url, socket, headers } = request
      const body = Buffer.concat(chunks).toString()
      const seen = { method, url, address: socket.remoteAddress, name: headers['x-name'], body }
      response.writeHead(201, { location: '/there' }).end(JSON.stringify(seen))
    })
})
const aRequest = {
  method: 'POST',
  path: '/toys?a=b',
  headers: { 'x-name': 'Ada' },
  address: '192.0.2.7',
  signal: never,
}

it('A request arrives as it was sent, from the address of who caused it, and its reply comes back', async () => {
  const body = 'ä'.repeat(100_000)
  const reply = await send({ ...aRequest, body }, 1_000_000)
  expect(reply).toMatchObject({ status: 201, location: '/there' })
  const seen = { method: 'POST', url: '/toys?a=b', address: '192.0.2.7', name: 'Ada', body }
  expect(JSON.parse(reply.body.toString())).toEqual(seen)
})

it('A reply with more bytes than the limit is given up', async () =>
  await expect(send({ ...aRequest, body: 'x'.repeat(5_000) }, 1_000)).rejects.toBeInstanceOf(ReplyTooLarge))

it('A request whose sender goes away ends on both sides', async () => {
  const gone = new AbortController()
  const reply = send({ ...aRequest, method: 'GET', path: '/wait', signal: gone.signal }, 1_000)
  setImmediate(() => gone.abort(new Error('gone')))
  await expect(reply).rejects.toMatchObject({ name: 'AbortError' })
  await eventually(() => expect(closed.at(-1)).toBe('/wait'))
})
