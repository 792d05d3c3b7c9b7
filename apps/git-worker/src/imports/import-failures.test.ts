import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { aSetup, readAllFiles, type Setup } from '../test/worker-setup.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of open.splice(0).reverse()) await stop()
})

async function setup(options: Parameters<typeof aSetup>[0]): Promise<Setup> {
  const made = await aSetup(options)
  open.push(() => made.stop())
  return made
}

/** Bytes that do not compress. */
function noise(size: number): Buffer {
  const parts = Array.from({ length: Math.ceil(size / 32) }, (_, at) =>
    createHash('sha256').update(String(at)).digest(),
  )
  return Buffer.concat(parts).subarray(0, size)
}

describe('Failures of imports', () => {
  it.each([
    ['branch_not_found', { ref: 'refs/heads/release' }, {}, 'no branch "release"; it has "main"', undefined],
    ['invalid_configuration', { projectDirectory: '../x' }, {}, 'not a folder of the repository', undefined],
    ['invalid_configuration', { projectDirectory: 'nowhere' }, {}, 'no folder nowhere', 'nowhere'],
    ['too_large', {}, { maxFiles: 3 }, 'limit of 3 files', expect.any(String)],
    ['too_large', {}, { maxPages: 2 }, 'limit of 2 pages', 'SUMMARY.md'],
    ['too_large', {}, { maxFile: 5_000 }, 'big.png is larger than the limit of 5000 bytes', 'big.png'],
    ['too_large', {}, { maxPageBytes: 4 }, 'long.md is larger than the limit of 4 bytes', 'long.md'],
    ['too_large', {}, { maxPack: 200 }, 'limit of 200 bytes', undefined],
  ])('An import fails with %s for %j within the limits %j', async (...[code, request, limits, message, path]) => {
    const { run } = await setup({
      change: {
        files: {
          'README.md': '# A',
          'a.md': '# B',
          'b.md': '# C',
          'long.md': '# Long',
          'big.png': Buffer.alloc(10_000, 7),
        },
      },
    })
    await expect(run(request, limits)).rejects.toMatchObject({ code, message: expect.stringContaining(message), path })
    expect((await run()).manifest.files[0]?.size).toBe(10_000)
  })

  it.each([
    ['usable', '- tag: a\n', [{ slug: 'a', label: 'a', color: 'default' }], undefined],
    ['no YAML', '- tag: [', [], { line: 1, message: expect.stringMatching(/^The tags cannot be read: /) }],
    [
      'larger than the limit',
      '#'.repeat(256 * 1024 + 1),
      [],
      { message: expect.stringMatching(/^The tags cannot be read: .*262144/) },
    ],
    [
      'partly unusable',
      '- tag: a\n- b\n',
      [{ slug: 'a', label: 'a', color: 'default' }],
      { line: 2, message: expect.stringMatching(/left out/) },
    ],
  ])(
    'An import whose tags are %s succeeds, with a warning where something is left out',
    async (_what, text, tags, warning) => {
      const path = '.gitbook/tags.yaml'
      const { run } = await setup({ change: { files: { 'README.md': '# A', [path]: text } } })
      const { manifest } = await run()
      expect(manifest.configuration.tags).toEqual(tags)
      expect(manifest.warnings).toEqual(warning ? [{ path, ...warning }] : [])
    },
  )

  it.each([
    ['.gitbook.yaml', 256 * 1024],
    ['SUMMARY.md', 2 * 1024 * 1024],
    ['.gitbook/vars.yaml', 256 * 1024],
    ['page.md', 5 * 1024 * 1024],
  ])('An import fails with too_large when %s is over %s bytes', async (path, limit) => {
    const { run } = await setup({
      change: { files: { 'README.md': '# A', [path]: Buffer.alloc(limit + 1, '# comment\n') } },
    })
    await expect(run()).rejects.toMatchObject({
      code: 'too_large',
      path,
      message: expect.stringContaining(`limit of ${limit} bytes`),
    })
  })

  it.each([
    ['authentication_failed without credentials', undefined, 'needs credentials'],
    [
      'authentication_failed with wrong ones',
      { username: 'me', password: 'wrong-password' },
      'refused the credentials',
    ],
  ])('An import fails with %s', async (_title, credentials, message) => {
    const { run, folder } = await setup({
      change: { files: { 'README.md': '# A' } },
      auth: { username: 'me', password: 'right-password' },
    })
    const failure = await run({ credentials }).catch((error: Error) => error)
    expect(failure).toMatchObject({
      code: 'authentication_failed',
      message: expect.stringContaining(message),
      transient: false,
    })
    expect(JSON.stringify(failure) + String(failure) + (await readAllFiles(folder))).not.toMatch(/wrong-password/)
  })

  it('An import with valid credentials succeeds, and does not store them', async () => {
    const { run, folder } = await setup({
      change: { files: { 'README.md': '# A' } },
      auth: { username: 'me', password: 'right-password' },
    })
    expect((await run({ credentials: { username: 'me', password: 'right-password' } })).manifest.pages).toHaveLength(1)
    const storedBytes = await readAllFiles(folder)
    expect(storedBytes).not.toContain('right-password')
    expect(storedBytes).not.toContain(Buffer.from('me:right-password').toString('base64'))
  })

  it('An import with a query that the server requires succeeds, and does not store it', async () => {
    const { run, folder, server } = await setup({ change: { files: { 'README.md': '# A' } } })
    const credentials = { username: '', password: '', query: '?private_token=right-token&depth=1' }
    expect((await run({ credentials })).manifest.pages).toHaveLength(1)
    const places = server.requests.map(({ method, path }) => `${method} ${path}`)
    expect(places).toEqual([
      'GET /docs.git/info/refs?service=git-upload-pack&private_token=right-token&depth=1',
      'POST /docs.git/git-upload-pack?private_token=right-token&depth=1',
    ])
    expect(await readAllFiles(folder)).not.toContain('right-token')
  })

  it('An import from a wrong address fails with repository_not_found, refused_address or unreachable', async () => {
    const { run, server } = await setup({ change: { files: { 'README.md': '# A' } } })
    await expect(run({ url: server.url('other') })).rejects.toMatchObject({ code: 'repository_not_found' })
    await expect(run({ url: 'http://169.254.169.254/docs.git' })).rejects.toMatchObject({ reason: 'refused_address' })
    await expect(run({ url: 'http://127.0.0.1:1/docs.git' })).rejects.toMatchObject({ reason: 'unreachable' })
  })

  it('An import fails with unreachable when the connection closes during a pack, and the next attempt succeeds', async () => {
    const { run, server } = await setup({ change: { files: { 'README.md': '# A', 'b.png': noise(200_000) } } })
    server.cutPacks(2_000)
    await expect(run()).rejects.toMatchObject({ reason: 'unreachable' })
    server.resume()
    expect((await run()).manifest.files).toHaveLength(1)
  })
})

