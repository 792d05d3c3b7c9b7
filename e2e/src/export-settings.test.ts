import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  anEmptyRepository,
  change,
  changedFiles,
  commits,
  exportTo,
  imported,
  inRepository,
  manual,
  pageId,
  stack,
  startExports,
  stopExports,
} from './exports.ts'
import { aSpace, importRepository } from './walk.ts'

beforeAll(startExports)
afterAll(stopExports)

/** Changes that set everything which Markdown has no place for. */
const settling = (page: string) => {
  const set = { icon: 'book', hidden: true, noIndex: true, noRobotsIndex: true, condition: 'visitor.claims.beta' }
  const insert = { operation: 'insert_page', ...set, emoji: '1f4d8' }
  const inPage = { operation: 'insert_page', type: 'link', title: 'Status', href: 'https://status.test/', into: page }
  const files = ['1', '2'].map(text => ({ name: 'a.txt', base64: Buffer.from(text).toString('base64') }))
  return [
    { operation: 'update_page', page, emoji: '1f680', slug: 'begin', ...set },
    { ...insert, type: 'group', title: 'Guides', slug: 'howto', ref: 'guides' },
    { ...insert, ...inPage },
    { operation: 'insert_files', files },
  ]
}

const filesOf = async (path: string) =>
  (await inRepository(path, 'ls-tree', '-r', '--name-only', 'main')).trim().split('\n')

describe('Settings that Markdown has no place for', () => {
  it('travel in a file of their own to the same and to another space, and go with the last of them', async () => {
    const { spaceId, path, url } = await imported()
    const before = await filesOf(path)
    await change(spaceId, settling(await pageId(spaceId, 'Setup')))
    expect(await exportTo(spaceId, url)).toMatchObject({ state: 'success', warnings: [] })
    const own = await inRepository(path, 'show', 'main:.gitbook/recto.yaml')
    expect(own).toContain('  guide/setup.md:\n    emoji: 1f680\n    slug: begin\n')
    expect(own).toContain('condition: visitor.claims.beta')
    expect(own).toContain('  .gitbook/assets/a-1.txt:\n    name: a.txt\n')
    expect(await exportTo(spaceId, url)).toMatchObject({ state: 'success' })
    expect(await commits(path)).toBe('2')

    const other = await aSpace(stack)
    expect(await importRepository(stack, other.spaceId, url)).toMatchObject({ state: 'success' })
    expect(await exportTo(other.spaceId, url)).toMatchObject({ state: 'success' })
    expect(await commits(path)).toBe('2')
    // Each other space writes its copy into a repository of its own.
    const copies = await Promise.all(
      [spaceId, other.spaceId].map(async id => {
        const repository = await anEmptyRepository()
        expect(await exportTo(id, repository.url)).toMatchObject({ state: 'success' })
        return inRepository(repository.path, 'show', 'main:.gitbook/recto.yaml')
      }),
    )
    expect(copies).toEqual([own, own])

    const guides = await pageId(other.spaceId, 'Guides')
    const status = await pageId(other.spaceId, 'Status')
    const setup = await pageId(other.spaceId, 'Setup')
    const { items } = (await stack.client.spaces.listFiles(other.spaceId)).data
    await change(other.spaceId, [
      { operation: 'update_page', page: setup, emoji: null, slug: 'setup' },
      ...[guides, status].map(page => ({ operation: 'delete_page', page })),
      ...items.filter(({ name }) => name === 'a.txt').map(({ id }) => ({ operation: 'delete_file', file: id })),
    ])
    expect(await exportTo(other.spaceId, url)).toMatchObject({ state: 'success' })
    expect(await filesOf(path)).toEqual(before)
    // The first space loses what the other one removed.
    expect(await importRepository(stack, spaceId, url)).toMatchObject({ state: 'success' })
    const page = (await stack.client.spaces.getPageById(spaceId, await pageId(spaceId, 'Setup'))).data
    expect(page).not.toHaveProperty('emoji')
  })

  it('are not written over a file of somebody else, and the export says so', async () => {
    const { spaceId, path, url } = await imported({ ...manual, '.gitbook/recto.yaml': 'mine: 1\n' })
    await change(spaceId, settling(await pageId(spaceId, 'Setup')))
    const warning = { path: '.gitbook/recto.yaml', message: expect.stringContaining('not exported') }
    expect(await exportTo(spaceId, url)).toMatchObject({ state: 'success', warnings: [warning] })
    expect(await inRepository(path, 'show', 'main:.gitbook/recto.yaml')).toBe('mine: 1\n')
    expect(await importRepository(stack, spaceId, url)).toMatchObject({ state: 'success' })
    const page = (await stack.client.spaces.getPageById(spaceId, await pageId(spaceId, 'Setup'))).data
    expect(page).toMatchObject({ emoji: '1f680', slug: 'begin' })
  })
})

describe('Settings of pages that were set since the last commit', () => {
  const set = { condition: 'visitor.claims.vip', hidden: true, noIndex: true, noRobotsIndex: true, description: 'New' }

  it('stay when the same commit or the next one is imported, and an export writes them and nothing else', async () => {
    const { spaceId, path, url, repository } = await imported()
    const page = await pageId(spaceId, 'Setup')
    const settings = async () => (await stack.client.spaces.getPageById(spaceId, page)).data
    await change(spaceId, [{ operation: 'update_page', page, ...set }])
    expect(await importRepository(stack, spaceId, url)).toMatchObject({ state: 'success' })
    expect(await settings()).toMatchObject(set)
    await repository.addCommit({ 'guide/README.md': '# Guide\n\nother\n' })
    for (const _time of [1, 2]) expect(await importRepository(stack, spaceId, url)).toMatchObject({ state: 'success' })
    expect(await settings()).toMatchObject(set)

    expect(await exportTo(spaceId, url)).toMatchObject({ state: 'success', warnings: [] })
    expect(await changedFiles(path)).toEqual(['M\tguide/setup.md'])
    const text = await inRepository(path, 'show', 'main:guide/setup.md')
    expect(text).toContain('if: visitor.claims.vip\n')
    expect(text.endsWith(manual['guide/setup.md'])).toBe(true)
    const count = await commits(path)
    expect(await importRepository(stack, spaceId, url)).toMatchObject({ state: 'success' })
    expect(await exportTo(spaceId, url)).toMatchObject({ state: 'success' })
    expect(await commits(path)).toBe(count)

    // Settings that the next commit removes go, but for the condition.
    await repository.addCommit({ 'guide/setup.md': manual['guide/setup.md'] })
    expect(await importRepository(stack, spaceId, url)).toMatchObject({ state: 'success' })
    const { condition, ...removed } = set
    const after = (await settings()) as unknown as Record<string, unknown>
    expect(after).toMatchObject({ condition })
    expect(Object.keys(removed).filter(name => after[name])).toEqual([])
  })
})
