import { readdir, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from '@jest/globals'
import { anExportSetup } from '../test/an-export-setup.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of open.splice(0).reverse()) await stop()
})

async function anExport(options: Parameters<typeof anExportSetup>[0]) {
  const exportSetup = await anExportSetup(options)
  open.push(() => exportSetup.setup.stop())
  return exportSetup
}

async function cutIndexes(clone: string): Promise<void> {
  const folder = join(clone, 'objects/pack')
  for (const name of await readdir(folder)) if (name.endsWith('.idx')) await truncate(join(folder, name), 100)
}

describe('Exports', () => {
  it('An export keeps links, modes and names that it does not know byte for byte, and outside its folder everything', async () => {
    const { setup, git, run, storePages } = await anExport({
      change: {
        files: { 'docs/README.md': 'home', 'docs/run.sh': '#!', 'docs/a.md': 'a', 'x/.gitmodules': '', LICENSE: 'all' },
        symlinks: { 'docs/link.md': '../LICENSE', out: '/etc' },
        submodules: { 'docs/sub': 'ab'.repeat(20) },
        executable: ['docs/run.sh', 'docs/a.md'],
      },
    })
    const before = git('ls-tree', '-r', 'main').split('\n')
    const base = storePages({ 'README.md': 'home', 'a.md': 'a' }, { commit: setup.repository.commit })
    const now = storePages({ 'README.md': 'home', 'a.md': 'new', 'link.md': 'mine', 'sub/x.md': 'x' })
    const { commit, isPartial } = await run({ now, base }, { projectDirectory: 'docs' })
    expect(git('rev-parse', 'main')).toBe(commit.oid)
    expect(isPartial).toBe(false)
    const after = git('ls-tree', '-r', 'main').split('\n')
    const isOurs = (line: string) => /\t(docs\/(a|link-1|SUMMARY|sub-1\/x)\.md)$/.test(line)
    expect(after.filter(line => !isOurs(line))).toEqual(before.filter(line => !isOurs(line)))
    expect(after.filter(isOurs).map(line => `${line.slice(0, 6)} ${line.split('\t')[1]}`)).toEqual([
      '100644 docs/SUMMARY.md',
      '100755 docs/a.md',
      '100644 docs/link-1.md',
      '100644 docs/sub-1/x.md',
    ])
    expect(git('log', '-1', '--format=%an <%ae> %cn <%ce> %P %s', 'main')).toBe(
      `Ada <ada@example.com> Recto <recto@x> ${setup.repository.commit} Export`,
    )
  })

  it.each(['SUMMARY.md\u200b', 'toc.md'])(
    'An export edits SUMMARY.md when .gitbook.yaml names %j, which does not exist',
    async summary => {
      const yaml = `structure:\n  summary: ${summary}\n`
      const { git, run, storePages, setup } = await anExport({
        change: { files: { '.gitbook.yaml': yaml, 'SUMMARY.md': '* [Home](README.md)\n', 'README.md': '# Home\n' } },
      })
      const base = storePages({ 'README.md': '# Home\n' }, { commit: setup.repository.commit })
      await run({ now: storePages({ 'README.md': '# Home\n', 'b.md': '# B\n' }), base })
      expect(git('ls-tree', '-r', '-z', '--name-only', 'main').split('\0')).toEqual([
        '.gitbook.yaml',
        'README.md',
        'SUMMARY.md',
        'b.md',
        '',
      ])
      expect(git('show', 'main:SUMMARY.md')).toContain('(b.md)')
    },
  )

  describe.each([false, true])('To another address (the server filters: %j)', filters => {
    const first = { 'README.md': '# Home\n', 'a.md': '# A\n', 'b.md': '# B\n' }
    const editedPages = { ...first, 'a.md': '# Mine\n' }
    const candidate = (commit: string, more: object = {}) => ({
      revision: 'r1',
      commit,
      root: '',
      isSameBranch: true,
      ...more,
    })

    async function aSynchronisedExport() {
      const exportSetup = await anExport({ change: { files: first }, filters })
      const { commit } = exportSetup.setup.repository
      exportSetup.bases.set('r1', exportSetup.storePages(first, { commit }))
      return { ...exportSetup, commit }
    }
    const filesOf = (git: (...args: string[]) => string) => git('ls-tree', '-r', '--name-only', 'main').split('\n')

    it.each([0, 1, 4])(
      'An export to another address whose history has the base, %i commits below its tip, edits files in place',
      async depth => {
        const { git, run, storePages, setup, commit } = await aSynchronisedExport()
        for (let at = 0; at < depth; at++) await setup.repository.addCommit({ 'b.md': `# Theirs ${at}\n` })
        const exported = await run({ now: storePages(editedPages), candidates: [candidate(commit)] })
        expect(exported).toMatchObject({ base: { revision: 'r1' }, isPartial: depth > 0 })
        expect(git('diff', '--name-status', 'main~1', 'main')).toBe('M\ta.md')
      },
    )

    it('An export to another address that has the base on another branch writes everything that differs, in place', async () => {
      const { git, run, storePages, setup, commit } = await aSynchronisedExport()
      const other = { ...first, 'a.md': '# Old\n', 'b.md': '# Old\n' }
      await setup.repository.addCommit(other)
      git('update-ref', 'refs/heads/dev', commit)
      const identity = ['-c', 'user.name=Eve', '-c', 'user.email=eve@example.com']
      git('update-ref', 'refs/heads/main', git(...identity, 'commit-tree', 'main^{tree}', '-m', 'Squashed'))
      await run({ now: storePages(editedPages), candidates: [candidate(commit)] })
      expect(git('show', 'main:a.md', 'main:b.md')).toBe('# Mine\n# B')
      expect(filesOf(git).filter(path => path.endsWith('-1.md'))).toEqual([])
    })

    it('An export to another address that lags behind builds on the newest commit that it has', async () => {
      const { git, run, storePages, bases, commit } = await aSynchronisedExport()
      bases.set('r2', storePages({ ...first, 'b.md': '# Newer\n' }, { commit: 'c'.repeat(40) }))
      const candidates = [candidate('c'.repeat(40), { revision: 'r2' }), candidate(commit)]
      const now = storePages({ ...editedPages, 'b.md': '# Newer\n' })
      expect(await run({ now, candidates })).toMatchObject({ base: { revision: 'r1' } })
      expect(git('diff', '--name-status', 'main~1', 'main')).toBe('M\ta.md\nM\tb.md')
    })

    it.each([
      ['that does not have the commit', { commit: 'c'.repeat(40) }],
      ['whose content has another root', { root: 'docs' }],
    ])('An export to another address %s keeps its files', async (_title, more) => {
      const { git, run, storePages, commit } = await aSynchronisedExport()
      expect(await run({ now: storePages(editedPages), candidates: [candidate(commit, more)] })).not.toHaveProperty(
        'base',
      )
      expect(git('show', 'main:a.md')).toBe('# A')
      expect(filesOf(git)).toContain('a-1.md')
    })
  })

  it('An export onto a branch that moves meanwhile starts from the new tip', async () => {
    const { setup, git, run, storePages } = await anExport({ change: { files: { 'README.md': 'home' } } })
    const theirs = await setup.repository.addCommit({ 'their.txt': 'x' }, { branch: 'theirs' })
    const base = storePages({ 'README.md': 'home' }, { commit: setup.repository.commit })
    let moves = 0
    const onFinalize = () => void (moves++ === 0 && git('update-ref', 'refs/heads/main', 'theirs'))
    const { commit, isPartial } = await run({ now: storePages({ 'README.md': 'new' }), base }, { onFinalize })
    expect(git('log', '--format=%H', 'main').split('\n')).toEqual([commit.oid, theirs, setup.repository.commit])
    expect(git('show', '--name-only', '--format=', 'main')).toBe('README.md')
    expect([moves, isPartial]).toEqual([2, true])
  })

  it.each([
    [false, 'gives up, and replaces nothing'],
    [true, 'replaces what came in between when forced'],
  ])('An export onto a branch that moves each time (force: %j) %s', async (force, _title) => {
    const { setup, git, run, storePages } = await anExport({ change: { files: { 'README.md': 'home' } } })
    for (const branch of ['b1', 'b2', 'b3']) await setup.repository.addCommit({ [branch]: 'x' }, { branch })
    const base = storePages({ 'README.md': 'home' }, { commit: setup.repository.commit })
    let moves = 0
    const onFinalize = () => void git('update-ref', 'refs/heads/main', `b${++moves}`)
    const result = run({ now: storePages({ 'README.md': 'new' }), base }, { onFinalize, force })
    if (force) {
      const { commit } = await result
      expect(git('rev-parse', 'main', 'main~1').split('\n')).toEqual([commit.oid, git('rev-parse', 'b2')])
    } else {
      await expect(result).rejects.toMatchObject({
        code: 'push_rejected',
        message: expect.stringContaining('3 times'),
      })
      expect(git('rev-parse', 'main')).toBe(git('rev-parse', 'b3'))
    }
  })

  it('An export that is repeated after its push makes no second commit, and returns the first', async () => {
    const { setup, git, run, storePages } = await anExport({ change: { files: { 'README.md': 'home' } } })
    const base = storePages({ 'README.md': 'home' }, { commit: setup.repository.commit })
    const now = storePages({ 'README.md': 'home', 'n.md': 'new' })
    const first = await run({ now, base })
    expect(await run({ now, base })).toEqual({ ...first, manifest: expect.any(String) })
    expect(git('rev-list', '--count', 'main')).toBe('2')
  })

  it('An export records its commit before the branch has it', async () => {
    const { setup, run, storePages, pushes } = await anExport({ change: { files: { 'README.md': 'home' } } })
    const base = storePages({ 'README.md': 'home' }, { commit: setup.repository.commit })
    const { commit, manifest } = await run({ now: storePages({ 'README.md': 'new' }), base })
    expect(pushes).toEqual([{ commit: commit.oid, isPartial: false, manifest, tip: setup.repository.commit }])
    await run({ now: storePages({ 'README.md': 'new' }), base })
    expect(pushes).toHaveLength(1)
  })

  /** After a push whose reply was lost, its page must go, and the later commits of others must stay. */
  it.each<[string, (exportSetup: Awaited<ReturnType<typeof anExport>>) => unknown, string[], boolean]>([
    ['the tip', () => undefined, ['README.md'], false],
    ['below the tip', ({ setup }) => setup.repository.addCommit({ x: 'theirs' }), ['README.md', 'x'], true],
    [
      'not on the branch any more',
      ({ setup, git }) => git('update-ref', 'refs/heads/main', setup.repository.commit),
      ['README.md'],
      false,
    ],
    [
      'not on the branch, which has a file of that name',
      async ({ setup, git }) => {
        git('update-ref', 'refs/heads/main', setup.repository.commit)
        await setup.repository.addCommit({ 'gone.md': 'theirs' })
      },
      ['README.md', 'gone.md'],
      true,
    ],
  ])(
    'An export deletes the files of a push without a recorded reply, while its commit is %s',
    async (_case, change, files, isMore) => {
      const exportSetup = await anExport({ change: { files: { 'README.md': 'home' } } })
      const { setup, git, run, storePages } = exportSetup
      const base = storePages({ 'README.md': 'home' }, { commit: setup.repository.commit })
      const lost = storePages({ 'README.md': 'home', 'gone.md': 'gone' })
      const { commit } = await run({ now: lost, base })
      await change(exportSetup)
      const pushed = [{ ...lost, pushed: commit.oid, commit: commit.oid }]
      const { isPartial } = await run({ now: storePages({ 'README.md': 'home' }), base, pushed })
      const paths = git('ls-tree', '-r', '--name-only', 'main').split('\n')
      expect([paths.filter(name => name !== 'SUMMARY.md'), isPartial]).toEqual([files, isMore])
    },
  )

  it('An export to an empty repository makes its first commit, in bundles of documents', async () => {
    const { git, run, storePages } = await anExport({ change: { files: { x: '' } } })
    git('update-ref', '-d', 'refs/heads/main')
    const pages = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`p${at}.md`, `text ${at}`]))
    const { commit, isPartial } = await run({ now: storePages(pages, { wasInRepository: false }) })
    expect([git('rev-list', 'main'), isPartial]).toEqual([commit.oid, false])
    expect(git('ls-tree', '-r', '--name-only', 'main').split('\n')).toEqual([
      'README.md',
      'SUMMARY.md',
      'p1.md',
      'p2.md',
      'p3.md',
      'p4.md',
    ])
    git('fsck', '--strict')
  })

  it.each<[string, boolean, (clone: string) => Promise<void>]>([
    ['without its packs', false, clone => rm(join(clone, 'objects/pack'), { recursive: true })],
    ['without its packs, of a partial clone', true, clone => rm(join(clone, 'objects/pack'), { recursive: true })],
    ['whose index is cut off', false, cutIndexes],
  ])('An export onto a clone that a killed worker left %s fetches it again', async (_case, filters, damage) => {
    const { setup, git, run, storePages } = await anExport({ change: { files: { 'README.md': 'home' } }, filters })
    await setup.run()
    const [clone = ''] = await setup.clones()
    await damage(join(setup.folder, 'cache', clone))
    const base = storePages({ 'README.md': 'home' }, { commit: setup.repository.commit })
    const { commit } = await run({ now: storePages({ 'README.md': 'new' }), base })
    expect(git('rev-parse', 'main', 'main~1').split('\n')).toEqual([commit.oid, setup.repository.commit])
    expect(git('show', 'main:README.md')).toBe('new')
  })

  it('An export deletes its objects from the cache', async () => {
    const { setup, run, storePages } = await anExport({ change: { files: { 'README.md': 'home' } } })
    await run({ now: storePages({ 'README.md': 'new' }) })
    expect((await setup.clones()).filter(name => name.includes('.export'))).toEqual([])
  })

  it('An export to a branch with a bad .gitbook.yaml fails, and changes nothing', async () => {
    const { git, run, storePages } = await anExport({
      change: { files: { 'README.md': 'home', '.gitbook.yaml': 'root: [' } },
    })
    const result = run({ now: storePages({ 'README.md': 'new' }) })
    await expect(result).rejects.toMatchObject({ code: 'invalid_configuration', path: '.gitbook.yaml' })
    expect(git('rev-list', '--count', 'main')).toBe('1')
  })
})
