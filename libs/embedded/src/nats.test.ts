import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { existsSync, mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, jest } from '@jest/globals'
import { fetchFromDebian } from './nats-debian.ts'
import { fetchFromRelease } from './nats-release.ts'
import { findNatsServer, processIdentity, startNats, type Nats, type NatsUser } from './index.ts'

const run = promisify(execFile)
const root = mkdtempSync(join(tmpdir(), 'recto-nats-test-'))
const isDebian = existsSync('/etc/debian_version')
const onDebian = isDebian ? test : test.skip
let binary: string

beforeAll(async () => {
  binary = await findNatsServer({ cacheDir: join(import.meta.dirname, '../../../node_modules/.cache/recto'), env })
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** Speaks the NATS client protocol: sends the lines and returns the server's output up to `until`. */
async function talk(
  { host, port }: Nats,
  { user, password, lines, until }: { user: string; password: string; lines: string[]; until: string },
): Promise<string> {
  const socket = connect(port, host)
  socket.write(
    [`CONNECT ${JSON.stringify({ user, pass: password, verbose: false, headers: true })}`, ...lines, 'PING', ''].join(
      '\r\n',
    ),
  )
  let said = ''
  for await (const chunk of socket) {
    said += chunk
    if (said.includes(until)) break
  }
  return said
}

const everything: NatsUser = { name: 'all', password: 'a b/"', publish: ['>'], subscribe: ['>'] }

describe('a server', () => {
  let nats: Nats
  let storeDir: string
  const start = (users: NatsUser[]) => startNats({ binary, storeDir, users })

  beforeEach(async () => {
    storeDir = await mkdtemp(join(root, 'store-'))
    nats = await start([
      everything,
      { name: 'content', password: 'secret', publish: ['events.content.>'], subscribe: ['api.content.>'] },
    ])
  })
  afterEach(() => nats.stop())

  const streamRequest = (verb: string, body: object | '') => {
    const payload = body === '' ? '' : JSON.stringify(body)
    return ['SUB reply 1', `PUB $JS.API.STREAM.${verb}.kept reply ${Buffer.byteLength(payload)}`, payload]
  }
  const asAll = { user: everything.name, password: everything.password }

  test('allows a user to publish and subscribe on permitted subjects', async () => {
    const said = await talk(nats, {
      user: 'content',
      password: 'secret',
      lines: ['SUB api.content.getSpace 1', 'PUB events.content.space 0', ''],
      until: 'PONG',
    })
    expect(said).not.toContain('-ERR')
  })

  test.each([
    ['publishes', ['PUB api.content.getSpace 0', ''], `Permissions Violation for Publish to "api.content.getSpace"`],
    ['subscribes', ['SUB events.> 1'], `Permissions Violation for Subscription to "events.>"`],
  ])('denies a user who %s on other subjects', async (_verb, lines, denial) => {
    expect(await talk(nats, { user: 'content', password: 'secret', lines, until: "'" })).toContain(denial)
  })

  test('refuses a wrong password', async () => {
    expect(await talk(nats, { user: 'content', password: 'wrong', lines: [], until: '-ERR' })).toContain(
      'Authorization Violation',
    )
  })

  test('returns its URL with the password', () => {
    expect(nats.urlFor('content')).toBe(`nats://content:secret@127.0.0.1:${nats.port}`)
    expect(() => nats.urlFor('nobody')).toThrow('There is no NATS user nobody')
  })

  test('protects the passwords from other users of the machine', async () => {
    expect((await stat(join(storeDir, 'nats.conf'))).mode & 0o077).toBe(0)
  })

  test('recovers its streams after kill -9', async () => {
    const created = await talk(nats, {
      ...asAll,
      lines: streamRequest('CREATE', { name: 'kept', subjects: ['kept.>'] }),
      until: '}\r\n',
    })
    expect(created).toContain('"did_create":true')
    process.kill(nats.pid, 'SIGKILL')
    expect((await nats.exited).signal).toBe('SIGKILL')
    nats = await start([everything])
    expect(await talk(nats, { ...asAll, lines: streamRequest('INFO', ''), until: 'MSG reply' })).not.toContain('error')
  })

  test('is stopped by the next launcher when its launcher is dead', async () => {
    const { pid: leftover } = nats
    nats = await start([everything])
    expect(await processIdentity(leftover)).toBeUndefined()
  })

  test('reports the reason when it does not start', async () => {
    const other = startNats({ binary, storeDir: join(root, 'other'), users: [everything], port: nats.port })
    await expect(other).rejects.toThrow('address already in use')
  })
})

describe('the program', () => {
  async function aProgram(version: string): Promise<string> {
    const folder = await mkdtemp(join(root, 'bin-'))
    await writeFile(join(folder, 'nats-server'), `#!/bin/sh\necho "nats-server: v${version}"\n`)
    await chmod(join(folder, 'nats-server'), 0o755)
    return folder
  }

  test('named explicitly wins over PATH', async () => {
    const program = await aProgram('2.10.1')
    const inPath = await aProgram('2.11.0')
    expect(await findNatsServer({ cacheDir: root, env: { NATS_SERVER: `${program}/nats-server`, PATH: inPath } })).toBe(
      `${program}/nats-server`,
    )
  })

  test('named explicitly is refused when it is too old or missing', async () => {
    const env = { NATS_SERVER: `${await aProgram('2.8.4')}/nats-server` }
    await expect(findNatsServer({ cacheDir: root, env })).rejects.toThrow('is nats-server 2.8; 2.9 or newer is needed')
    await expect(findNatsServer({ cacheDir: root, env: { NATS_SERVER: '/bin/true' } })).rejects.toThrow(
      '/bin/true is not a nats-server',
    )
  })

  test('in PATH is skipped when it is too old', async () => {
    const old = await aProgram('2.8.4')
    const good = await aProgram('2.10.0')
    expect(await findNatsServer({ cacheDir: root, env: { PATH: `${old}:${good}` } })).toBe(`${good}/nats-server`)
  })

  onDebian.each(['with', 'without'])(
    `is taken from the Debian archive %s package lists of the system${isDebian ? '' : ' (skipped: this is no Debian)'}`,
    async lists => {
      const noLists = join(root, 'apt.conf')
      await writeFile(noLists, `Dir::State::Lists "${root}/no-lists";\n`)
      if (lists === 'without') jest.replaceProperty(process, 'env', { ...env, APT_CONFIG: noLists })
      const cacheDir = await mkdtemp(join(root, 'cache-'))
      const options = { cacheDir, target: join(cacheDir, 'nats-server'), log: () => {}, releaseUrl: '' }
      await fetchFromDebian(options)
      const { stdout } = await run(options.target, ['--version'])
      expect(stdout).toContain('nats-server: v2.')
      jest.restoreAllMocks()
    },
  )

  describe('as an official release', () => {
    const build = `nats-server-v2.10.27-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`

    async function anArchive(): Promise<Buffer> {
      const folder = await mkdtemp(join(root, 'release-'))
      await mkdir(join(folder, build))
      await writeFile(join(folder, build, 'nats-server'), '#!/bin/sh\necho "nats-server: v2.10.27"\n')
      await run('tar', ['-czf', 'archive.tar.gz', build], { cwd: folder })
      return readFile(join(folder, 'archive.tar.gz'))
    }

    test.each([
      { name: 'is unpacked when its checksum is right', summed: (archive: Buffer) => archive, error: undefined },
      {
        name: 'is refused when its checksum is of something else',
        summed: () => Buffer.from('else'),
        error: 'does not have the checksum of its release',
      },
    ])('$name', async ({ summed, error }) => {
      const archive = await anArchive()
      const sum = createHash('sha256').update(summed(archive)).digest('hex')
      const server = createServer(({ url }, response) =>
        response.end(url?.endsWith('SHA256SUMS') ? `${sum}  ${build}.tar.gz\n` : archive),
      )
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const { port } = server.address() as { port: number }
      const cacheDir = await mkdtemp(join(root, 'cache-'))
      const target = join(cacheDir, 'nats-server')
      const fetching = fetchFromRelease({ cacheDir, target, log: () => {}, releaseUrl: `http://127.0.0.1:${port}` })
      if (error) await expect(fetching).rejects.toThrow(error)
      else await fetching.then(async () => expect((await run(target, ['--version'])).stdout).toContain('v2.10.27'))
      server.close()
    })
  })
})
