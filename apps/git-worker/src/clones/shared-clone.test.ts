import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from '@jest/globals'
import { aSetup, type Setup } from '../test/worker-setup.ts'
import { ExportContent } from '@recto/repository-export'
import { exportRepository } from '../exports/export-repository.ts'
import { importRepository, type ImportRequest } from '../imports/import-repository.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of open.splice(0).reverse()) await stop()
})

async function setup(options: Parameters<typeof aSetup>[0] = {}): Promise<Setup> {
  const workerSetup = await aSetup({ change: { files: monorepo }, ...options })
  open.push(() => workerSetup.stop())
  return workerSetup
}

const monorepo = {
  'one/README.md': '# One',
  'one/picture.png': randomBytes(200_000),
  'two/README.md': '# Two',
  'two/more.md': '# More',
}
const shared = (spaceId: string, more: Partial<ImportRequest> = {}) => ({ spaceId, repoCacheID: 'monorepo', ...more })
const posts = ({ server }: Setup) => server.requests.filter(({ method }) => method === 'POST').length

async function packsOf({ folder, clones }: Setup): Promise<number[]> {
  const sizes: number[] = []
  for (const clone of await clones()) {
    const packs = join(folder, 'cache', clone, 'objects/pack')
    for (const name of await readdir(packs))
      if (name.endsWith('.pack')) sizes.push((await stat(join(packs, name))).size)
  }
  return sizes
}

/** An import that stops before its first upload until it is released. */
function heldImport({ tools, server }: Setup, request: Partial<ImportRequest>) {
  let release = () => {}
  let begin = () => {}
  const begun = new Promise<void>(resolve => (begin = resolve))
  const released = new Promise<void>(resolve => (release = resolve))
  const put: typeof tools.blobs.put = async bytes => {
    begin()
    await released
    return tools.blobs.put(bytes)
  }
  const blobs = { put, bytes: tools.blobs.bytes.bind(tools.blobs), delete: tools.blobs.delete.bind(tools.blobs) }
  const done = importRepository(
    {
      organizationId: 'organization',
      spaceId: 'one',
      url: server.url('docs'),
      ref: 'refs/heads/main',
      known: [],
      ...request,
    },
    { ...tools, blobs: blobs as typeof tools.blobs },
  )
  return { begun: Promise.race([begun, done]), release, done }
}

describe.each([false, true])('Shared clones (partial: %j)', filters => {
  it('A clone shared by its cache id is used by other spaces of the organization, which fetch what is new', async () => {
    const workerSetup = await setup({ filters })
    await workerSetup.run(shared('first'))
    const before = posts(workerSetup)
    expect((await workerSetup.run(shared('second'))).manifest.pages).toHaveLength(2)
    expect([posts(workerSetup), (await workerSetup.clones()).length]).toEqual([before, 1])
    const oid = await workerSetup.repository.addCommit({ 'two/README.md': '# Two!' })
    const { commit, manifest } = await workerSetup.run(shared('second', { projectDirectory: 'two' }))
    expect([commit.oid, manifest.pages[0]?.title]).toEqual([oid, 'Two!'])
    const sizes = await packsOf(workerSetup)
    expect(sizes.filter(size => size > 100_000)).toHaveLength(1)
    const after = posts(workerSetup)
    expect((await workerSetup.run(shared('first', { projectDirectory: 'two' }))).manifest.pages[0]?.title).toBe('Two!')
    expect(posts(workerSetup)).toBe(after)
  })

  it('A clone shared by its cache id is used by two spaces at the same time: neither waits for what the other uploads', async () => {
    const workerSetup = await setup({ filters })
    const first = heldImport(workerSetup, shared('first', { projectDirectory: 'one' }))
    await first.begun
    const { manifest } = await workerSetup.run(shared('second', { projectDirectory: 'two' }))
    expect(manifest.pages.map(({ title }) => title)).toEqual(['Two', 'More'])
    first.release()
    expect((await first.done).commit.oid).toBe(workerSetup.repository.commit)
    expect(await workerSetup.clones()).toHaveLength(1)
  })

  it('A clone shared by its cache id may be fetched again while another space reads it', async () => {
    const workerSetup = await setup({ filters })
    const first = heldImport(workerSetup, shared('first', { projectDirectory: 'one' }))
    await first.begun
    const [clone = ''] = await workerSetup.clones()
    execFileSync('sh', ['-c', 'for f in objects/pack/*.idx; do echo x > $f.new; mv $f.new $f; done'], {
      cwd: join(workerSetup.folder, 'cache', clone),
    })
    expect((await workerSetup.run(shared('second', { projectDirectory: 'two' }))).manifest.pages).toHaveLength(2)
    first.release()
    const { commit } = await first.done
    expect(commit.oid).toBe(workerSetup.repository.commit)
    expect((await workerSetup.run(shared('first', { projectDirectory: 'one' }))).manifest.files[0]?.size).toBe(200_000)
  })

  it('A clone shared by its cache id is read by exports and imports at the same time', async () => {
    const workerSetup = await setup({ filters })
    const now = { wasInRepository: true, pages: [], files: [], reusableContents: [], variables: {}, redirects: {} }
    const exported = async (spaceId: string) => {
      const content = ExportContent.parse({
        version: 1,
        isSameBranch: false,
        now: { ...now, redirects: { [spaceId]: 'x' } },
      })
      const person = { name: 'Ada', email: 'ada@example.com' }
      return exportRepository(
        {
          organizationId: 'organization',
          url: workerSetup.server.url('docs'),
          ref: 'refs/heads/main',
          force: false,
          ...shared(spaceId, { projectDirectory: spaceId }),
          export: { revision: 'r', content, message: spaceId, author: person, committer: person },
        },
        {
          ...workerSetup.tools,
          describeBase: () => Promise.reject(new Error('there is no base')),
          recordPush: async () => undefined,
          bundle: () => Promise.reject(new Error('there are no documents')),
        },
      )
    }
    await Promise.all([
      exported('one'),
      exported('two'),
      workerSetup.run(shared('three')),
      exported('four'),
      workerSetup.run(shared('five')),
    ])
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', workerSetup.repository.path, ...args], { encoding: 'utf8' })
    expect(git('rev-list', '--count', 'main').trim()).toBe('4')
    expect(git('ls-tree', '-r', '--name-only', 'main')).toMatch(
      /four\/\.gitbook\.yaml[^]*one\/\.gitbook\.yaml[^]*two\/\.gitbook\.yaml/,
    )
    git('fsck', '--strict')
    expect(await workerSetup.clones()).toHaveLength(1)
  })
})

