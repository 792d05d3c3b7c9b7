import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createOutgoing, type Outgoing, type OutgoingOptions, type OutgoingReply, requestPlain } from './index.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close()
})

async function aServer(listener: RequestListener): Promise<number> {
  const server: Server = createServer(listener)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  open.push({ close: () => (server.closeAllConnections(), new Promise(done => server.close(done))) })
  return (server.address() as AddressInfo).port
}

function aClient(options: Partial<OutgoingOptions> = {}): Outgoing {
  const client = createOutgoing({ allow: '', timeoutMs: 5_000, maxBytes: 1_000, ...options })
  open.push(client)
  return client
}

async function text({ body }: OutgoingReply): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const loopback = async () => ['127.0.0.1']

describe('a request to an allowed server', () => {
  it('sends method, headers and body, and returns status, headers, address and bytes', async () => {
    const port = await aServer((req, res) => {
      req
        .setEncoding('utf8')
        .on('data', data =>
          res.writeHead(201, { 'x-was': `${req.method} ${req.headers['x-in']}` }).end(data.toUpperCase()),
        )
    })
    const reply = await aClient({ allow: `127.0.0.1:${port}` }).request({
      url: `http://127.0.0.1:${port}/p?q`,
      method: 'POST',
      headers: { 'x-in': 'yes' },
      body: 'hello',
    })
    expect(reply).toMatchObject({ status: 201, url: `http://127.0.0.1:${port}/p?q`, headers: { 'x-was': 'POST yes' } })
    expect(await text(reply)).toBe('HELLO')
  })

  it('leaves a redirect to who asks for that', async () => {
    const port = await aServer((_req, res) => void res.writeHead(307, { location: 'http://10.0.0.1/new' }).end('moved'))
    const reply = await aClient({ allow: `127.0.0.1:${port}` }).request({
      url: `http://127.0.0.1:${port}/old`,
      followsRedirects: false,
    })
    expect(reply).toMatchObject({ status: 307, headers: { location: 'http://10.0.0.1/new' } })
    expect(await text(reply)).toBe('moved')
  })

  it('opens a streamed body again for each redirect that repeats it', async () => {
    let connections = 0
    const port = await aServer((req, res) => {
      req.resume()
      if (req.url === '/old') return void res.writeHead(307, { location: '/new' }).end()
      req.setEncoding('utf8').on('data', data => res.end(`${req.headers['content-length']} ${data}`))
    })
    const reply = await aClient({ allow: `127.0.0.1:${port}` }).request({
      url: `http://127.0.0.1:${port}/old`,
      method: 'POST',
      headers: { 'content-length': '5' },
      body: () => {
        connections++
        return Readable.from([Buffer.from('hello')], { objectMode: false })
      },
    })
    expect([await text(reply), connections]).toEqual(['5 hello', 2])
  })

  it('resolves a name once and connects to the address that was checked', async () => {
    const port = await aServer((req, res) => res.end(req.headers.host))
    let requestCount = 0
    const resolve = async () => (requestCount++ === 0 ? ['127.0.0.1'] : ['10.255.255.1'])
    const reply = await aClient({ allow: '127.0.0.0/8', resolve }).request({ url: `http://docs.example:${port}/` })
    expect(await text(reply)).toBe(`docs.example:${port}`)
    expect(requestCount).toBe(1)
  })
})

