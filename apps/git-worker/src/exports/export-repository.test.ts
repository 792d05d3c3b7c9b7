import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { packBundle } from '@recto/blobs'
import { ExportState } from '@recto/contracts-git-worker-bus'
import { afterEach, describe, expect, it } from '@jest/globals'
import type { z } from 'zod'
import { aSetup, type Setup } from '../test/worker-setup.ts'
import { ExportContent } from './export-content.ts'
import { exportRepository, type ExportRequest } from './export-repository.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of open.splice(0).reverse()) await stop()
})

type State = z.input<typeof ExportContent>['now']
type Content = z.input<typeof ExportContent>
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const people = { author: { name: 'Ada', email: 'ada@example.com' }, committer: { name: 'Recto', email: 'recto@x' } }

/** Content of pages by path, as content would hand it over. */
function state(pages: Record<string, string>, more: Partial<State> = {}): State {
  return {
    wasInRepository: true,
    pages: Object.entries(pages).map(([path, text]) => ({
      ...{ id: path, parent: null, type: 'document' as const, title: path, path, hash: hashOf(text) },
    })),
    ...{ files: [], reusableContents: [], variables: {}, redirects: {} },
    ...more,
  }
}

async function anExport(options: Parameters<typeof aSetup>[0]) {
  const setup: Setup = await aSetup(options)
  open.push(() => setup.stop())
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', setup.repository.path, ...args])
      .toString()
      .trim()
  const texts = new Map<string, string>()
  const bases = new Map<string, State>()
  const pushes: { commit: string; isPartial: boolean; tip: string }[] = []
  const run = async (
    content: Partial<Content> & Pick<Content, 'now'>,
    { onFinalize, ...request }: Partial<ExportRequest> & { onFinalize?: () => void } = {},
  ) => {
    const given = { version: 1, isSameBranch: content.base !== undefined, ...content }
    return exportRepository(
      {
        ...{
          organizationId: 'organization',
          spaceId: 'space',
          url: setup.server.url('docs'),
          ref: 'refs/heads/main',
          force: false,
        },
        ...{ export: { revision: 'r', content: ExportContent.parse(given), message: 'Export', ...people }, ...request },
      },
      {
        ...setup.tools,
        onProgress: stage => stage === 'finalize' && onFinalize?.(),
        recordPush: async push =>
          void pushes.push({ ...push, tip: git('for-each-ref', '--format=%(objectname)', 'refs/heads/main') }),
        describeBase: async revision => ExportState.parse(bases.get(revision)),
        bundle: async documents => {
          const bundle = await setup.blobs.put(
            packBundle(documents.slice(0, 2).map(each => Buffer.from(texts.get(each) ?? ''))),
          )
          return { bundle: bundle.hash, count: Math.min(2, documents.length) }
        },
      },
    )
  }
  const having = (pages: Record<string, string>, more: Partial<State> = {}) => {
    for (const text of Object.values(pages)) texts.set(hashOf(text), text)
    return state(pages, more)
  }
  return { setup, git, run, having, pushes, bases }
}

async function cutIndexes(clone: string): Promise<void> {
  const folder = join(clone, 'objects/pack')
  for (const name of await readdir(folder)) if (name.endsWith('.idx')) await truncate(join(folder, name), 100)
}

