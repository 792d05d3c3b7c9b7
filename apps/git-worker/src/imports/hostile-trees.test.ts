import { execFileSync } from 'node:child_process'
import { type Change, writeObject } from '@recto/testing'
import { afterEach, describe, expect, it } from '@jest/globals'
import { aServerSetup, type ServerSetup } from '../test/server-setup.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of open.splice(0).reverse()) await stop()
})

async function servers(change: Change): Promise<ServerSetup> {
  const serverSetup = await aServerSetup({ change: { ...change, files: { 'README.md': '# Home\n', ...change.files } } })
  open.push(() => serverSetup.stop())
  return serverSetup
}

/** All entries of the branch, byte for byte. */
const entries = ({ setup }: ServerSetup) =>
  execFileSync('git', ['-C', setup.repository.path, 'ls-tree', '-r', '-z', 'main'], {
    encoding: 'latin1',
    maxBuffer: 1e9,
  })
    .split('\0')
    .filter(Boolean)
const isHome = (line: string) => line.endsWith('\tREADME.md')

const ignorable = ['200c', '200d', '200e', '200f', '202a', '202e', '206a', '206f', 'feff'].map(
  code => `.g${String.fromCodePoint(Number.parseInt(code, 16))}it`,
)
// prettier-ignore
const names = [
  '.git', '.GIT', '.gIt', '.git ', '.git.', '.git . ', 'git~1', 'GIT~1', 'git~2', '.git::$INDEX_ALLOCATION', '.GIT:x', '.git ::$DATA',
  ...ignorable,
  '..', '.', '...', '.. ', 'a\\b', '..\\up', 'C:\\x', '\\\\server\\share', 'tab\there', 'line\nbreak', 'bell\u0007',
]

it('Names that stand for .git, lead elsewhere or cannot be shown are not imported, and exports leave them', async () => {
  const hostile = names.flatMap(name => [`${name}/config.md`, `docs/${name}`])
  const serverSetup = await servers({
    files: { ...Object.fromEntries(hostile.map(path => [path, 'x'])), 'docs/fine.md': '# Fine' },
  })
  const { manifest } = await serverSetup.setup.run()
  const warned = manifest.warnings.filter(({ message }) => message.includes('left out')).map(({ path }) => path)
  expect(warned.toSorted()).toEqual(names.flatMap(name => [name, `docs/${name}`]).toSorted())
  expect(manifest.pages).toMatchObject([{ title: 'Home' }, { title: 'docs', pages: [{ title: 'Fine' }] }])
  expect(manifest.files).toEqual([])
  const before = entries(serverSetup).filter(line => !isHome(line))
  expect(before).toHaveLength(hostile.length + 1)
  expect(await serverSetup.run('export')).toEqual({ commit: expect.any(String) })
  expect(serverSetup.git('show', 'main:README.md')).toBe('# Changed')
  expect(entries(serverSetup).filter(line => !isHome(line))).toEqual(before)
})

