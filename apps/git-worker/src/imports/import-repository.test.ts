import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { cloneBundle, sharedBundle } from '@recto/testing'
import { afterEach, describe, expect, it } from '@jest/globals'
import { aSetup, knownAfter, type ReadManifest, type Setup } from '../test/worker-setup.ts'

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

const gif = Buffer.from('R0lGODlhAwACAIAAAAAAAP///yH5BAAAAAAALAAAAAADAAIAAAIDhH8FADs=', 'base64')
const manual = {
  '.gitbook.yaml': 'root: ./\nredirects:\n  old: guide/setup.md\n',
  'SUMMARY.md':
    '# Contents\n\n* [Home](README.md)\n* Old\n  * [Setup](guide/setup.md)\n\n## More\n\n* [Guide](guide/README.md "G")\n* [Site](https://example.org)\n',
  'README.md': '# Welcome\n\n![](.gitbook/assets/in_tail%20%282%29.gif) [sheet](data/sheet.ods)\n',
  'guide/README.md': '---\ndescription: All of it\n---\n\n# Guide\n',
  'guide/setup.md': '# Setup\r\n\r\nbytes stay\u00a0as they are\r\n',
  'unlisted.md': '# Not shown',
  '.gitbook/assets/in_tail (2).gif': gif,
  '.gitbook/includes/note.md': '---\ntitle: A note\n---\n\nText',
  '.gitbook/vars.yaml': 'version: 3\n',
  'data/sheet.ods': 'sheet',
  LICENSE: 'all rights',
}