describe('Moved repositories', () => {
  const aForwarder = async (to: (path: string) => string) => {
    const seen: (string | undefined)[] = []
    const forwarder = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(301, { location: to(request.url ?? '') }).end()
    })
    await new Promise<void>(done => forwarder.listen(0, '127.0.0.1', done))
    open.push(() => new Promise(done => (forwarder.closeAllConnections(), forwarder.close(() => done()))))
    return { url: `http://127.0.0.1:${(forwarder.address() as AddressInfo).port}/old.git`, seen }
  }

  it('A repository that moved is fetched from its new URL', async () => {
    const { run, server } = await setup({ change: { files: { 'README.md': '# Moved' } } })
    const { url, seen } = await aForwarder(path => server.url('docs') + path.slice('/old.git'.length))
    expect((await run({ url })).manifest.pages).toMatchObject([{ title: 'Moved' }])
    expect(seen).toHaveLength(1)
  })

  it('A repository that moved receives no credentials at another origin', async () => {
    const auth = { username: 'me', password: 'right-password' }
    const { run, server } = await setup({ change: { files: { 'README.md': '# Moved' } }, auth })
    const { url } = await aForwarder(path => server.url('docs') + path.slice('/old.git'.length))
    await expect(run({ url, credentials: auth })).rejects.toMatchObject({ code: 'authentication_failed' })
  })

  it('A repository that moved is refused at a non-public address', async () => {
    const { run } = await setup({ change: { files: { 'README.md': '# A' } } })
    const { url } = await aForwarder(path => `http://10.0.0.1${path}`)
    await expect(run({ url })).rejects.toMatchObject({ reason: 'refused_address' })
  })
})