describe('an export', () => {
  it('keeps links, modes and names that it does not know byte for byte, and outside its folder everything', async () => {
    const { setup, git, run, having } = await anExport({
      change: {
        files: { 'docs/README.md': 'home', 'docs/run.sh': '#!', 'docs/a.md': 'a', 'x/.gitmodules': '', LICENSE: 'all' },
        symlinks: { 'docs/link.md': '../LICENSE', out: '/etc' },
        submodules: { 'docs/sub': 'ab'.repeat(20) },
        executable: ['docs/run.sh', 'docs/a.md'],
      },
    })
    const before = git('ls-tree', '-r', 'main').split('\n')
    const base = having({ 'README.md': 'home', 'a.md': 'a' }, { commit: setup.repository.commit })
    const now = having({ 'README.md': 'home', 'a.md': 'new', 'link.md': 'mine', 'sub/x.md': 'x' })
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
    'edits SUMMARY.md when .gitbook.yaml names %j, which does not exist',
    async summary => {
      const yaml = `structure:\n  summary: ${summary}\n`
      const { git, run, having, setup } = await anExport({
        change: { files: { '.gitbook.yaml': yaml, 'SUMMARY.md': '* [Home](README.md)\n', 'README.md': '# Home\n' } },
      })
      const base = having({ 'README.md': '# Home\n' }, { commit: setup.repository.commit })
      await run({ now: having({ 'README.md': '# Home\n', 'b.md': '# B\n' }), base })
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

  describe.each([false, true])('to a repository of another address (its server filters: %j)', filters => {
    const first = { 'README.md': '# Home\n', 'a.md': '# A\n', 'b.md': '# B\n' }
    const edited = { ...first, 'a.md': '# Mine\n' }
    const candidate = (commit: string, more: object = {}) => ({
      ...{ revision: 'r1', commit, root: '', isSameBranch: true },
      ...more,
    })

    async function synchronised() {
      const made = await anExport({ change: { files: first }, filters })
      const { commit } = made.setup.repository
      made.bases.set('r1', made.having(first, { commit }))
      return { ...made, commit }
    }
    const filesOf = (git: (...args: string[]) => string) => git('ls-tree', '-r', '--name-only', 'main').split('\n')

    it.each([0, 1, 4])('whose history has the base, %i commits below its tip, edits files in place', async depth => {
      const { git, run, having, setup, commit } = await synchronised()
      for (let at = 0; at < depth; at++) await setup.repository.addCommit({ 'b.md': `# Theirs ${at}\n` })
      const exported = await run({ now: having(edited), candidates: [candidate(commit)] })
      expect(exported).toMatchObject({ base: { revision: 'r1' }, isPartial: depth > 0 })
      expect(git('diff', '--name-status', 'main~1', 'main')).toBe('M\ta.md')
    })

    it('that has the base on another branch writes everything that differs, in place', async () => {
      const { git, run, having, setup, commit } = await synchronised()
      const other = { ...first, 'a.md': '# Old\n', 'b.md': '# Old\n' }
      await setup.repository.addCommit(other)
      git('update-ref', 'refs/heads/dev', commit)
      const identity = ['-c', 'user.name=Eve', '-c', 'user.email=eve@example.com']
      git('update-ref', 'refs/heads/main', git(...identity, 'commit-tree', 'main^{tree}', '-m', 'Squashed'))
      await run({ now: having(edited), candidates: [candidate(commit)] })
      expect(git('show', 'main:a.md', 'main:b.md')).toBe('# Mine\n# B')
      expect(filesOf(git).filter(path => path.endsWith('-1.md'))).toEqual([])
    })

    it('that lags behind builds on the newest commit that it has', async () => {
      const { git, run, having, bases, commit } = await synchronised()
      bases.set('r2', having({ ...first, 'b.md': '# Newer\n' }, { commit: 'c'.repeat(40) }))
      const candidates = [candidate('c'.repeat(40), { revision: 'r2' }), candidate(commit)]
      const now = having({ ...edited, 'b.md': '# Newer\n' })
      expect(await run({ now, candidates })).toMatchObject({ base: { revision: 'r1' } })
      expect(git('diff', '--name-status', 'main~1', 'main')).toBe('M\ta.md\nM\tb.md')
    })

    it.each([
      ['that does not have the commit', { commit: 'c'.repeat(40) }],
      ['whose content has another root', { root: 'docs' }],
    ])('%s keeps its files', async (_title, more) => {
      const { git, run, having, commit } = await synchronised()
      expect(await run({ now: having(edited), candidates: [candidate(commit, more)] })).not.toHaveProperty('base')
      expect(git('show', 'main:a.md')).toBe('# A')
      expect(filesOf(git)).toContain('a-1.md')
    })
  })

  it('onto a branch that moves meanwhile starts from the new tip', async () => {
    const { setup, git, run, having } = await anExport({ change: { files: { 'README.md': 'home' } } })
    const theirs = await setup.repository.addCommit({ 'their.txt': 'x' }, { branch: 'theirs' })
    const base = having({ 'README.md': 'home' }, { commit: setup.repository.commit })
    let moves = 0
    const onFinalize = () => void (moves++ === 0 && git('update-ref', 'refs/heads/main', 'theirs'))
    const { commit, isPartial } = await run({ now: having({ 'README.md': 'new' }), base }, { onFinalize })
    expect(git('log', '--format=%H', 'main').split('\n')).toEqual([commit.oid, theirs, setup.repository.commit])
    expect(git('show', '--name-only', '--format=', 'main')).toBe('README.md')
    expect([moves, isPartial]).toEqual([2, true])
  })

  it.each([
    [false, 'gives up, and replaces nothing'],
    [true, 'replaces what came in between when forced'],
  ])('onto a branch that moves each time (force: %j) %s', async (force, _title) => {
    const { setup, git, run, having } = await anExport({ change: { files: { 'README.md': 'home' } } })
    for (const branch of ['b1', 'b2', 'b3']) await setup.repository.addCommit({ [branch]: 'x' }, { branch })
    const base = having({ 'README.md': 'home' }, { commit: setup.repository.commit })
    let moves = 0
    const onFinalize = () => void git('update-ref', 'refs/heads/main', `b${++moves}`)
    const exported = run({ now: having({ 'README.md': 'new' }), base }, { onFinalize, force })
    if (force) {
      const { commit } = await exported
      expect(git('rev-parse', 'main', 'main~1').split('\n')).toEqual([commit.oid, git('rev-parse', 'b2')])
    } else {
      await expect(exported).rejects.toMatchObject({
        code: 'push_rejected',
        message: expect.stringContaining('3 times'),
      })
      expect(git('rev-parse', 'main')).toBe(git('rev-parse', 'b3'))
    }
  })

  it('that is repeated after its push makes no second commit, and knows its own', async () => {
    const { setup, git, run, having } = await anExport({ change: { files: { 'README.md': 'home' } } })
    const base = having({ 'README.md': 'home' }, { commit: setup.repository.commit })
    const now = having({ 'README.md': 'home', 'n.md': 'new' })
    const first = await run({ now, base })
    expect(await run({ now, base })).toEqual({ ...first, manifest: expect.any(String) })
    expect(git('rev-list', '--count', 'main')).toBe('2')
  })

  it('records its commit before the branch has it', async () => {
    const { setup, run, having, pushes } = await anExport({ change: { files: { 'README.md': 'home' } } })
    const base = having({ 'README.md': 'home' }, { commit: setup.repository.commit })
    const { commit, manifest } = await run({ now: having({ 'README.md': 'new' }), base })
    expect(pushes).toEqual([{ commit: commit.oid, isPartial: false, manifest, tip: setup.repository.commit }])
    await run({ now: having({ 'README.md': 'new' }), base })
    expect(pushes).toHaveLength(1)
  })

  /** An export whose answer was lost: its page has to go, and what others did on top of it has to stay. */
  it.each<[string, (made: Awaited<ReturnType<typeof anExport>>) => unknown, string[], boolean]>([
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
  ])('deletes what a push without an answer brought, while its commit is %s', async (_case, change, files, isMore) => {
    const made = await anExport({ change: { files: { 'README.md': 'home' } } })
    const { setup, git, run, having } = made
    const base = having({ 'README.md': 'home' }, { commit: setup.repository.commit })
    const lost = having({ 'README.md': 'home', 'gone.md': 'gone' })
    const { commit } = await run({ now: lost, base })
    await change(made)
    const pushed = [{ ...lost, pushed: commit.oid, commit: commit.oid }]
    const { isPartial } = await run({ now: having({ 'README.md': 'home' }), base, pushed })
    const found = git('ls-tree', '-r', '--name-only', 'main').split('\n')
    expect([found.filter(name => name !== 'SUMMARY.md'), isPartial]).toEqual([files, isMore])
  })

  it('to an empty repository makes its first commit, in bundles of documents', async () => {
    const { git, run, having } = await anExport({ change: { files: { x: '' } } })
    git('update-ref', '-d', 'refs/heads/main')
    const pages = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`p${at}.md`, `text ${at}`]))
    const { commit, isPartial } = await run({ now: having(pages, { wasInRepository: false }) })
    expect([git('rev-list', 'main'), isPartial]).toEqual([commit.oid, false])
    expect(git('ls-tree', '-r', '--name-only', 'main').split('\n')).toEqual([
      ...['README.md', 'SUMMARY.md', 'p1.md', 'p2.md', 'p3.md', 'p4.md'],
    ])
    git('fsck', '--strict')
  })

  it.each<[string, boolean, (clone: string) => Promise<void>]>([
    ['without its packs', false, clone => rm(join(clone, 'objects/pack'), { recursive: true })],
    ['without its packs, of a partial clone', true, clone => rm(join(clone, 'objects/pack'), { recursive: true })],
    ['whose index is cut off', false, cutIndexes],
  ])('onto a clone that a killed worker left %s fetches it again', async (_case, filters, damage) => {
    const { setup, git, run, having } = await anExport({ change: { files: { 'README.md': 'home' } }, filters })
    await setup.run()
    const [clone = ''] = await setup.clones()
    await damage(join(setup.folder, 'cache', clone))
    const base = having({ 'README.md': 'home' }, { commit: setup.repository.commit })
    const { commit } = await run({ now: having({ 'README.md': 'new' }), base })
    expect(git('rev-parse', 'main', 'main~1').split('\n')).toEqual([commit.oid, setup.repository.commit])
    expect(git('show', 'main:README.md')).toBe('new')
  })

  it('leaves nothing of its objects in the cache', async () => {
    const { setup, run, having } = await anExport({ change: { files: { 'README.md': 'home' } } })
    await run({ now: having({ 'README.md': 'new' }) })
    expect((await setup.clones()).filter(name => name.includes('.export'))).toEqual([])
  })

  it('to a branch with a bad .gitbook.yaml fails, and changes nothing', async () => {
    const { git, run, having } = await anExport({
      change: { files: { 'README.md': 'home', '.gitbook.yaml': 'root: [' } },
    })
    const refused = run({ now: having({ 'README.md': 'new' }) })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_configuration', path: '.gitbook.yaml' })
    expect(git('rev-list', '--count', 'main')).toBe('1')
  })
})
