import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { anEditor, type Change, insert } from '../test/an-editor.ts'
import { aContent, type ContentSetup, importInto } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { client, aSpace, change, pathsOf, idOf, page, revisionOf, aTree } = anEditor(() => content)

describe('an inserted page', () => {
  it.each([
    ['at the end', {}, ['a', 'a/b', 'a/b/c', 'd', 'new']],
    ['at the start', { at: 0 }, ['new', 'a', 'a/b', 'a/b/c', 'd']],
    ['between two', { at: 1 }, ['a', 'a/b', 'a/b/c', 'new', 'd']],
    ['beyond the end', { at: 99 }, ['a', 'a/b', 'a/b/c', 'd', 'new']],
  ])('An inserted page goes %s', async (_where, place, paths) => {
    const { spaceId } = await aTree()
    await change(spaceId, insert('New', place))
    expect(await pathsOf(spaceId)).toEqual(paths)
  })

  it.each([
    ['the title given', { title: 'Given', document: { markdown: '---\ntitle: Front\n---\n# Heading' } }, 'Given'],
    ['the title of the front matter', { document: { markdown: '---\ntitle: Front\n---\n# Heading' } }, 'Front'],
    ['the first heading', { document: { markdown: 'text\n\n# Heading' } }, 'Heading'],
    ['no title', { document: { markdown: 'text' } }, 'Untitled'],
    ['no content', { document: {} }, 'Untitled'],
  ])('An inserted page is named after %s', async (_what, more, title) => {
    const spaceId = await aSpace()
    const { changes } = await change(spaceId, { operation: 'insert_page', ...more })
    expect(changes[0]?.page?.title).toBe(title)
  })

  it('An inserted page gets a slug of its own among siblings', async () => {
    const spaceId = await aSpace()
    await change(spaceId, insert('Same'), insert('Same'), insert('SAME!'))
    expect(await pathsOf(spaceId)).toEqual(['same', 'same-1', 'same-2'])
    await expect(change(spaceId, insert('X', { slug: 'same-1' }))).rejects.toMatchObject({
      code: 'conflict',
      details: [{ path: 'body.changes.0.slug' }],
    })
  })

  it('An inserted page has the settings of its front matter, and writes the settings of the change there', async () => {
    const spaceId = await aSpace()
    const markdown = '---\ndescription: From the file\nvars:\n  n: 1\n---\n\n# P\n'
    await change(spaceId, insert('P', { document: { markdown }, icon: 'rocket', hidden: true, description: 'Given' }))
    expect(await page(spaceId, 'p')).toMatchObject({
      description: 'Given',
      icon: 'rocket',
      hidden: true,
      variables: { n: 1 },
      markdown: expect.stringMatching(
        /^---\ndescription: Given\nvars:\n {2}n: 1\nicon: rocket\nhidden: true\n---\n\n# P\n$/,
      ),
    })
  })

  it('An inserted page may be a group or a link', async () => {
    const spaceId = await aSpace()
    await change(
      spaceId,
      { operation: 'insert_page', type: 'group', title: 'More', ref: 'g' },
      insert('In it', { into: 'g' }),
      { operation: 'insert_page', type: 'link', title: 'Site', href: 'https://example.org/', into: 'g' },
    )
    const { pages } = await client().listPages({ params: { spaceId } })
    expect(pages).toMatchObject([
      {
        type: 'group',
        title: 'More',
        pages: [{ path: 'more/in-it' }, { type: 'link', title: 'Site', href: 'https://example.org/' }],
      },
    ])
  })

  it.each<[string, Change, string, string]>([
    [
      'a group below a page',
      { operation: 'insert_page', type: 'group', title: 'G', into: '$a' },
      'into',
      'invalid_request',
    ],
    ['a link without target', { operation: 'insert_page', type: 'link', title: 'L' }, 'href', 'invalid_request'],
    [
      'a group with content',
      { operation: 'insert_page', type: 'group', title: 'G', document: {} },
      'document',
      'invalid_request',
    ],
    ['a page with target', insert('P', { href: 'https://x.org' }), 'href', 'invalid_request'],
    ['a page below a missing one', insert('P', { into: 'gone' }), 'into', 'conflict'],
    [
      'bad front matter',
      insert('P', { document: { markdown: '---\na: [\n---\n' } }),
      'document.markdown',
      'invalid_request',
    ],
    [
      'a bad field of front matter',
      insert('P', { document: { markdown: '---\nhidden: yes please\n---\n' } }),
      'document.markdown',
      'invalid_request',
    ],
    [
      'both forms of content',
      insert('P', { document: { markdown: '', document: { object: 'document', nodes: [] } } }),
      'document',
      'invalid_request',
    ],
    ['a slug with a slash', insert('P', { slug: 'a/b' }), 'slug', 'invalid_request'],
    ['a title without text', insert('   '), 'title', 'invalid_request'],
  ])('An inserted page is refused: %s', async (_what, made, field, code) => {
    const { spaceId, a } = await aTree()
    const real = { ...made, ...('into' in made && made.into === '$a' && { into: a }) } as Change
    await expect(change(spaceId, real)).rejects.toMatchObject({ code, details: [{ path: `body.changes.0.${field}` }] })
  })
})

