import { afterAll, beforeAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { testSeed } from './config.ts'
import {
  aServedClone,
  aServedRepository,
  change,
  commits,
  exportTo,
  inRepository,
  stack,
  startExports,
  stopExports,
} from './exports.ts'
import { repositories } from './fixtures/generated.ts'
import { sharedBundle } from '@recto/testing'
import { aSpace, importRepository } from './walk.ts'

const count = 25
const seed = testSeed

beforeAll(startExports)
afterAll(stopExports)

interface Page {
  id: string
  type: string
  title: string
  git?: { path: string }
  pages?: Page[]
}

const flat = (pages: Page[]): Page[] => pages.flatMap(page => [page, ...flat(page.pages ?? [])])
const treeOf = async (spaceId: string) => (await stack.client.spaces.listPages(spaceId)).data.pages as unknown as Page[]
const shapeOf = (pages: Page[]): unknown[] =>
  pages.map(({ type, title, git, pages: below = [] }) => [type, title, git?.path, shapeOf(below)])

/** Status letter and path of each file that the last commit changed. */
async function lastChanges(path: string): Promise<string[]> {
  const fields = (await inRepository(path, 'show', '-z', '--name-status', '--no-renames', '--format=', 'main')).split(
    '\0',
  )
  return Array.from({ length: Math.floor(fields.length / 2) }, (_, at) => `${fields[at * 2]} ${fields[at * 2 + 1]}`)
}

const kinds = ['text', 'insert', 'delete', 'title', 'move'] as const
type Kind = (typeof kinds)[number]

/** One edit of a page, and the changes that it may make beside those of SUMMARY.md; undefined where there is nothing to edit. */
function anEdit(kind: Kind, pages: Page[], pick: number) {
  const documents = flat(pages).filter(({ git, type }) => git && type === 'document')
  const page = documents[pick % Math.max(1, documents.length)]
  const below = page ? flat([page]).flatMap(({ git }) => git?.path ?? []) : []
  if (kind === 'insert') {
    const document = { markdown: '# Inserted page\n' }
    const into = pick % 2 === 0 ? page?.id : undefined
    const edit = { operation: 'insert_page', title: 'Inserted page', ...(into && { into }), document }
    return { edit, allowed: (changed: string) => /^A .*inserted-page(-\d)?\.md$/.test(changed), needed: 1 }
  }
  if (!page) return undefined
  const path = page.git?.path ?? ''
  if (kind === 'delete') {
    const edit = { operation: 'delete_page', page: page.id }
    return { edit, allowed: (changed: string) => below.some(each => changed === `D ${each}`), needed: below.length }
  }
  if (kind === 'move') {
    const edit = { operation: 'update_page', page: page.id, into: null, at: 0 }
    return { edit, allowed: () => false, needed: 0 }
  }
  const edit =
    kind === 'title'
      ? { operation: 'update_page', page: page.id, title: 'Another title' }
      : { operation: 'update_page', page: page.id, document: { markdown: `text ${pick}\n` } }
  return { edit, allowed: (changed: string) => changed === `M ${path}`, needed: kind === 'text' ? 1 : 0 }
}

/** How an editor writes the texts of a repository. */
const styles = fc.record({ isWindows: fc.boolean(), isMarked: fc.boolean() })

type Style = typeof styles extends fc.Arbitrary<infer Value> ? Value : never

function inStyle(files: Record<string, string>, { isWindows, isMarked }: Style): Record<string, string> {
  const styled = (text: string) => (isMarked ? '\ufeff' : '') + (isWindows ? text.replaceAll('\n', '\r\n') : text)
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, styled(text)]))
}

const edits = fc.record({
  kind: fc.constantFrom(...kinds),
  pick: fc.nat(50),
})