describe('Imports', () => {
  it('An import describes pages, files, reusable contents and variables, and uploads their bytes unchanged', async () => {
    const { run, text, blobs, repository } = await setup({ change: { files: manual, message: 'First\n\nlong' } })
    const { commit, manifest } = await run()
    expect(commit).toEqual({ oid: repository.commit, message: 'First\n\nlong', ref: 'refs/heads/main' })
    expect(manifest).toMatchObject({
      configuration: { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: { old: 'guide/setup.md' } },
      pages: [
        { type: 'document', title: 'Home', slug: 'readme', git: { path: 'README.md' } },
        {
          type: 'document',
          title: 'Old',
          slug: 'old',
          pages: [{ title: 'Setup', slug: 'setup', git: { path: 'guide/setup.md' } }],
        },
        {
          type: 'group',
          title: 'More',
          slug: 'more',
          pages: [
            { title: 'G', slug: 'guide', description: 'All of it' },
            { type: 'link', title: 'Site', href: 'https://example.org' },
          ],
        },
      ],
      reusableContents: [{ title: 'A note', git: { path: '.gitbook/includes/note.md' } }],
      variables: { version: 3 },
      warnings: [],
    })
    expect(manifest.pages[1]).not.toHaveProperty('git')
    expect(manifest.files).toEqual([
      {
        name: 'in_tail (2).gif',
        git: { path: '.gitbook/assets/in_tail (2).gif', oid: expect.any(String) },
        hash: createHash('sha256').update(gif).digest('hex'),
        size: gif.length,
        contentType: 'image/gif',
        dimensions: { width: 3, height: 2 },
      },
      {
        name: 'sheet.ods',
        git: { path: 'data/sheet.ods', oid: expect.any(String) },
        hash: expect.any(String),
        size: 5,
        contentType: 'text/plain',
      },
    ])
    const [, old] = manifest.pages
    const setupPage = old?.type === 'document' ? old.pages[0] : undefined
    expect(text(setupPage?.type === 'document' ? setupPage.document : '')).toBe(manual['guide/setup.md'])
    expect(gif.equals(await blobs.bytes(manifest.files[0]?.hash ?? ''))).toBe(true)
  })

  it('An import warns of texts that are not UTF-8, and keeps their bytes', async () => {
    const latin = Buffer.from('# Caf\xe9\n', 'latin1')
    const files = { 'SUMMARY.md': Buffer.from('* [Caf\xe9](a.md)\n', 'latin1'), 'a.md': latin, 'b.md': '# Unlisted\n' }
    const { run } = await setup({ change: { files } })
    const { manifest } = await run()
    expect(manifest.pages).toMatchObject([{ document: createHash('sha256').update(latin).digest('hex') }])
    expect(manifest.warnings).toEqual(
      ['SUMMARY.md', 'a.md'].map(path => ({ path, message: expect.stringContaining('not UTF-8') })),
    )
  })

  it.each([
    ['is written with an invisible character', 'SUMMARY.md\u200b', 'invisible characters'],
    ['does not exist', 'docs/SUMMARY.md', 'SUMMARY.md is taken instead'],
  ])(
    'An import reads SUMMARY.md when the table of contents that .gitbook.yaml names %s',
    async (_title, summary, message) => {
      const yaml = `structure:\n  summary: ${summary}\n`
      const files = { '.gitbook.yaml': yaml, 'SUMMARY.md': '* [B](b.md)\n', 'a.md': '# A', 'b.md': '# B' }
      const { run } = await setup({ change: { files } })
      const { manifest } = await run()
      expect(manifest.pages).toMatchObject([{ title: 'B', git: { path: 'b.md' } }])
      expect(manifest.pages).toHaveLength(1)
      expect(manifest.configuration.summary).toBe('SUMMARY.md')
      expect(manifest.warnings).toEqual([{ path: '.gitbook.yaml', line: 2, message: expect.stringContaining(message) }])
    },
  )

  it('An import of a folder of the repository reads nothing else', async () => {
    const { run } = await setup({
      change: {
        files: {
          'README.md': '# Top',
          'docs/.gitbook.yaml': 'root: content',
          'docs/content/README.md': '# Docs',
          'docs/content/a/x.md': 'no heading',
          'docs/content/i.png': 'x',
        },
      },
    })
    const { manifest } = await run({ projectDirectory: 'docs' })
    expect(manifest.configuration).toEqual({
      root: 'docs/content',
      readme: 'docs/content/README.md',
      summary: 'docs/content/SUMMARY.md',
      redirects: {},
      tags: [],
    })
    expect(manifest.pages).toMatchObject([
      { title: 'Docs', slug: 'readme' },
      { title: 'a', slug: 'a', pages: [{ title: 'x', slug: 'x', git: { path: 'docs/content/a/x.md' } }] },
    ])
    expect(manifest.files.map(({ git }) => git.path)).toEqual(['docs/content/i.png'])
  })

  it('An import of the same commit fetches and uploads nothing', async () => {
    const { run, server, folder } = await setup({ change: { files: manual } })
    const first = await run()
    const posts = () => server.requests.filter(({ method }) => method === 'POST').length
    const stored = await readdir(join(folder, 'blobs'), { recursive: true })
    expect(posts()).toBe(1)
    const second = await run({ known: knownAfter(first.manifest) })
    expect(posts()).toBe(1)
    expect(second).toEqual({ ...first, manifest: { ...first.manifest, bundles: [] } })
    const handedOver = (await readdir(join(folder, 'blobs'), { recursive: true })).filter(
      path => !stored.includes(path) && path.length > 60,
    )
    // Only the manifest, which refers to no bundle this time.
    expect(handedOver).toHaveLength(1)
  })

  it('An import of the next commit fetches only the changed objects', async () => {
    const big = noise(400_000)
    const { run, repository, server, clones, folder } = await setup({
      change: { files: { 'README.md': '# One', 'big.png': big } },
    })
    await run()
    const oid = await repository.addCommit({ 'README.md': '# Two' })
    const { commit, manifest } = await run()
    expect(commit.oid).toBe(oid)
    expect(manifest.pages).toMatchObject([{ title: 'Two' }])
    expect(manifest.files[0]?.size).toBe(big.length)
    const [clone = ''] = await clones()
    const gitdir = join(folder, 'cache', clone)
    const names = (await readdir(join(gitdir, 'objects/pack'))).filter(name => name.endsWith('.pack'))
    const sizes = await Promise.all(
      names.map(name => stat(join(gitdir, 'objects/pack', name)).then(({ size }) => size)),
    )
    const [small = 0, large = 0, ...more] = sizes.sort((a, b) => a - b)
    expect([small < 1_000, large > 400_000, more]).toEqual([true, true, []])
    expect(
      execFileSync('git', ['-C', gitdir, 'fsck', '--full', '--strict', '--no-dangling'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    ).toBe('')
    expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(2)
  })

  it('An import follows a force-pushed branch', async () => {
    const { run, repository } = await setup({ change: { files: { 'README.md': '# One' } } })
    await repository.addCommit({ 'README.md': '# Two' })
    await run()
    execFileSync('git', ['-C', repository.path, 'update-ref', 'refs/heads/main', repository.commit])
    expect((await run()).manifest.pages).toMatchObject([{ title: 'One' }])
  })

  it('An import fetches a new clone when the branch has a larger unrelated history', async () => {
    const { run, repository, clones, folder } = await setup({ change: { files: { 'README.md': '# One' } } })
    await run()
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', repository.path, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
        encoding: 'utf8',
      }).trim()
    const large = await repository.addCommit({ 'README.md': '# Two', 'old.png': noise(2_000_000) }, { branch: 'other' })
    const orphan = git('commit-tree', `${large}^{tree}`, '-m', 'First')
    const small = await repository.addCommit({ 'README.md': '# Three' }, { branch: 'third' })
    git('update-ref', 'refs/heads/main', git('commit-tree', `${small}^{tree}`, '-p', orphan, '-m', 'Second'))
    expect((await run()).manifest.pages).toMatchObject([{ title: 'Three' }])
    const [clone = ''] = await clones()
    expect(
      (await readdir(join(folder, 'cache', clone, 'objects/pack'))).filter(name => name.endsWith('.pack')),
    ).toHaveLength(1)
  })

  it.each([
    'rm objects/pack/*',
    'rm objects/pack/*.pack',
    'for f in objects/pack/*.idx; do echo x > $f; done',
    'for f in objects/pack/*.pack; do head -c 30 /dev/zero > $f; done',
  ])('An import fetches a clone from scratch after %s', async damage => {
    const { run, repository, folder, clones } = await setup({ change: { files: { 'README.md': '# One' } } })
    await run()
    const [clone = ''] = await clones()
    execFileSync('sh', ['-c', damage], { cwd: join(folder, 'cache', clone) })
    expect((await run()).commit.oid).toBe(repository.commit)
  })

  it('An import reads objects that are stored as deltas', async () => {
    const lines = (mark: string) =>
      Array.from({ length: 3_000 }, (_, at) => `line ${at} ${at % 500 === 0 ? mark : ''}`).join('\n')
    const { run, repository, text } = await setup({
      change: { files: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p${at}.md`, lines(`m${at}`)])) },
    })
    execFileSync('git', ['-C', repository.path, 'repack', '-adfq', '--depth=50'])
    const { manifest } = await run()
    const documents = manifest.pages.map(page => (page.type === 'document' ? page.document : ''))
    expect(await Promise.all(documents.map(text))).toEqual(Array.from({ length: 20 }, (_, at) => lines(`m${at}`)))
  })
})

describe('Unsupported content', () => {
  it.each([
    ['a symlink', { symlinks: { 'link.md': '/etc/passwd' } }, 'link.md', 'Symbolic links'],
    ['a submodule', { submodules: { vendor: 'a'.repeat(40) } }, 'vendor', 'Submodules'],
    [
      'an LFS pointer',
      { files: { 'big.png': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n' } },
      'big.png',
      'Git LFS',
    ],
    ['a disguised .git', { files: { '.GIT/config': 'x', 'git~1/x.png': 'x' } }, '.GIT', 'stands for .git'],
    ['a name with a backslash', { files: { 'a\\..\\b.png': 'x' } }, 'a\\..\\b.png', 'separator'],
    ['bad front matter', { files: { 'bad.md': '---\na: [\n---\n# Bad' } }, 'bad.md', 'front matter'],
    ['an unknown setting', { files: { '.gitbook.yaml': 'plugins: []' } }, '.gitbook.yaml', 'plugins'],
  ])('An import skips %s with a warning', async (...[, change, path, message]) => {
    const { run } = await setup({
      change: { ...change, files: { 'README.md': '# Home', ...('files' in change ? change.files : {}) } },
    })
    const { manifest } = await run()
    expect(manifest.warnings).toContainEqual(
      expect.objectContaining({ path, message: expect.stringContaining(message) }),
    )
    expect(manifest.pages[0]).toMatchObject({ title: 'Home' })
    expect(manifest.files).toEqual([])
  })
})
describe('The cache of clones', () => {
  it('The cache evicts the least recently used clone over its limit', async () => {
    const { run, clones } = await setup({ change: { files: { 'README.md': '# A' } }, maxCacheBytes: 3_000 })
    await run({ spaceId: 'one' })
    const [first] = await clones()
    await run({ spaceId: 'two' })
    await run({ spaceId: 'three' })
    const left = await clones()
    expect(left).not.toContain(first)
    expect(left.length).toBeLessThan(3)
  })
})

const countPages = (pages: ReadManifest['pages']): number =>
  pages.reduce(
    (sum, page) =>
      sum + (page.type === 'document' && page.git ? 1 : 0) + ('pages' in page ? countPages(page.pages) : 0),
    0,
  )

describe('Real repositories', () => {
  const cases = [
    ['fluentd-docs', 191, 228, 'in_tail (2).gif'],
    ['block-normalization', 18, 2, 'sofianna-customer-avatar.png'],
  ] as const
  for (const [name, pages, files, file] of cases) {
    const bundle = sharedBundle(`${name}.bundle`)
    const check = bundle ? it : it.skip
    check(`${name} has its pages and files${bundle ? '' : ` (skipped: ${name}.bundle is not there)`}`, async () => {
      const clone = await cloneBundle(bundle ?? '')
      open.push(() => clone.remove())
      const { run, blobs } = await setup({ path: clone.path })
      const { manifest } = await run()
      expect(countPages(manifest.pages)).toBe(pages)
      expect(manifest.files).toHaveLength(files)
      const manifestFile = manifest.files.find(candidate => candidate.name === file)
      const original = execFileSync('git', ['-C', clone.path, 'cat-file', 'blob', manifestFile?.git.oid ?? ''], {
        maxBuffer: 1e8,
      })
      expect(original.equals(await blobs.bytes(manifestFile?.hash ?? ''))).toBe(true)
      expect(manifestFile?.dimensions).toEqual({ width: expect.any(Number), height: expect.any(Number) })
    })
  }
})