describe('an updated page', () => {
  it.each<[string, object, string[]]>([
    ['below another', { into: '$d' }, ['a', 'd', 'd/b', 'd/b/c']],
    ['to the root, at the start', { into: null, at: 0 }, ['b', 'b/c', 'a', 'd']],
    ['to the root, at the end', { into: null }, ['a', 'd', 'b', 'b/c']],
  ])('An updated page moves %s, with the pages below it', async (_where, place, paths) => {
    const { spaceId, b, d } = await aTree()
    const move = JSON.parse(JSON.stringify(place).replace('$d', d)) as object
    await change(spaceId, { operation: 'update_page', page: b, ...move })
    expect(await pathsOf(spaceId)).toEqual(paths)
  })

  it.each(['b', 'c'] as const)('An updated page cannot move below itself (into %s)', async target => {
    const tree = await aTree()
    await expect(
      change(tree.spaceId, { operation: 'update_page', page: tree.b, into: tree[target] }),
    ).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: 'body.changes.0.into' }] })
  })

  it('An updated page keeps fields that are left out, and null removes', async () => {
    const spaceId = await aSpace()
    const { changes } = await change(spaceId, insert('P', { icon: 'rocket', emoji: '1f600', description: 'D' }))
    const id = changes[0]?.page?.id ?? ''
    await change(spaceId, { operation: 'update_page', page: id, hidden: true })
    expect(await page(spaceId, 'p')).toMatchObject({ icon: 'rocket', emoji: '1f600', description: 'D', hidden: true })
    await change(spaceId, { operation: 'update_page', page: id, icon: null, emoji: null, description: null })
    const cleared = await page(spaceId, 'p')
    expect(cleared).toMatchObject({ hidden: true, markdown: '---\nhidden: true\n---\n\n# P\n' })
    for (const field of ['icon', 'emoji', 'description']) expect(cleared).not.toHaveProperty(field)
  })

  it('An updated page with new Markdown keeps its front matter, unless the Markdown has its own', async () => {
    const spaceId = await aSpace()
    const { changes } = await change(spaceId, insert('P', { description: 'D' }))
    const update = (markdown: string): Change => ({
      operation: 'update_page',
      page: changes[0]?.page?.id ?? '',
      document: { markdown },
    })
    await change(spaceId, update('# P\n\nnew\n'))
    expect(await page(spaceId, 'p')).toMatchObject({
      description: 'D',
      markdown: '---\ndescription: D\n---\n\n# P\n\nnew\n',
    })
    await change(spaceId, update('---\nicon: x\n---\n# P\n'))
    expect(await page(spaceId, 'p')).not.toHaveProperty('description')
    expect(await page(spaceId, 'p')).toMatchObject({ icon: 'x' })
  })

  it('An updated page with a new title gets the slug and the heading of that title; a slug set by hand stays', async () => {
    const spaceId = await aSpace()
    const { changes } = await change(spaceId, insert('Old'), insert('Fixed', { slug: 'fix' }))
    const rename = (at: number, title: string): Change => ({
      operation: 'update_page',
      page: changes[at]?.page?.id ?? '',
      title,
    })
    await change(spaceId, rename(0, 'New name'), rename(1, 'Other'))
    expect(await pathsOf(spaceId)).toEqual(['new-name', 'fix'])
    expect(await page(spaceId, 'new-name')).toMatchObject({ markdown: '# New name\n' })
    await change(spaceId, rename(0, 'Two\nlines'))
    expect(await page(spaceId, 'two-lines')).toMatchObject({ title: 'Two\nlines', markdown: '# Two lines\n' })
  })

  it('An updated page whose front matter cannot be read refuses settings, and takes a new text', async () => {
    const spaceId = await aSpace()
    await importInto(content, spaceId, { pages: { bad: '---\na: [\n---\n\n# Bad\n' } })
    const id = await idOf(spaceId, 'bad')
    await expect(change(spaceId, { operation: 'update_page', page: id, hidden: true })).rejects.toMatchObject({
      code: 'conflict',
      details: [{ path: 'body.changes.0.page' }],
    })
    const markdown = '---\nhidden: true\n---\n\n# Good\n'
    await change(spaceId, { operation: 'update_page', page: id, document: { markdown } })
    expect(await page(spaceId, 'bad')).toMatchObject({ hidden: true, markdown })
  })

  it('An updated page whose text is not UTF-8 takes a new text, and no change that would keep the old one', async () => {
    const spaceId = await aSpace()
    await importInto(content, spaceId, { pages: { cafe: Buffer.from('# Caf\xe9\n', 'latin1') } })
    const id = await idOf(spaceId, 'cafe')
    for (const more of [{ icon: 'gear' }, { title: 'Coffee' }])
      await expect(change(spaceId, { operation: 'update_page', page: id, ...more })).rejects.toMatchObject({
        code: 'conflict',
        details: [{ path: 'body.changes.0.page' }],
      })
    const update = { operation: 'update_page' as const, page: id }
    await change(spaceId, { ...update, document: { markdown: '# Café\n' } }, { ...update, icon: 'gear' })
    expect(await page(spaceId, 'cafe')).toMatchObject({ icon: 'gear', markdown: '---\nicon: gear\n---\n\n# Café\n' })
  })

  it('An updated page of a repository keeps its path there, by which a later import finds it', async () => {
    const spaceId = await aSpace()
    await importInto(content, spaceId, { pages: { start: '# Start\n', guide: '# Guide\n' } })
    const id = await idOf(spaceId, 'start')
    await change(spaceId, { operation: 'update_page', page: id, document: { markdown: '# Edited\n' } })
    expect(await page(spaceId, 'start')).not.toHaveProperty('git')
    await importInto(content, spaceId, { pages: { start: '# Start\n', guide: '# Guide\n' } })
    expect(await page(spaceId, 'start')).toMatchObject({ id, markdown: '# Start\n', git: { path: 'start.md' } })
  })
})

