import { chmod, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from '@jest/globals'
import {
  cutResponse,
  editResponse,
  type Fault,
  gzipResponse,
  hang,
  type Phase,
  redirect,
  refuse,
  stallResponse,
  status,
  withoutHeader,
  wrongLength,
} from '../test/faulty-proxy.ts'
import { aServerSetup, credentials, type Direction, type ServerSetup } from '../test/server-setup.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of open.splice(0).reverse()) await stop()
})

async function servers(options: Parameters<typeof aServerSetup>[0] = {}): Promise<ServerSetup> {
  const serverSetup = await aServerSetup(options)
  open.push(() => serverSetup.stop())
  return serverSetup
}

const success = { commit: expect.stringMatching(/^[0-9a-f]{40}$/) }
const failureWith = (code: string, message: string | RegExp = '') => ({
  error: expect.objectContaining({
    code,
    message: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
  }),
})
const countOf = ({ proxy: front }: ServerSetup, phase: Phase) =>
  front.requests.filter(each => each.phase === phase).length

const phases: [Direction, Phase][] = [
  ['import', 'refs'],
  ['import', 'pack'],
  ['export', 'refs'],
  ['export', 'pack'],
  ['export', 'push-refs'],
  ['export', 'push'],
]
const html = '<!doctype html><title>Sign in</title>'

describe.each(phases)('Faults of an %s in the phase %s', (direction, phase) => {
  it.each<[string, Fault]>([
    ['has the status 500', status(500)],
    ['has the status 502 and HTML', status(502, html, { 'content-type': 'text/html' })],
    ['has the status 503', status(503)],
    ['has the status 429', status(429)],
    ['is missing, since the connection is refused,', refuse],
  ])('A response that %s is requested again, and three failures fail the operation', async (_case, fault) => {
    const serverSetup = await servers()
    serverSetup.proxy.fail(phase, fault)
    expect(await serverSetup.run(direction)).toEqual(failureWith('unreachable'))
    expect([countOf(serverSetup, phase), serverSetup.commits()]).toEqual([3, 1])
    serverSetup.proxy.fail(phase, fault, 2)
    expect(await serverSetup.run(direction)).toEqual(success)
    expectContent(serverSetup, direction)
  })

  it.each<[string, Fault]>([
    ['breaks off before its first byte', cutResponse(0)],
    ['breaks off in its body', cutResponse(10)],
    ['is shorter than it says', wrongLength(100)],
  ])('A response that %s is requested again, and a push that the server took is not repeated', async (_case, fault) => {
    const serverSetup = await servers()
    serverSetup.proxy.fail(phase, fault)
    expect(await serverSetup.run(direction)).toEqual(phase === 'push' ? success : failureWith('unreachable'))
    expect([countOf(serverSetup, phase), serverSetup.commits()]).toEqual(phase === 'push' ? [1, 2] : [3, 1])
    serverSetup.proxy.fail(phase, fault, 2)
    expect(await serverSetup.run(direction)).toEqual(success)
    expectContent(serverSetup, direction)
  })

  it('A silent server ends an operation with a timeout', async () => {
    const hasDone = phase === 'push' ? success : failureWith('timeout', 'did not answer in time')
    const cases: [Fault, unknown][] = [
      [hang, failureWith('timeout', 'did not answer in time')],
      [stallResponse(10), hasDone],
    ]
    const runs = cases.map(async ([fault, expected]) => {
      const serverSetup = await servers({ silence: 1_500 })
      serverSetup.proxy.fail(phase, fault)
      expect(await serverSetup.run(direction)).toEqual(expected)
      expect(countOf(serverSetup, phase)).toBe(expected === success ? 1 : 3)
    })
    await Promise.all(runs)
  })

  it.each<[string, Fault, string, RegExp]>([
    ['wants credentials', status(401), 'authentication_failed', /credentials/],
    ['is forbidden', status(403), 'authentication_failed', /refused the credentials/],
    ['is not found', status(404), 'repository_not_found', /not found/],
    ['is too large for a proxy', status(413), 'too_large', /requests of this size/],
    ['is HTML', status(200, html, { 'content-type': 'text/html' }), 'not-git', /./],
    ['is empty', status(200), 'not-git', /./],
    ['is HTML that says it is git', status(200, html, { 'content-type': typeOf(phase) }), 'not-git', /./],
  ])('A response that %s fails the operation at once', async (_case, fault, code, message) => {
    const serverSetup = await servers()
    serverSetup.proxy.fail(phase, fault)
    const isRefs = phase === 'refs' || phase === 'push-refs'
    const notGit = isRefs ? 'repository_not_found' : 'invalid_repository'
    expect(await serverSetup.run(direction)).toEqual(failureWith(code === 'not-git' ? notGit : code, message))
    expect(countOf(serverSetup, phase)).toBe(1)
    expect(serverSetup.commits()).toBe(1)
  })

  it('A compressed response succeeds', async () => {
    const serverSetup = await servers()
    serverSetup.proxy.fail(phase, gzipResponse)
    expect(await serverSetup.run(direction)).toEqual(success)
  })

  it('A wrongly compressed response fails the operation', async () => {
    const serverSetup = await servers()
    serverSetup.proxy.fail(
      phase,
      editResponse(answer => ({ ...answer, headers: { ...answer.headers, 'content-encoding': 'gzip' } })),
    )
    expect(await serverSetup.run(direction)).toEqual(failureWith('unreachable', 'cannot be decompressed'))
  })

  it('Credentials must be valid for each request of an operation', async () => {
    const auth = { username: 'me', password: 'right-password' }
    const serverSetup = await servers({ auth })
    expect(await serverSetup.run(direction)).toEqual(failureWith('authentication_failed', 'needs credentials'))
    const wrong = await serverSetup.run(direction, { credentials: credentials('me', 'wrong-password') })
    expect(wrong).toEqual(failureWith('authentication_failed', 'refused the credentials'))
    serverSetup.proxy.fail(phase, status(401, 'expired: wrong-password right-password'))
    const expired = await serverSetup.run(direction, { credentials: auth })
    expect(expired).toEqual(failureWith('authentication_failed', 'refused the credentials'))
    serverSetup.proxy.fail(phase, status(401), 0)
    expect(await serverSetup.run(direction, { credentials: auth })).toEqual(success)
    expect(JSON.stringify([wrong, expired, serverSetup.log])).not.toMatch(/(wrong|right)-password/)
  })
})

