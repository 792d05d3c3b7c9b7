import { chmod, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from '@jest/globals'
import {
  cutAnswer,
  edited,
  type Fault,
  gzipped,
  hang,
  type Phase,
  redirected,
  refuse,
  stallAnswer,
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
  const made = await aServerSetup(options)
  open.push(() => made.stop())
  return made
}

const done = { commit: expect.stringMatching(/^[0-9a-f]{40}$/) }
const failed = (code: string, message: string | RegExp = '') => ({
  error: expect.objectContaining({
    code,
    message: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
  }),
})
const countOf = ({ front }: ServerSetup, phase: Phase) => front.seen.filter(each => each.phase === phase).length

const phases: [Direction, Phase][] = [
  ['import', 'refs'],
  ['import', 'pack'],
  ['export', 'refs'],
  ['export', 'pack'],
  ['export', 'push-refs'],
  ['export', 'push'],
]
const html = '<!doctype html><title>Sign in</title>'

describe.each(phases)('an %s whose %s', (direction, phase) => {
  it.each<[string, Fault]>([
    ['answers 500', status(500)],
    ['answers 502 with HTML', status(502, html, { 'content-type': 'text/html' })],
    ['answers 503', status(503)],
    ['answers 429', status(429)],
    ['is refused without an answer', refuse],
  ])('%s is repeated, and fails after three times', async (_case, fault) => {
    const made = await servers()
    made.front.fail(phase, fault)
    expect(await made.run(direction)).toEqual(failed('unreachable'))
    expect([countOf(made, phase), made.commits()]).toEqual([3, 1])
    made.front.fail(phase, fault, 2)
    expect(await made.run(direction)).toEqual(done)
    expectContent(made, direction)
  })

  it.each<[string, Fault]>([
    ['breaks off before its answer', cutAnswer(0)],
    ['breaks off in its answer', cutAnswer(10)],
    ['is shorter than it says', wrongLength(100)],
  ])('%s is repeated, and what a server has done is not done again', async (_case, fault) => {
    const made = await servers()
    made.front.fail(phase, fault)
    expect(await made.run(direction)).toEqual(phase === 'push' ? done : failed('unreachable'))
    expect([countOf(made, phase), made.commits()]).toEqual(phase === 'push' ? [1, 2] : [3, 1])
    made.front.fail(phase, fault, 2)
    expect(await made.run(direction)).toEqual(done)
    expectContent(made, direction)
  })

  it('is silent ends with a timeout', async () => {
    const hasDone = phase === 'push' ? done : failed('timeout', 'did not answer in time')
    const cases: [Fault, unknown][] = [
      [hang, failed('timeout', 'did not answer in time')],
      [stallAnswer(10), hasDone],
    ]
    const ended = cases.map(async ([fault, expected]) => {
      const made = await servers({ silence: 400 })
      made.front.fail(phase, fault)
      expect(await made.run(direction)).toEqual(expected)
      expect(countOf(made, phase)).toBe(expected === done ? 1 : 3)
    })
    await Promise.all(ended)
  })

  it.each<[string, Fault, string, RegExp]>([
    ['wants credentials', status(401), 'authentication_failed', /credentials/],
    ['is forbidden', status(403), 'authentication_failed', /refused the credentials/],
    ['is not found', status(404), 'repository_not_found', /not found/],
    ['is too large for a proxy', status(413), 'too_large', /requests of this size/],
    ['is HTML', status(200, html, { 'content-type': 'text/html' }), 'not-git', /./],
    ['is empty', status(200), 'not-git', /./],
    ['is HTML that says it is git', status(200, html, { 'content-type': typeOf(phase) }), 'not-git', /./],
  ])('%s fails at once', async (_case, fault, code, message) => {
    const made = await servers()
    made.front.fail(phase, fault)
    const isRefs = phase === 'refs' || phase === 'push-refs'
    const notGit = isRefs ? 'repository_not_found' : 'invalid_repository'
    expect(await made.run(direction)).toEqual(failed(code === 'not-git' ? notGit : code, message))
    expect(countOf(made, phase)).toBe(1)
    expect(made.commits()).toBe(1)
  })

  it('is compressed succeeds', async () => {
    const made = await servers()
    made.front.fail(phase, gzipped)
    expect(await made.run(direction)).toEqual(done)
  })

  it('is compressed wrongly fails', async () => {
    const made = await servers()
    made.front.fail(
      phase,
      edited(answer => ({ ...answer, headers: { ...answer.headers, 'content-encoding': 'gzip' } })),
    )
    expect(await made.run(direction)).toEqual(failed('unreachable', 'cannot be decompressed'))
  })

  it('needs credentials that hold', async () => {
    const auth = { username: 'me', password: 'right-password' }
    const made = await servers({ auth })
    expect(await made.run(direction)).toEqual(failed('authentication_failed', 'needs credentials'))
    const wrong = await made.run(direction, { credentials: credentials('me', 'wrong-password') })
    expect(wrong).toEqual(failed('authentication_failed', 'refused the credentials'))
    made.front.fail(phase, status(401, 'expired: wrong-password right-password'))
    const expired = await made.run(direction, { credentials: auth })
    expect(expired).toEqual(failed('authentication_failed', 'refused the credentials'))
    made.front.fail(phase, status(401), 0)
    expect(await made.run(direction, { credentials: auth })).toEqual(done)
    expect(JSON.stringify([wrong, expired, made.log])).not.toMatch(/(wrong|right)-password/)
  })
})

function expectContent(made: ServerSetup, direction: Direction): void {
  expect(made.commits()).toBe(direction === 'export' ? 2 : 1)
  expect(made.git('show', 'main:README.md')).toBe(direction === 'export' ? '# Changed' : '# Home')
  made.git('fsck', '--strict')
}

function typeOf(phase: Phase): string {
  const service = phase.startsWith('push') ? 'receive-pack' : 'upload-pack'
  return `application/x-git-${service}-${phase.endsWith('refs') ? 'advertisement' : 'result'}`
}

describe('a redirect', () => {
  it.each<[Direction, Phase]>([
    ['import', 'refs'],
    ['export', 'refs'],
    ['export', 'push-refs'],
  ])('within a host is followed with the credentials: %s, %s', async (direction, phase) => {
    const auth = { username: 'me', password: 'right-password' }
    const made = await servers({ auth })
    made.front.fail(
      phase,
      redirected(path => path.replace('/docs.git', '/docs')),
      1,
    )
    expect(await made.run(direction, { credentials: auth })).toEqual(done)
  })

  it.each(phases)('to another host gets no credentials: %s, %s', async (direction, phase) => {
    const auth = { username: 'me', password: 'right-password', query: '?private_token=right-token' }
    const made = await servers({ auth })
    const asked: IncomingHttpHeaders[] = []
    const paths: string[] = []
    const other = createServer((request, response) => {
      asked.push(request.headers)
      paths.push(request.url ?? '')
      request.resume()
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    })
    await new Promise<void>(ready => other.listen(0, '127.0.0.1', ready))
    open.push(() => new Promise(closed => (other.closeAllConnections(), other.close(() => closed()))))
    const { port } = other.address() as AddressInfo
    made.front.fail(
      phase,
      redirected(path => `http://127.0.0.1:${port}${path.split('?')[0]}`, 307),
    )
    expect(await made.run(direction, { credentials: auth })).toEqual(failed('authentication_failed'))
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.map(headers => headers.authorization)).toEqual(asked.map(() => undefined))
    expect(paths.join()).not.toContain('right-token')
    expect(made.commits()).toBe(1)
  })

  it.each(phases)('to a private address is refused: %s, %s', async (direction, phase) => {
    const made = await servers()
    for (const host of ['10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:10.0.0.1]', '0.0.0.0']) {
      made.front.fail(
        phase,
        redirected(path => `http://${host}${path}`, 307),
      )
      expect(await made.run(direction)).toEqual(failed('refused_address'))
    }
    expect(made.commits()).toBe(1)
  })
})

