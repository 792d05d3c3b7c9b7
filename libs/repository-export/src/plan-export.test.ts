import { describe, expect, it, test } from '@jest/globals'
import { createHash } from 'node:crypto'
import { readConfiguration } from '@recto/repository-content'
import { assignPaths } from './assign-paths.ts'
import type { Content, ContentState } from './export-content.ts'
import { planExport, type ExportTip } from './plan-export.ts'
import { updateConfiguration, updateVariables } from './configuration-files.ts'

/** The git object of a text; its SHA-256 stands for it in these tests, too. */
const oidOf = (text: string) => createHash('sha1').update(text).digest('hex')

type Page = Partial<ContentState['pages'][number]> & { text?: string }

function state(pages: Record<string, Page>, more: Partial<ContentState> = {}): ContentState {
  return {
    wasInRepository: true,
    pages: Object.entries(pages).map(([id, { text, ...page }]) => ({
      id,
      parent: null,
      type: 'document',
      title: id,
      ...(text !== undefined && { hash: oidOf(text) }),
      ...page,
    })),
    files: [],
    reusableContents: [],
    variables: {},
    redirects: {},
    ...more,
  }
}

function tip(
  files: Record<string, string>,
  { root = '', others = [] }: { root?: string; others?: string[] } = {},
): ExportTip {
  const { configuration } = readConfiguration(files[`${root ? `${root}/` : ''}.gitbook.yaml`], root)
  return {
    configuration,
    configurationPath: root === '' ? '.gitbook.yaml' : `${root}/.gitbook.yaml`,
    files: new Map(Object.entries(files).map(([path, text]) => [path, oidOf(text)])),
    others: new Set(others),
    texts: new Map(Object.entries(files).filter(([path]) => /SUMMARY\.md$|\.yaml$/.test(path))),
    notUtf8: new Set(),
  }
}

function plan(
  content: Partial<Content> & Pick<Content, 'now'>,
  branch: ExportTip,
  more: { force?: boolean; referenced?: string[]; owners?: Record<string, string> } = {},
) {
  const exportPlan = planExport({
    content: { version: 1, candidates: [], isSameBranch: content.base !== undefined, ...content },
    tip: branch,
    force: more.force ?? false,
    owners: new Map(Object.entries(more.owners ?? {})),
    limits: { maxPages: 100 },
    oidOf: ({ hash, oid }) => oid ?? hash,
    titleOf: () => undefined,
    referenced: new Set(more.referenced),
  })
  return {
    writes: Object.fromEntries(Array.from(exportPlan.writes, ([path, { oid }]) => [path, oid])),
    texts: Object.fromEntries(exportPlan.texts),
    deletes: [...exportPlan.deletes],
    paths: Object.fromEntries(exportPlan.paths),
  }
}

const nothing = { writes: {}, texts: {}, deletes: [] }
const files = { 'README.md': 'home', 'a.md': 'a', 'SUMMARY.md': '* [h](README.md)\n* [a](a.md)\n' }
const base = state({ h: { path: 'README.md', text: 'home' }, a: { path: 'a.md', text: 'a' } })