describe('Clones that are not shared', () => {
  it.each([
    ['without a cache id between spaces', { spaceId: 'one' }, { spaceId: 'two' }],
    ['between organizations', shared('one'), { ...shared('two'), organizationId: 'another' }],
    ['between cache ids', shared('one'), shared('two', { repoCacheID: 'other' })],
  ])('A clone is never shared %s', async (_title, first, second) => {
    const workerSetup = await setup()
    await workerSetup.run(first)
    const before = posts(workerSetup)
    await workerSetup.run(second)
    expect([posts(workerSetup), (await workerSetup.clones()).length]).toEqual([before + 1, 2])
  })

  it('A clone is never shared with callers whose credentials the server refuses', async () => {
    const auth = { username: 'me', password: 'right-password' }
    const workerSetup = await setup({ auth })
    await workerSetup.run(shared('one', { credentials: auth }))
    for (const credentials of [undefined, { username: 'me', password: 'wrong' }])
      await expect(workerSetup.run(shared('two', { credentials }))).rejects.toMatchObject({
        code: 'authentication_failed',
      })
  })

  it('A clone is never shared with a server at another URL that names a commit of it', async () => {
    const workerSetup = await setup()
    await workerSetup.run(shared('one'))
    const packet = (line: string) => `${(line.length + 4).toString(16).padStart(4, '0')}${line}`
    const thief = createServer((request, response) => {
      if (request.method === 'POST') return void response.writeHead(500).end()
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
      const tip = `${workerSetup.repository.commit} refs/heads/main\0side-band-64k ofs-delta shallow\n`
      response.end(`${packet('# service=git-upload-pack\n')}0000${packet(tip)}0000`)
    })
    await new Promise<void>(done => thief.listen(0, '127.0.0.1', done))
    open.push(() => new Promise(done => (thief.closeAllConnections(), thief.close(() => done()))))
    const url = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/docs.git`
    await expect(workerSetup.run(shared('two', { url }))).rejects.toMatchObject({ code: 'unreachable' })
  })
})

it('A space whose server does not respond keeps no other space from the clone', async () => {
  const workerSetup = await setup()
  await workerSetup.run(shared('one'))
  workerSetup.server.pause()
  const stuck = workerSetup.run(shared('one'))
  while (workerSetup.server.held() === 0) await new Promise(resolve => setImmediate(resolve))
  workerSetup.server.letPass()
  expect((await workerSetup.run(shared('two'))).manifest.pages).toHaveLength(2)
  workerSetup.server.resume()
  expect((await stuck).manifest.pages).toHaveLength(2)
})