describe('a request is refused', () => {
  it.each(['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]'])('to %s, without a connection', async host => {
    let hits = 0
    const port = await aServer((_req, res) => (hits++, res.end()))
    await expect(aClient().request({ url: `http://${host}:${port}/` })).rejects.toMatchObject({
      reason: 'refused_address',
    })
    expect(hits).toBe(0)
  })

  it('when a name also answers with a private address', async () => {
    const client = aClient({ resolve: async () => ['93.184.215.14', '192.168.1.1'] })
    await expect(client.request({ url: 'https://mixed.example/' })).rejects.toMatchObject({
      reason: 'refused_address',
      message: expect.stringContaining('mixed.example'),
    })
  })

  it('when an allowed server redirects to a private address', async () => {
    let hits = 0
    const hidden = await aServer((_req, res) => (hits++, res.end('secret')))
    const port = await aServer((_req, res) => res.writeHead(302, { location: `http://127.0.0.1:${hidden}/` }).end())
    await expect(
      aClient({ allow: `127.0.0.1:${port}` }).request({ url: `http://127.0.0.1:${port}/` }),
    ).rejects.toMatchObject({ reason: 'refused_address' })
    expect(hits).toBe(0)
  })

  it('after five redirects', async () => {
    let hits = 0
    const port = await aServer((_req, res) => (hits++, res.writeHead(302, { location: '/again' }).end()))
    await expect(aClient({ allow: '127.0.0.1' }).request({ url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({
      reason: 'redirects',
    })
    expect(hits).toBe(6)
  })
})

describe('credentials', () => {
  it('are not sent on to another origin', async () => {
    let seen: string | undefined = 'nothing arrived'
    const target = await aServer((req, res) => ((seen = req.headers.authorization), res.end('ok')))
    const port = await aServer((_req, res) => res.writeHead(307, { location: `http://127.0.0.1:${target}/` }).end())
    const reply = await aClient({ allow: '127.0.0.1' }).request({
      url: `http://127.0.0.1:${port}/`,
      headers: { authorization: 'Bearer secret' },
    })
    expect(await text(reply)).toBe('ok')
    expect(reply.url).toBe(`http://127.0.0.1:${target}/`)
    expect(seen).toBeUndefined()
  })

  it('in path and query are not in the error message', async () => {
    const failure = await aClient({ resolve: loopback })
      .request({ url: 'http://x.example/token-a?key=token-b' })
      .catch((error: Error) => error)
    expect(String(failure)).not.toMatch(/token-[ab]/)
  })
})

describe('limits', () => {
  it('a body that announces more than the limit is refused before it is read', async () => {
    const port = await aServer((_req, res) => res.end('x'.repeat(1_001)))
    await expect(aClient({ allow: '127.0.0.1' }).request({ url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({
      reason: 'too_large',
      code: 'too_large',
    })
  })

  it('a body that grows over the limit is aborted, and a request may set its own limit', async () => {
    const port = await aServer((_req, res) => (res.write('x'.repeat(600)), res.end('x'.repeat(600))))
    const client = aClient({ allow: '127.0.0.1' })
    await expect(client.request({ url: `http://127.0.0.1:${port}/` }).then(text)).rejects.toMatchObject({
      reason: 'too_large',
    })
    expect(await client.request({ url: `http://127.0.0.1:${port}/`, maxBytes: 1_200 }).then(text)).toHaveLength(1_200)
  })

  it.each([
    ['no headers come', { idleTimeoutMs: 50 }, () => undefined],
    ['the body falls silent', { idleTimeoutMs: 50 }, (res: { write(s: string): unknown }) => res.write('a')],
    [
      'the whole request takes too long',
      { timeoutMs: 80, idleTimeoutMs: 5_000 },
      (res: { write(s: string): unknown }) => res.write('a'),
    ],
  ])('times out when %s', async (_title, options, act) => {
    const port = await aServer((_req, res) => void act(res))
    await expect(
      aClient({ allow: '127.0.0.1', ...options })
        .request({ url: `http://127.0.0.1:${port}/` })
        .then(text),
    ).rejects.toMatchObject({ reason: 'timeout', code: 'timeout' })
  })

  it('times out when the name server never answers', () =>
    expect(
      aClient({ timeoutMs: 50, resolve: () => new Promise(() => undefined) }).request({ url: 'http://slow.example/' }),
    ).rejects.toMatchObject({ reason: 'timeout' }))

  it('an abort by the caller rejects with its reason', async () => {
    const port = await aServer(() => undefined)
    const giveUp = new AbortController()
    const pending = aClient({ allow: '127.0.0.1' }).request({ url: `http://127.0.0.1:${port}/`, signal: giveUp.signal })
    giveUp.abort(new Error('shutting down'))
    await expect(pending).rejects.toThrow('shutting down')
  })
})

describe('a server that fails', () => {
  it('with a closed port is unreachable', async () => {
    const port = await aServer(() => undefined)
    await open.pop()?.close()
    await expect(aClient({ allow: '127.0.0.1' }).request({ url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({
      reason: 'unreachable',
      code: 'unavailable',
    })
  })

  it('by closing the connection is unreachable', async () => {
    const port = await aServer(
      (_req, res) => (res.writeHead(200, { 'content-length': '10' }), res.write('abc', () => res.destroy())),
    )
    await expect(
      aClient({ allow: '127.0.0.1' })
        .request({ url: `http://127.0.0.1:${port}/` })
        .then(text),
    ).rejects.toMatchObject({ reason: 'unreachable' })
  })

  it('without TLS fails as tls', async () => {
    const port = await aServer((_req, res) => res.end())
    await expect(aClient({ allow: '127.0.0.1' }).request({ url: `https://127.0.0.1:${port}/` })).rejects.toMatchObject({
      reason: 'tls',
    })
  })
})

describe('a request for plain bytes', () => {
  const ask = async (encoding: string | undefined) => {
    let acceptHeaders: unknown
    const port = await aServer((req, res) => {
      acceptHeaders = [req.headers['accept-encoding'], req.headers['accept']]
      res.writeHead(200, encoding === undefined ? {} : { 'content-encoding': encoding }).end('bytes')
    })
    const url = `http://127.0.0.1:${port}/`
    const reply = requestPlain(aClient({ allow: '127.0.0.1' }), { url, headers: { 'accept-encoding': 'gzip' } })
    return { reply: await reply.catch((error: unknown) => error), acceptHeaders }
  }

  it.each([undefined, 'identity', ' Identity ', ''])('gets those of encoding %p', async encoding => {
    const { reply, acceptHeaders } = await ask(encoding)
    expect(acceptHeaders).toEqual(['identity', '*/*'])
    expect(await text(reply as OutgoingReply)).toBe('bytes')
  })

  it.each(['gzip', 'br', 'GZIP', 'identity, gzip'])('refuses those of encoding %p', async encoding =>
    expect((await ask(encoding)).reply).toMatchObject({ reason: 'encoding', code: 'invalid_request' }),
  )
})