describe('a server', () => {
  it('without protocol version 2 is fetched from as a whole', async () => {
    const made = await servers({ filters: true })
    made.front.fail('capabilities', withoutHeader('git-protocol'))
    made.front.fail('objects', withoutHeader('git-protocol'))
    expect(await made.run('import')).toEqual(done)
    expect(await made.run('export')).toEqual(done)
    expect([countOf(made, 'objects'), countOf(made, 'pack')]).toEqual([1, 1])
  })

  it('that breaks off, but sends partially, is asked again for a part', async () => {
    const made = await servers({ filters: true })
    made.front.fail('objects', cutAnswer(10), 1)
    expect(await made.run('import')).toEqual(done)
    expect([countOf(made, 'objects') > 1, countOf(made, 'pack')]).toEqual([true, 0])
  })

  it.each<[string, Fault]>([
    ['fails', status(500)],
    ['hangs', hang],
    ['is HTML', status(200, html)],
  ])('whose version 2 %s is fetched from as a whole', async (_case, fault) => {
    const made = await servers({ filters: true, silence: 400 })
    made.front.fail('capabilities', fault)
    made.front.fail('objects', fault)
    expect(await made.run('import')).toEqual(done)
    expect([countOf(made, 'objects'), countOf(made, 'pack')]).toEqual([1, 1])
  })

  it('that knows only the dumb protocol is refused with a reason', async () => {
    const made = await servers()
    made.front.fail(
      'refs',
      status(200, `${made.setup.repository.commit}\trefs/heads/main\n`, { 'content-type': 'text/plain' }),
    )
    for (const direction of ['import', 'export'] as const)
      expect(await made.run(direction)).toEqual(
        failed('repository_not_found', 'does not speak the smart HTTP protocol'),
      )
  })

  it('that names an object which it does not have fails with a reason', async () => {
    const made = await servers()
    const none = 'ab'.repeat(20)
    made.front.fail(
      'refs',
      edited(answer => ({
        ...answer,
        body: Buffer.from(answer.body.toString('latin1').replaceAll(made.setup.repository.commit, none), 'latin1'),
      })),
    )
    expect(await made.run('import')).toEqual(failed('invalid_repository'))
  })
})

describe('a hook that refuses a push', () => {
  it('is quoted as plain text, without the credentials', async () => {
    const auth = { username: 'me', password: 'right-password' }
    const made = await servers({ auth })
    const hook = join(made.setup.repository.path, 'hooks/pre-receive')
    await writeFile(
      hook,
      `#!/bin/sh\nprintf '\\033[31mNo Friday deploys\\033[0m\\007 for me:right-password\\r\\nsecond\\000line\\n' >&2\nexit 1\n`,
    )
    await chmod(hook, 0o755)
    const ended = await made.run('export', { credentials: auth })
    expect(ended).toEqual(
      failed('push_rejected', /pre-receive hook declined; it says: No Friday deploys for me:\*\*\*\nsecond ?line$/),
    )
    expect(JSON.stringify(ended)).not.toMatch(/\\u00|right-password/)
    expect([made.commits(), countOf(made, 'push')]).toEqual([1, 1])
  })
})