describe('a deleted page', () => {
  it('A deleted page goes with the pages below it, and can be restored from an earlier revision', async () => {
    const { spaceId, b, c } = await aTree()
    const before = await revisionOf(spaceId)
    const { changes } = await change(spaceId, { operation: 'delete_page', page: b })
    expect(changes).toEqual([{ operation: 'delete_page', deletedPages: [b, c] }])
    expect(await pathsOf(spaceId)).toEqual(['a', 'd'])
    await change(spaceId, { operation: 'revert_page', page: b, revision: before })
    expect(await pathsOf(spaceId)).toEqual(['a', 'a/b', 'd'])
    expect(await page(spaceId, 'a/b')).toMatchObject({ id: b, markdown: '# B\n' })
  })

  it('A changed page that is reverted gets its text back, and keeps its place', async () => {
    const { spaceId, d } = await aTree()
    const before = await revisionOf(spaceId)
    await change(spaceId, { operation: 'update_page', page: d, document: { markdown: '# Changed' }, at: 0, title: 'X' })
    await change(spaceId, { operation: 'revert_page', page: d, revision: before })
    expect(await pathsOf(spaceId)).toEqual(['x', 'a', 'a/b', 'a/b/c'])
    expect(await page(spaceId, 'x')).toMatchObject({ title: 'D', markdown: '# D\n' })
  })

  it('A deleted page can be restored and changed by one batch', async () => {
    const { spaceId, d } = await aTree()
    const revision = await revisionOf(spaceId)
    await change(spaceId, { operation: 'update_page', page: d, document: { markdown: 'Other' } })
    await change(
      spaceId,
      { operation: 'revert_page', page: d, revision },
      { operation: 'update_page', page: d, hidden: true },
    )
    expect(await page(spaceId, 'd')).toMatchObject({ markdown: '---\nhidden: true\n---\n\n# D\n', hidden: true })
  })

  it('An added page that is reverted is removed, and an older page below it moves up', async () => {
    const { spaceId, d } = await aTree()
    const revision = await revisionOf(spaceId)
    const { changes } = await change(spaceId, insert('New', { ref: 'new' }), insert('Below', { into: 'new' }))
    const page = changes[0]?.page?.id ?? ''
    await change(spaceId, { operation: 'update_page', page: d, into: page })
    const reverted = await change(spaceId, { operation: 'revert_page', page, revision })
    expect(reverted.changes[0]?.deletedPages).toEqual([page, changes[1]?.page?.id])
    expect(await pathsOf(spaceId)).toEqual(['a', 'a/b', 'a/b/c', 'd'])
    await expect(change(spaceId, { operation: 'revert_page', page, revision })).rejects.toMatchObject({
      code: 'conflict',
      details: [{ path: 'body.changes.0.page' }],
    })
  })

  it('A deleted page cannot be restored from a revision of another space', async () => {
    const one = await aTree()
    const other = await aTree()
    const { id } = await client().getCurrentRevision({ params: { spaceId: other.spaceId } })
    await expect(change(one.spaceId, { operation: 'revert_page', page: one.d, revision: id })).rejects.toMatchObject({
      code: 'conflict',
      details: [{ path: 'body.changes.0.revision' }],
    })
  })
})