function expectContent(serverSetup: ServerSetup, direction: Direction): void {
  expect(serverSetup.commits()).toBe(direction === 'export' ? 2 : 1)
  expect(serverSetup.git('show', 'main:README.md')).toBe(direction === 'export' ? '# Changed' : '# Home')
  serverSetup.git('fsck', '--strict')
}

function typeOf(phase: Phase): string {
  const service = phase.startsWith('push') ? 'receive-pack' : 'upload-pack'
  return `application/x-git-${service}-${phase.endsWith('refs') ? 'advertisement' : 'result'}`
}

describe('Redirects', () => {
  it.each<[Direction, Phase]>([
    ['import', 'refs'],
    ['export', 'refs'],
    ['export', 'push-refs'],
  ])('A redirect within a host is followed with the credentials: %s, %s', async (direction, phase) => {
    const auth = { username: 'me', password: 'right-password' }
    const serverSetup = await servers({ auth })
    serverSetup.proxy.fail(
      phase,
      redirect(path => path.replace('/docs.git', '/docs')),
      1,
    )
    expect(await serverSetup.run(direction, { credentials: auth })).toEqual(success)
  })

  it.each(phases)('A redirect to another host gets no credentials: %s, %s', async (direction, phase) => {
    const auth = { username: 'me', password: 'right-password', query: '?private_token=right-token' }
    const serverSetup = await servers({ auth })
    const requestHeaders: IncomingHttpHeaders[] = []
    const paths: string[] = []
    const other = createServer((request, response) => {
      requestHeaders.push(request.headers)
      paths.push(request.url ?? '')
      request.resume()
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    })
    await new Promise<void>(ready => other.listen(0, '127.0.0.1', ready))
    open.push(() => new Promise(closed => (other.closeAllConnections(), other.close(() => closed()))))
    const { port } = other.address() as AddressInfo
    serverSetup.proxy.fail(
      phase,
      redirect(path => `http://127.0.0.1:${port}${path.split('?')[0]}`, 307),
    )
    expect(await serverSetup.run(direction, { credentials: auth })).toEqual(failureWith('authentication_failed'))
    expect(requestHeaders.length).toBeGreaterThan(0)
    expect(requestHeaders.map(headers => headers.authorization)).toEqual(requestHeaders.map(() => undefined))
    expect(paths.join()).not.toContain('right-token')
    expect(serverSetup.commits()).toBe(1)
  })

  it.each(phases)('A redirect to a private address is refused: %s, %s', async (direction, phase) => {
    const serverSetup = await servers()
    for (const host of ['10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:10.0.0.1]', '0.0.0.0']) {
      serverSetup.proxy.fail(
        phase,
        redirect(path => `http://${host}${path}`, 307),
      )
      expect(await serverSetup.run(direction)).toEqual(failureWith('refused_address'))
    }
    expect(serverSetup.commits()).toBe(1)
  })
})