it(`any repository that is imported is exported without a commit, and one edit changes that alone (seed ${seed})`, async () => {
  const samples = fc.sample(fc.tuple(repositories, styles, edits), { numRuns: count, seed })
  let edited = 0
  for (const [plain, style, { kind, pick }] of samples) {
    const files = inStyle(plain, style)
    const { repository, url } = await aServedRepository(files)
    const { spaceId } = await aSpace(stack)
    await importRepository(stack, spaceId, url)
    const context = { files, kind, pick }
    expect({ ...context, done: await exportTo(spaceId, url) }).toMatchObject({ done: { state: 'success' } })
    expect({ ...context, commits: await commits(repository.path) }).toEqual({ ...context, commits: '1' })
    const made = anEdit(kind, await treeOf(spaceId), pick)
    if (!made) continue
    // A page whose front matter is broken takes no change.
    const isRefused = await change(spaceId, [made.edit]).then(
      () => false,
      (error: { code?: number }) => error.code === 400 || error.code === 409 || Promise.reject(error as Error),
    )
    if (isRefused) continue
    edited++
    expect({ ...context, done: await exportTo(spaceId, url) }).toMatchObject({ done: { state: 'success' } })
    const isNew = (await commits(repository.path)) === '2'
    const isOwn = (each: string) => kind === 'text' || !/^[AM] SUMMARY\.md$/.test(each)
    const changed = (isNew ? await lastChanges(repository.path) : []).filter(isOwn)
    expect({ ...context, changed, others: changed.filter(each => !made.allowed(each)) }).toMatchObject({ others: [] })
    expect({ ...context, changed, isEnough: changed.length >= made.needed }).toMatchObject({ isEnough: true })
    await inRepository(repository.path, 'fsck', '--strict')
    if (kind === 'text') continue
    const other = await aSpace(stack)
    await importRepository(stack, other.spaceId, url)
    const [mine, theirs] = [await treeOf(spaceId), await treeOf(other.spaceId)].map(shapeOf)
    const summary = await inRepository(repository.path, 'show', 'main:SUMMARY.md').catch(() => undefined)
    expect({ ...context, summary, tree: theirs }).toEqual({ ...context, summary, tree: mine })
  }
  expect(edited).toBeGreaterThan(count / 10)
})

it.each(['fluentd-docs.bundle', 'block-normalization.bundle'])(
  'a real repository that is imported is exported without a commit: %s',
  async name => {
    const bundle = sharedBundle(name)
    if (!bundle) return console.warn(`${name} is skipped, since it is not in ../shared/data`)
    const { path, url } = await aServedClone(bundle)
    const { spaceId } = await aSpace(stack)
    const before = await commits(path)
    expect(await importRepository(stack, spaceId, url)).toMatchObject({ state: 'success' })
    expect(await exportTo(spaceId, url)).toMatchObject({ state: 'success', warnings: [] })
    expect(await commits(path)).toBe(before)
  },
)

/** A repository in each style that people write: names of files, lists, headings, settings. */
const handwrittenRepositories: Record<string, Record<string, string>> = {
  'without SUMMARY.md': {
    'README.md': '# Home\n',
    'guide/README.md': '# Guide\n',
    'guide/a.md': '# A\n',
    'x/b.md': 'b',
  },
  'with root, other names and redirects': {
    '.gitbook.yaml': 'root: ./docs/\nstructure:\n  readme: home.md\n  summary: toc.md\nredirects:\n  old: home.md\n',
    'docs/home.md': '# Home\n',
    'docs/toc.md': '* [Home](home.md)\n',
    'docs/.gitbook/vars.yaml': 'a: 1\n',
    'docs/.gitbook/includes/note.md': 'Note\n',
  },
  'with groups, links, labels, entries without file and four spaces': {
    'SUMMARY.md':
      '# Contents\n\n- [Home](README.md "Start")\n    - [A](a.md)\n    - Soon\n\n## Group\n\n+ [Site](https://a.test)\n',
    'README.md': '# Home\n',
    'a.md': '# A\n',
  },
  'with computed pages': {
    'SUMMARY.md':
      '* [Home](README.md)\n* ```yaml\n  type: builtin:openapi\n  props:\n    models: true\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: petstore\n  ```\n',
    'README.md': '# Home\n',
  },
  'with front matter and tags': {
    'README.md':
      '---\ndescription: D\nicon: house\nhidden: true\ncover: .gitbook/assets/a.png\ncoverY: 3\nvars: {a: 1}\nif: visitor.claims.beta\ntags:\n  - tag: x\n    primary: true\nlayout:\n  width: wide\n  cover: {visible: true, size: full}\n---\n\n# Home\n',
    '.gitbook/assets/a.png': 'png',
    '.gitbook/tags.yaml': 'x: {label: X}\n',
  },
  'with a file of settings': {
    'SUMMARY.md': '* [Home](README.md)\n\n## Group\n\n* [Site](https://a.test)\n',
    'README.md': '# Home\n',
    '.gitbook/recto.yaml':
      '# mine\nversion: 1\npages: {README.md: {emoji: 1f680, slug: start}}\nentries:\n  "group: Group": {condition: "true", unknown: 1}\n  gone: {slug: x}\n',
  },
}

it.each(Object.keys(handwrittenRepositories))('a repository %s is exported without a commit', async name => {
  const { repository, url } = await aServedRepository(handwrittenRepositories[name] ?? {})
  const { spaceId } = await aSpace(stack)
  for (const _time of [1, 2]) {
    expect(await importRepository(stack, spaceId, url)).toMatchObject({ state: 'success' })
    expect(await exportTo(spaceId, url)).toMatchObject({ state: 'success' })
    expect(await commits(repository.path)).toBe('1')
  }
})