describe('Exports', () => {
  it('An export changes nothing when nothing changed, whatever the branch has', () => {
    expect(plan({ now: base, base }, tip(files))).toMatchObject(nothing)
    expect(plan({ now: base, base }, tip({ ...files, 'a.md': 'theirs', 'SUMMARY.md': '' }))).toMatchObject(nothing)
  })

  it('An export writes what changed, and all of it with force', () => {
    const now = state({ h: { path: 'README.md', text: 'home' }, a: { path: 'a.md', text: 'mine' } })
    const branch = tip({ ...files, 'README.md': 'theirs' })
    expect(plan({ now, base }, branch)).toMatchObject({ ...nothing, writes: { 'a.md': oidOf('mine') } })
    expect(plan({ now, base }, branch, { force: true }).writes).toEqual({
      'a.md': oidOf('mine'),
      'README.md': oidOf('home'),
    })
  })

  it('An export writes settings that an import kept, unless the branch changed the file since', () => {
    const content = state({ h: { path: 'README.md', text: 'home' }, a: { path: 'a.md', text: 'kept', committedOid: oidOf('a') } }) // prettier-ignore
    expect(plan({ now: content, base: content }, tip(files))).toMatchObject({
      ...nothing,
      writes: { 'a.md': oidOf('kept') },
    })
    expect(plan({ now: content, base: content }, tip({ ...files, 'a.md': 'theirs' }))).toMatchObject(nothing)
  })

  it('An export writes all that another branch lacks', () => {
    const branch = tip({ ...files, 'a.md': 'old' })
    expect(plan({ now: base, base, isSameBranch: false }, branch)).toMatchObject({ writes: { 'a.md': oidOf('a') } })
  })

  it('An export leaves a table of contents that is not UTF-8 alone, and ends where it would have to change', () => {
    const branch = { ...tip({ ...files, 'x.c': 'x' }), notUtf8: new Set(['SUMMARY.md']) }
    expect(plan({ now: base, base }, branch)).toMatchObject(nothing)
    const { pages } = state({ h: { path: 'README.md', text: 'home' } })
    expect(() => plan({ now: { ...base, pages }, base }, branch)).toThrow(/SUMMARY\.md .*is not UTF-8/)
  })

  it('An export deletes what content had, and nothing else', () => {
    const now = state({ h: { path: 'README.md', text: 'home' } })
    expect(plan({ now, base }, tip({ ...files, 'other.md': 'x' }))).toMatchObject({
      deletes: ['a.md'],
      texts: { 'SUMMARY.md': '* [h](README.md)\n' },
    })
  })

  it('An export moves the file of a page that has another path', () => {
    const now = state({ h: { path: 'README.md', text: 'home' }, a: { path: 'b.md', text: 'a' } })
    expect(plan({ now, base }, tip(files))).toMatchObject({
      writes: { 'b.md': oidOf('a') },
      deletes: ['a.md'],
      texts: { 'SUMMARY.md': '* [h](README.md)\n* [a](b.md)\n' },
    })
  })

  it('An export lets a new page have the path of a deleted one, and not that of a page that keeps it', () => {
    const now = state({
      n: { path: 'a.md', text: 'new' },
      o: { path: 'README.md', text: 'o' },
      h: { path: 'README.md', text: 'home' },
    })
    expect(plan({ now, base }, tip(files)).paths).toEqual({ n: 'a.md', o: 'README-1.md', h: 'README.md' })
  })

  it('An export leaves out a page whose file the branch deleted', () => {
    const now = state({
      h: { path: 'README.md', text: 'home' },
      a: { path: 'a.md', text: 'a' },
      n: { path: 'n.md', text: 'n' },
    })
    const { 'a.md': _deleted, ...rest } = { ...files, 'SUMMARY.md': '* [h](README.md)\n' }
    expect(plan({ now, base }, tip(rest))).toMatchObject({
      writes: { 'n.md': oidOf('n') },
      texts: { 'SUMMARY.md': '* [h](README.md)\n* [n](n.md)\n' },
    })
  })

  it('An export lists a page once that the content changed and the branch deleted', () => {
    const now = state({ h: { path: 'README.md', text: 'home' }, a: { path: 'a.md', text: 'changed' } })
    const { 'a.md': _deleted, ...rest } = files
    const isListed = tip(rest)
    const isUnlisted = tip({ ...rest, 'SUMMARY.md': '* [h](README.md)\n' })
    for (const branch of [isListed, isUnlisted]) {
      const { writes, texts } = plan({ now, base }, branch)
      const summary = texts['SUMMARY.md'] ?? branch.texts.get('SUMMARY.md')
      expect([writes, summary]).toEqual([{ 'a.md': oidOf('changed') }, '* [h](README.md)\n* [a](a.md)\n'])
    }
  })

  it('An export gives a page a number beside a file of its name, unless that file is said to be its own', () => {
    const now = state({ a: { path: 'a.md', text: 'changed' } })
    expect(plan({ now }, tip(files)).paths).toEqual({ a: 'a-1.md' })
    const own = plan({ now }, tip(files), { owners: { 'a.md': 'a' } })
    expect([own.paths, own.writes]).toEqual([{ a: 'a.md' }, { 'a.md': oidOf('changed') }])
    expect(own.texts['SUMMARY.md'] ?? files['SUMMARY.md']).toBe(files['SUMMARY.md'])
  })

  it('An export gives a page without file one as soon as it has a text', () => {
    const before = state({ t: { title: 'Text' } })
    const now = state({ t: { title: 'Text', text: 'x', wantedPath: 'text.md' } })
    const branch = tip({ 'SUMMARY.md': '* Text\n' })
    expect(plan({ now: before, base: before }, branch)).toMatchObject(nothing)
    expect(plan({ now, base: before }, branch)).toMatchObject({
      writes: { 'text.md': oidOf('x') },
      texts: { 'SUMMARY.md': '* [Text](text.md)\n' },
    })
  })

  it('An export of new content makes the first page README.md, unless a text refers to it', () => {
    const now = state({ s: { path: 'start.md', text: 's' } }, { wasInRepository: false })
    expect(plan({ now }, tip({})).paths).toEqual({ s: 'README.md' })
    const planWithReference = plan({ now }, tip({}), { referenced: ['start.md'] })
    expect(planWithReference).toMatchObject({
      paths: { s: 'start.md' },
      texts: { '.gitbook.yaml': 'structure:\n  readme: start.md\n' },
    })
    expect(plan({ now }, tip({ 'README.md': 'theirs' })).paths).toEqual({ s: 'start.md' })
  })

  it('An export that is repeated after its push writes no file again', () => {
    const now = state({ s: { path: 's.md', text: 's' }, t: { path: 't.md', text: 't' } }, { wasInRepository: false })
    const first = plan({ now }, tip({}))
    const texts = { 'README.md': 's', 't.md': 't', ...first.texts }
    const again = state({ s: { path: 's.md', text: 's' }, t: { path: 't.md', text: 't' } })
    expect(plan({ now: again }, tip({ ...texts, 's.md': 's' }))).toMatchObject({ writes: {}, deletes: [] })
  })

  it('An export stays in its folder, whatever the paths say', () => {
    const now = state({
      a: { path: '../up.md', text: 'a' },
      b: { path: '.git/config.md', text: 'b' },
      c: { path: '/etc/x.md', text: 'c' },
      d: { path: 'C:\\x.md', text: 'd' },
      e: { path: 'SUMMARY.md', text: 'e' },
      f: { path: `${'n'.repeat(300)}.md`, text: 'f' },
      g: { path: 'x', text: 'g' },
      h: { path: '.GIT/h.md', text: 'h' },
    })
    const { paths } = plan({ now }, tip({ 'docs/.gitbook.yaml': '' }, { root: 'docs' }))
    expect(paths).toEqual({
      a: 'docs/a.md',
      b: 'docs/b.md',
      c: 'docs/etc/x.md',
      d: 'docs/d.md',
      e: 'docs/SUMMARY-1.md',
      f: `docs/${'n'.repeat(237)}.md`,
      g: 'docs/x.md',
      h: 'docs/h.md',
    })
  })

  it('An export changes variables and redirects that changed, and keeps the rest of their files', () => {
    const before = state({}, { variables: { a: 1, b: 'x' }, redirects: { old: 'a.md' } })
    const now = state({}, { variables: { a: 2, c: true }, redirects: { old: 'a.md', new: 'b.md' } })
    const yaml = '# one\nroot: ./\nredirects:\n  old: a.md\n'
    const branch = tip({ '.gitbook.yaml': yaml, '.gitbook/vars.yaml': '# v\na: 1 # one\nb: x\n' })
    expect(plan({ now, base: before }, branch).texts).toEqual({
      '.gitbook.yaml': `${yaml}  new: b.md\n`,
      '.gitbook/vars.yaml': '# v\na: 2 # one\nc: true\n',
    })
    const windows = '\ufeff# v\r\na:   "1" # one\r\n\r\nb: x\r\n'
    const variables = updateVariables(windows, { now: { a: 'one', b: 'x' }, before: { a: '1', b: 'x' } })
    expect(variables).toBe(windows.replace('"1"', '"one"'))
    const flow = 'redirects: &r { old: a.md }\r\nother: *r # kept\r\n'
    const configuration = updateConfiguration(flow, { redirects: { now: { old: 'b.md' }, before: { old: 'a.md' } } })
    expect(configuration).toBe(flow.replace('a.md', 'b.md'))
    expect(updateVariables('- no map\n', { now: { a: 1 }, before: {} })).toBeUndefined()
    expect(updateConfiguration('a: [', { redirects: { now: { a: 'b' }, before: {} } })).toBeUndefined()
  })
})

