import { execFileSync } from 'node:child_process'
import { type Change, writeObject } from '@recto/testing'
import { afterEach, describe, expect, it } from '@jest/globals'
import { aServerSetup, type ServerSetup } from '../test/server-setup.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of open.splice(0).reverse()) await stop()
})

async function servers(change: Change): Promise<ServerSetup> {
  const made = await aServerSetup({ change: { ...change, files: { 'README.md': '# Home\n', ...change.files } } })
  open.push(() => made.stop())
  return made
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
const names = [
  ...['.git', '.GIT', '.gIt', '.git ', '.git.', '.git . ', 'git~1', 'GIT~1', 'git~2'],
  ...['.git::$INDEX_ALLOCATION', '.GIT:x', '.git ::$DATA', ...ignorable],
  ...[
    '..',
    '.',
    '...',
    '.. ',
    'a\\b',
    '..\\up',
    'C:\\x',
    '\\\\server\\share',
    'tab\there',
    'line\nbreak',
    'bell\u0007',
  ],
]

it('names that stand for .git, lead elsewhere or cannot be shown are imported without, and exports leave them', async () => {
  const hostile = names.flatMap(name => [`${name}/config.md`, `docs/${name}`])
  const made = await servers({
    files: { ...Object.fromEntries(hostile.map(path => [path, 'x'])), 'docs/fine.md': '# Fine' },
  })
  const { manifest } = await made.setup.run()
  const warned = manifest.warnings.filter(({ message }) => message.includes('left out')).map(({ path }) => path)
  expect(warned.toSorted()).toEqual(names.flatMap(name => [name, `docs/${name}`]).toSorted())
  expect(manifest.pages).toMatchObject([{ title: 'Home' }, { title: 'docs', pages: [{ title: 'Fine' }] }])
  expect(manifest.files).toEqual([])
  const before = entries(made).filter(line => !isHome(line))
  expect(before).toHaveLength(hostile.length + 1)
  expect(await made.run('export')).toEqual({ commit: expect.any(String) })
  expect(made.git('show', 'main:README.md')).toBe('# Changed')
  expect(entries(made).filter(line => !isHome(line))).toEqual(before)
})

describe('a tree with', () => {
  it('links and submodules where content would be keeps them, and nothing is written through them', async () => {
    const made = await servers({
      symlinks: { 'SUMMARY.md': '/etc/passwd', '.gitbook': '/tmp' },
      submodules: { docs: 'a'.repeat(40) },
    })
    const { manifest } = await made.setup.run()
    expect(manifest.warnings.map(({ path }) => path).toSorted()).toEqual(['.gitbook', 'SUMMARY.md', 'docs'])
    const before = entries(made).filter(line => !isHome(line))
    expect(await made.run('export')).toEqual({ commit: expect.any(String) })
    expect(entries(made).filter(line => !isHome(line))).toEqual(before)
  })

  it.each([
    ['a link', { symlinks: { docs: '/etc' } }],
    ['a submodule', { submodules: { docs: 'a'.repeat(40) } }],
    ['a file', { files: { docs: 'a file' } }],
  ])('%s as its project directory is not replaced', async (_title, change) => {
    const made = await servers(change)
    for (const projectDirectory of ['docs', 'docs/manual'])
      expect(await made.run('export', { projectDirectory })).toMatchObject({
        error: { code: 'invalid_configuration', message: expect.stringContaining('docs is not a folder') },
      })
    expect(made.commits()).toBe(1)
  })

  it.each(['root: ../code\n', 'structure:\n  summary: ../SUMMARY.md\n', 'structure:\n  readme: ../README.md\n'])(
    'the configuration %j in its project directory is not exported to',
    async configuration => {
      const made = await servers({ files: { 'docs/.gitbook.yaml': configuration, 'code/a.md': '# A' } })
      expect(await made.run('export', { projectDirectory: 'docs' })).toMatchObject({
        error: {
          code: 'invalid_configuration',
          path: 'docs/.gitbook.yaml',
          message: expect.stringContaining('leads out'),
        },
      })
      expect(made.commits()).toBe(1)
    },
  )

  it('names of 300 characters, and names that differ by case or composition only, keeps all of them', async () => {
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
    const made = await servers({ files })
    const { manifest } = await made.setup.run()
    const paths = manifest.pages.flatMap(page => (page.type === 'document' && page.git ? [page.git.path] : []))
    expect(paths.toSorted()).toEqual(['README.md', ...Object.keys(files)].toSorted())
    const slugs = manifest.pages.map(page => ('slug' in page ? page.slug : ''))
    expect(new Set(slugs).size).toBe(slugs.length)
    const before = entries(made).filter(line => !isHome(line))
    expect(await made.run('export')).toEqual({ commit: expect.any(String) })
    expect(entries(made).filter(line => !isHome(line))).toEqual(before)
  })

  it('a name twice is imported with the first, and an export repairs only what it changes', async () => {
    const made = await servers({})
    const { path } = made.setup.repository
    const blob = (text: string) => writeObject(path, 'blob', Buffer.from(text))
    const line = (name: string, id: string, mode = '100644') =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])
    const home = await blob('# Home\n')
    const [first, second] = [await blob('# First'), await blob('# Second')]
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
    made.git('update-ref', 'refs/heads/main', commit)
    const { manifest } = await made.setup.run()
    expect(manifest.warnings.map(({ path: at }) => at)).toEqual(['README.md', 'twice.md'])
    expect(manifest.pages.map(({ title }) => title)).toEqual(['Home', 'First'])
    expect(await made.run('export')).toEqual({ commit: expect.any(String) })
    expect(entries(made).map(each => each.replace(/^\d+ blob /, ''))).toEqual([
      `${made.git('rev-parse', 'main:README.md')}\tREADME.md`,
      ...[`${first}\ttwice.md`, `${second}\ttwice.md`],
    ])
    expect(made.git('show', 'main:README.md')).toBe('# Changed')
  })

  it('a hundred thousand entries in a folder is over the limit, for imports and exports', async () => {
    const files = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`many/${at}.txt`, '']))
    const made = await servers({ files })
    for (const direction of ['import', 'export'] as const)
      expect(await made.run(direction)).toMatchObject({
        error: { code: 'too_large', message: expect.stringContaining('limit of 20000 files') },
      })
    expect(made.commits()).toBe(1)
  })

  it('ten thousand nested folders is imported as far as paths go, and an export keeps it', async () => {
    const made = await servers({})
    const { path, commit: parent } = made.setup.repository
    const entry = (mode: string, name: string, id: string) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])
    const page = await writeObject(path, 'blob', Buffer.from('# Deep'))
    let tree = await writeObject(path, 'tree', entry('100644', 'deep.md', page))
    for (let depth = 0; depth < 10_000; depth++) tree = await writeObject(path, 'tree', entry('40000', 'd', tree))
    const home = made.git('rev-parse', 'main:README.md')
    const root = await writeObject(
      path,
      'tree',
      Buffer.concat([entry('100644', 'README.md', home), entry('40000', 'd', tree)]),
    )
    const who = 'A <a@example.com> 1700000000 +0000'
    const text = `tree ${root}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\nDeep\n`
    made.git('update-ref', 'refs/heads/main', await writeObject(path, 'commit', Buffer.from(text)))
    const { manifest } = await made.setup.run()
    expect(manifest.warnings).toContainEqual(expect.objectContaining({ message: expect.stringContaining('too long') }))
    expect(manifest.pages).toMatchObject([{ title: 'Home' }])
    const below = made.git('rev-parse', 'main:d')
    expect(await made.run('export')).toEqual({ commit: expect.any(String) })
    expect(made.git('rev-parse', 'main:d')).toBe(below)
  })
})