describe('Git servers', () => {
  it('A server without protocol version 2 gets a fetch of a whole clone', async () => {
    const serverSetup = await servers({ filters: true })
    serverSetup.proxy.fail('capabilities', withoutHeader('git-protocol'))
    serverSetup.proxy.fail('objects', withoutHeader('git-protocol'))
    expect(await serverSetup.run('import')).toEqual(success)
    expect(await serverSetup.run('export')).toEqual(success)
    expect([countOf(serverSetup, 'objects'), countOf(serverSetup, 'pack')]).toEqual([1, 1])
  })

  it('A server that breaks off, but sends partial clones, is asked again for a part', async () => {
    const serverSetup = await servers({ filters: true })
    serverSetup.proxy.fail('objects', cutResponse(10), 1)
    expect(await serverSetup.run('import')).toEqual(success)
    expect([countOf(serverSetup, 'objects') > 1, countOf(serverSetup, 'pack')]).toEqual([true, 0])
  })

  it.each<[string, Fault]>([
    ['fails', status(500)],
    ['hangs', hang],
    ['is HTML', status(200, html)],
  ])('A server whose version 2 %s gets a fetch of a whole clone', async (_case, fault) => {
    const serverSetup = await servers({ filters: true, silence: 400 })
    serverSetup.proxy.fail('capabilities', fault)
    serverSetup.proxy.fail('objects', fault)
    expect(await serverSetup.run('import')).toEqual(success)
    expect([countOf(serverSetup, 'objects'), countOf(serverSetup, 'pack')]).toEqual([1, 1])
  })

  it('A server that knows only the dumb protocol is refused with a reason', async () => {
    const serverSetup = await servers()
    serverSetup.proxy.fail(
      'refs',
      status(200, `${serverSetup.setup.repository.commit}\trefs/heads/main\n`, { 'content-type': 'text/plain' }),
    )
    for (const direction of ['import', 'export'] as const)
      expect(await serverSetup.run(direction)).toEqual(
        failureWith('repository_not_found', 'does not speak the smart HTTP protocol'),
      )
  })

  it('A server that names an object which it does not have fails with a reason', async () => {
    const serverSetup = await servers()
    const none = 'ab'.repeat(20)
    serverSetup.proxy.fail(
      'refs',
      editResponse(answer => ({
        ...answer,
        body: Buffer.from(
          answer.body.toString('latin1').replaceAll(serverSetup.setup.repository.commit, none),
          'latin1',
        ),
      })),
    )
    expect(await serverSetup.run('import')).toEqual(failureWith('invalid_repository'))
  })
})

describe('Hooks', () => {
  it('The message of a hook that refuses a push is quoted as plain text, without the credentials', async () => {
    const auth = { username: 'me', password: 'right-password' }
    const serverSetup = await servers({ auth })
    const hook = join(serverSetup.setup.repository.path, 'hooks/pre-receive')
    await writeFile(
      hook,
      `#!/bin/sh\nprintf '\\033[31mNo Friday deploys\\033[0m\\007 for me:right-password\\r\\nsecond\\000line\\n' >&2\nexit 1\n`,
    )
    await chmod(hook, 0o755)
    const result = await serverSetup.run('export', { credentials: auth })
    expect(result).toEqual(
      failureWith(
        'push_rejected',
        /pre-receive hook declined; it says: No Friday deploys for me:\*\*\*\nsecond ?line$/,
      ),
    )
    expect(JSON.stringify(result)).not.toMatch(/\\u00|right-password/)
    expect([serverSetup.commits(), countOf(serverSetup, 'push')]).toEqual([1, 1])
  })
})