test('An export changes the tags that changed, writes them to another branch, and leaves alone a file of which nothing is known', () => {
  const a = { slug: 'a', label: 'A', color: 'default' as const }
  const before = state({}, { tags: [a] })
  const now = state({}, { tags: [{ ...a, label: 'B' }] })
  const path = '.gitbook/tags.yaml'
  const branch = tip({ [path]: '- tag: a\n  label: A # ours\n- tag: theirs\n' })
  expect(plan({ now: before, base: before }, branch).texts).toEqual({})
  expect(plan({ now, base: before }, branch).texts).toEqual({ [path]: '- tag: a\n  label: B # ours\n- tag: theirs\n' })
  expect(plan({ now: state({}, { tags: [] }), base: before }, branch).texts).toEqual({ [path]: '- tag: theirs\n' })
  expect(plan({ now: state({}), base: before }, branch).texts).toEqual({})
  expect(plan({ now }, tip({})).texts).toMatchObject({ [path]: '- tag: a\n  label: B\n' })
})

describe('Paths', () => {
  const record = (path: string, hash = 'new') => ({ id: path, kind: 'page' as const, path, hash, oid: undefined })
  const pathInRepository = (path: string, at: Record<string, string>, others: string[] = []) =>
    assignPaths([record(path)], {
      root: '',
      tip: { files: new Map(Object.entries(at)), others: new Set(others) },
      owners: new Map(),
      reserved: ['SUMMARY.md'],
      oidOf: ({ hash }) => hash,
    }).get(path)

  it.each([
    ['that is free', 'a.md', {}, [], 'a.md'],
    ['of an unknown file', 'a.md', { 'a.md': 'x' }, [], 'a-1.md'],
    ['of an unknown file with other letter case', 'a.md', { 'A.md': 'x' }, [], 'a-1.md'],
    ['of a file with the same bytes', 'a.md', { 'a.md': 'new' }, [], 'a.md'],
    ['of a symbolic link', 'a.md', {}, ['a.md'], 'a-1.md'],
    ['of a folder', 'a.md', { 'a.md/x': 'x' }, [], 'a-1.md'],
    ['below a file', 'a/b.md', { a: 'x' }, [], 'a-1/b.md'],
    ['below a symbolic link', 'a/b.md', {}, ['a'], 'a-1/b.md'],
    ['whose numbered ones are taken, too', 'a.md', { 'a.md': 'x', 'a-1.md': 'x' }, [], 'a-2.md'],
    ['of the table of contents', 'summary.md', {}, [], 'summary-1.md'],
  ])('A path %s is assigned as it is or with a number', (_title, path, at, others, expected) =>
    expect(pathInRepository(path, at as Record<string, string>, others)).toBe(expected),
  )
})