describe('Hostile trees', () => {
  it('Symbolic links and submodules in the place of content stay, and nothing is written through them', async () => {
    const serverSetup = await servers({
      symlinks: { 'SUMMARY.md': '/etc/passwd', '.gitbook': '/tmp' },
      submodules: { docs: 'a'.repeat(40) },
    })
    const { manifest } = await serverSetup.setup.run()
    expect(manifest.warnings.map(({ path }) => path).toSorted()).toEqual(['.gitbook', 'SUMMARY.md', 'docs'])
    const before = entries(serverSetup).filter(line => !isHome(line))
    expect(await serverSetup.run('export')).toEqual({ commit: expect.any(String) })
    expect(entries(serverSetup).filter(line => !isHome(line))).toEqual(before)
  })

  it.each([
    ['a link', { symlinks: { docs: '/etc' } }],
    ['a submodule', { submodules: { docs: 'a'.repeat(40) } }],
    ['a file', { files: { docs: 'a file' } }],
  ])('An export does not replace %s in the place of its project directory', async (_title, change) => {
    const serverSetup = await servers(change)
    for (const projectDirectory of ['docs', 'docs/manual'])
      expect(await serverSetup.run('export', { projectDirectory })).toMatchObject({
        error: { code: 'invalid_configuration', message: expect.stringContaining('docs is not a folder') },
      })
    expect(serverSetup.commits()).toBe(1)
  })

  it.each(['root: ../code\n', 'structure:\n  summary: ../SUMMARY.md\n', 'structure:\n  readme: ../README.md\n'])(
    'An export to a project directory with the configuration %j is refused',
    async configuration => {
      const serverSetup = await servers({ files: { 'docs/.gitbook.yaml': configuration, 'code/a.md': '# A' } })
      expect(await serverSetup.run('export', { projectDirectory: 'docs' })).toMatchObject({
        error: {
          code: 'invalid_configuration',
          path: 'docs/.gitbook.yaml',
          message: expect.stringContaining('leads out'),
        },
      })
      expect(serverSetup.commits()).toBe(1)
    },
  )

  it('Names of 300 characters, and names that differ by case or composition only, all stay', async () => {
    const long = `${'n'.repeat(297)}.md`
    const composed = 'caf\u00e9.md'
    const decomposed = 'cafe\u0301.md'
    const files = {
      [long]: '# Long',
      'readme.MD': '# Other',
      'Page.md': '# P',
      'page.md': '# p',
      [composed]: '# c',
      [decomposed]: '# d',
    }
    const serverSetup = await servers({ files })
    const { manifest } = await serverSetup.setup.run()
    const paths = manifest.pages.flatMap(page => (page.type === 'document' && page.git ? [page.git.path] : []))
    expect(paths.toSorted()).toEqual(['README.md', ...Object.keys(files)].toSorted())
    const slugs = manifest.pages.map(page => ('slug' in page ? page.slug : ''))
    expect(new Set(slugs).size).toBe(slugs.length)
    const before = entries(serverSetup).filter(line => !isHome(line))
    expect(await serverSetup.run('export')).toEqual({ commit: expect.any(String) })
    expect(entries(serverSetup).filter(line => !isHome(line))).toEqual(before)
  })

  it('The first of two entries with one name is imported, and an export repairs only what it changes', async () => {
    const serverSetup = await servers({})
    const { path } = serverSetup.setup.repository
    const blob = (text: string) => writeObject(path, 'blob', Buffer.from(text))
    const line = (name: string, id: string, mode = '100644') =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])
    const home = await blob('# Home\n')
    const first = await blob('# First')
    const second = await blob('# Second')
    const lines = [
      line('README.md', home),
      line('README.md', second),
      line('twice.md', first),
      line('twice.md', second),
    ]
    const tree = await writeObject(path, 'tree', Buffer.concat(lines))
    const who = 'A <a@example.com> 1700000000 +0000'
    const commit = await writeObject(
      path,
      'commit',
      Buffer.from(`tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nTwice\n`),
    )
    serverSetup.git('update-ref', 'refs/heads/main', commit)
    const { manifest } = await serverSetup.setup.run()
    expect(manifest.warnings.map(({ path: at }) => at)).toEqual(['README.md', 'twice.md'])
    expect(manifest.pages.map(({ title }) => title)).toEqual(['Home', 'First'])
    expect(await serverSetup.run('export')).toEqual({ commit: expect.any(String) })
    expect(entries(serverSetup).map(each => each.replace(/^\d+ blob /, ''))).toEqual([
      `${serverSetup.git('rev-parse', 'main:README.md')}\tREADME.md`,
      `${first}\ttwice.md`,
      `${second}\ttwice.md`,
    ])
    expect(serverSetup.git('show', 'main:README.md')).toBe('# Changed')
  })

  it('A folder of a hundred thousand entries is over the limit, for imports and exports', async () => {
    const files = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`many/${at}.txt`, '']))
    const serverSetup = await servers({ files })
    for (const direction of ['import', 'export'] as const)
      expect(await serverSetup.run(direction)).toMatchObject({
        error: { code: 'too_large', message: expect.stringContaining('limit of 20000 files') },
      })
    expect(serverSetup.commits()).toBe(1)
  })

  it('Ten thousand nested folders are imported as far as paths go, and an export keeps them', async () => {
    const serverSetup = await servers({})
    const { path, commit: parent } = serverSetup.setup.repository
    const entry = (mode: string, name: string, id: string) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])
    const page = await writeObject(path, 'blob', Buffer.from('# Deep'))
    let tree = await writeObject(path, 'tree', entry('100644', 'deep.md', page))
    for (let depth = 0; depth < 10_000; depth++) tree = await writeObject(path, 'tree', entry('40000', 'd', tree))
    const home = serverSetup.git('rev-parse', 'main:README.md')
    const root = await writeObject(
      path,
      'tree',
      Buffer.concat([entry('100644', 'README.md', home), entry('40000', 'd', tree)]),
    )
    const who = 'A <a@example.com> 1700000000 +0000'
    const text = `tree ${root}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\nDeep\n`
    serverSetup.git('update-ref', 'refs/heads/main', await writeObject(path, 'commit', Buffer.from(text)))
    const { manifest } = await serverSetup.setup.run()
    expect(manifest.warnings).toContainEqual(expect.objectContaining({ message: expect.stringContaining('too long') }))
    expect(manifest.pages).toMatchObject([{ title: 'Home' }])
    const below = serverSetup.git('rev-parse', 'main:d')
    expect(await serverSetup.run('export')).toEqual({ commit: expect.any(String) })
    expect(serverSetup.git('rev-parse', 'main:d')).toBe(below)
  })
})
