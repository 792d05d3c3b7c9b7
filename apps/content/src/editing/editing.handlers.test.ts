import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { anEditor, type Change, insert } from '../test/an-editor.ts'
import { aContent, conditional, type ContentSetup, importInto } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
)
const { client, aSpace, change, pathsOf, idOf, page, aTree } = anEditor(() => content)

describe('a batch', () => {
  it('A batch inserts pages and files as one revision, and names what it made', async () => {
    const spaceId = await aSpace()
    const first = (await client().getCurrentRevision({ params: { spaceId } })).id
    const result = await change(
      spaceId,
      insert('Start here', { ref: 'start' }),
      insert('Setup', { into: 'start', slug: 'set-up', emoji: '1f600' }),
      { operation: 'insert_files', files: [{ name: 'dot.png', base64: png.toString('base64'), ref: 'dot' }] },
    )
    expect(result.changes).toMatchObject([
      { operation: 'insert_page', ref: 'start', page: { title: 'Start here', path: 'start-here' } },
      { operation: 'insert_page', page: { title: 'Setup', path: 'start-here/set-up' } },
      { operation: 'insert_files', files: [result.insertedFiles[0]?.id] },
    ])
    expect(result.insertedFiles).toMatchObject([
      { name: 'dot.png', ref: 'dot', contentType: 'image/png', size: png.length, dimensions: { width: 1, height: 1 } },
    ])
    const { id, parents } = await client().getCurrentRevision({ params: { spaceId } })
    expect({ id, parents }).toEqual({ id: result.revision, parents: [first] })
    expect(await page(spaceId, 'start-here/set-up')).toMatchObject({ markdown: '# Setup\n', emoji: '1f600' })
  })

  it('A batch is made as a whole, or not at all', async () => {
    const { spaceId } = await aTree()
    const before = await client().getCurrentRevision({ params: { spaceId } })
    const batch = change(spaceId, insert('E'), { operation: 'delete_page', page: 'gone' })
    await expect(batch).rejects.toMatchObject({ code: 'conflict', details: [{ path: 'body.changes.1.page' }] })
    expect(await client().getCurrentRevision({ params: { spaceId } })).toEqual(before)
  })

  it('A batch that changes nothing makes no revision', async () => {
    const { spaceId, d } = await aTree()
    const { id } = await client().getCurrentRevision({ params: { spaceId } })
    const { revision } = await change(spaceId, { operation: 'delete_page', page: d }, insert('D'))
    expect(revision).not.toBe(id)
    const oid = await importInto(content, spaceId, { pages: { a: '# A\n' } })
    const pageId = await idOf(spaceId, 'a')
    const same = await change(spaceId, { operation: 'update_page', page: pageId, document: { markdown: '# A\n' } })
    expect(same.revision).toBe(oid)
  })

  it('A batch with a key is made once', async () => {
    const spaceId = await aSpace()
    const request = { params: { spaceId }, body: { changes: [insert('Once')] }, conditions: { idempotencyKey: 'k' } }
    await conditional(content, 'updateContent', request)
    await conditional(content, 'updateContent', request)
    expect(await pathsOf(spaceId)).toEqual(['once'])
  })
})

const text = (words: string) => ({
  object: 'text' as const,
  leaves: [{ object: 'leaf' as const, text: words, marks: [] }],
})
const linkTo = (ref: object) => ({
  object: 'inline',
  type: 'link',
  isVoid: false,
  data: { ref },
  nodes: [text('there')],
})
const paragraph = (...nodes: unknown[]) => ({ object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes })
const documentOf = (...nodes: unknown[]) =>
  ({ document: { object: 'document', data: {}, nodes } }) as unknown as { markdown?: string }

const block = (type: string, data: object, more: object = {}) => ({ object: 'block', type, data, ...more })
const fragment = (name: string, ...nodes: unknown[]) => ({ object: 'fragment', fragment: name, nodes })
const line = (data: object, ...nodes: unknown[]) => block('code-line', data, { nodes })
const reusable = (space?: string) => ({ kind: 'reusable-content', reusableContent: 'other', ...(space && { space }) })
const column = (id: string) => ({ id, title: id, type: 'text', textAlignment: 'left' })

/** Nodes that Markdown itself has no place for. */
const keptNodes = {
  'the block of an integration': block('integration', {
    integration: 'mermaid',
    block: 'diagram',
    props: { content: 'a\nb', deep: { flag: true } },
    fullWidth: true,
    url: 'https://a.example',
    action: { action: '@ui.url.open', url: 'https://b.example' },
  }),
  'a reference to an unknown file': block('file', { ref: { kind: 'file', file: 'gone' } }),
  'a reference to content of another space': block('reusable-content', { ref: reusable('other-space') }),
  'a reference to unknown content': block('reusable-content', { ref: reusable() }),
  'a link to a user': paragraph(text('a '), linkTo({ kind: 'user', user: 'someone' })),
  'a link to a page of another space': paragraph(linkTo({ kind: 'page', page: 'p', space: 'other-space' })),
  'a drawing': block('drawing', { ref: { kind: 'file', file: 'gone' } }),
  'a drawing without a file': block('drawing', {}),
  'the alignment of a heading': block('heading-2', { align: 'center', id: 'h' }, { nodes: [text('A & B')] }),
  'highlighted lines of code': block(
    'code',
    { syntax: 'js', title: 'a "b"', lineNumbers: true, expandable: true, collapsedLineCount: 5 },
    { nodes: [line({}, text('a < b')), line({ highlighted: true }, text('')), line({ highlighted: true }, text('c'))] },
  ),
  'annotations and expressions in code': block(
    'code',
    {},
    {
      nodes: [
        line({}, { object: 'inline', type: 'expression', data: { expression: 'a && b' } }, text(' = '), {
          object: 'inline',
          type: 'annotation',
          nodes: [text('two words')],
          fragments: [fragment('annotation-body', paragraph(text('Why')))],
        }),
      ],
    },
  ),
  'blanks at the end of a text': paragraph(text('ends ')),
}

const refusedNodes: Record<string, [node: unknown, place: string]> = {
  'a heading in a cell of a table': [
    block(
      'table',
      {
        view: { type: 'grid', columns: ['a'], hideHeader: false },
        definition: { a: column('a') },
        records: { r: { orderIndex: '1', values: { a: 'cell' } } },
      },
      { fragments: [fragment('cell', block('heading-1', {}, { nodes: [text('A')] }))] },
    ),
    'nodes.1.fragments.0.nodes.0',
  ],
  'data that is not known': [block('divider', { color: 'red' }), 'nodes.1.data.color'],
  'two lines in a line of code': [block('code', {}, { nodes: [line({ highlighted: true }, text('a\nb'))] }), 'nodes.1'],
}

describe('a document', () => {
  it('A document is stored as Markdown, below the settings of its page', async () => {
    const spaceId = await aSpace()
    await change(spaceId, insert('P', { document: documentOf(paragraph(text('Hi *there*'))), description: 'D' }))
    expect(await page(spaceId, 'p')).toMatchObject({
      markdown: '---\ndescription: D\n---\n\nHi \\*there\\*\n',
      description: 'D',
    })
  })

  it.each(Object.entries(keptNodes))('A document keeps %s', async (_name, node) => {
    const spaceId = await aSpace()
    await change(spaceId, insert('P', { document: documentOf(node) }))
    const read = await page(spaceId, 'p', 'document')
    expect(read).toMatchObject({ document: { nodes: [node] } })
  })

  it.each(Object.entries(refusedNodes))(
    'A document with %s is refused, and changes nothing',
    async (_name, [node, place]) => {
      const spaceId = await aSpace()
      const document = documentOf(paragraph(text('Kept')), node)
      await expect(change(spaceId, insert('Q'), insert('P', { document }))).rejects.toMatchObject({
        code: 'invalid_request',
        details: [{ path: `body.changes.1.document.document.${place}` }],
      })
      expect(await pathsOf(spaceId)).toEqual([])
    },
  )

  it('A document and Markdown name pages and files of the batch by ref, also later ones', async () => {
    const spaceId = await aSpace()
    await change(
      spaceId,
      insert('One', { ref: 'one', document: documentOf(paragraph(linkTo({ kind: 'page', page: 'two' }))) }),
      insert('Two', {
        ref: 'two',
        into: 'one',
        document: { markdown: '[up](ref:one) ![](pic "T") [code](x) `](pic)`' },
      }),
      { operation: 'insert_files', files: [{ name: 'a b.png', base64: png.toString('base64'), ref: 'pic' }] },
    )
    expect(await page(spaceId, 'one')).toMatchObject({ markdown: '[there](one/two.md)\n' })
    expect((await page(spaceId, 'one/two')) as unknown).toMatchObject({
      markdown: expect.stringContaining('[up](../one.md) ![](../.gitbook/assets/a%20b.png "T") [code](x)'),
    })
  })

  it.each([
    [90, true],
    [200, false],
    [3_000, false],
    [9_000, false],
  ])('A document of %i levels is accepted: %s', async (levels, isTaken) => {
    const spaceId = await aSpace()
    const quote = '{"object":"block","type":"blockquote","isVoid":false,"data":{},"nodes":['
    const nodes = `${quote.repeat(levels)}${JSON.stringify(paragraph(text('x')))}${']}'.repeat(levels)}`
    const document = `{"document":{"object":"document","nodes":[${nodes}]}}`
    const body = `{"changes":[{"operation":"insert_page","title":"P","document":${document}}]}`
    const reply = conditional(content, 'updateContent', { params: { spaceId }, body, conditions: {} })
    if (!isTaken) return expect(reply).rejects.toMatchObject({ code: 'invalid_request' })
    await reply
    return expect(await pathsOf(spaceId)).toEqual(['p'])
  })
})

it('A condition that cannot be read is refused: it would hide the page from everybody', async () => {
  const spaceId = await aSpace()
  const insertWithCondition = (condition: string) =>
    content.as('create').updateContent({ params: { spaceId }, body: { changes: [insert('Page', { condition })] } })
  await expect(insertWithCondition('visitor.claims.beta ===')).rejects.toMatchObject({
    code: 'invalid_request',
    details: [{ path: 'body.changes.0.condition', message: 'must be an expression' }],
  })
  expect(await pathsOf(spaceId)).toEqual([])
  await insertWithCondition('visitor.claims.beta === true')
  expect(await pathsOf(spaceId)).toEqual(['page'])
})

describe('If-Match', () => {
  it('If-Match with the current tag lets a batch pass, and with another refuses it and names the current one', async () => {
    const { spaceId, d } = await aTree()
    const { etag } = await conditional(content, 'getCurrentRevision', { params: { spaceId }, conditions: {} })
    const rename = (title: string, ifMatch?: string) =>
      conditional(content, 'updateContent', {
        params: { spaceId },
        body: { changes: [{ operation: 'update_page', page: d, title }] },
        conditions: { ifMatch },
      })
    const { etag: next } = await rename('One', etag)
    await expect(rename('Two', etag)).rejects.toMatchObject({ code: 'precondition_failed', etag: next })
    expect(await rename('Three', next)).toMatchObject({ status: 200 })
  })
})

describe('a file', () => {
  it('A file is replaced under its id, and deleted', async () => {
    const spaceId = await aSpace()
    const { insertedFiles } = await change(spaceId, {
      operation: 'insert_files',
      files: [{ name: 'a.txt', base64: Buffer.from('one').toString('base64') }],
    })
    const file = insertedFiles[0]?.id ?? ''
    await change(spaceId, { operation: 'replace_file', file, base64: png.toString('base64'), name: 'a.png' })
    const read = () => client().getFileById({ params: { spaceId, fileId: file } })
    expect(await read()).toMatchObject({ id: file, name: 'a.png', contentType: 'image/png', size: png.length })
    await change(spaceId, { operation: 'delete_file', file })
    await expect(read()).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each<[string, Change, string]>([
    ['without bytes', { operation: 'insert_files', files: [{ name: 'a' }] }, 'files.0'],
    [
      'from two sources',
      { operation: 'insert_files', files: [{ name: 'a', base64: '', url: 'https://x.org' }] },
      'files.0',
    ],
    ['with a path as name', { operation: 'insert_files', files: [{ name: '../a', base64: '' }] }, 'files.0.name'],
    ['that is not base64', { operation: 'insert_files', files: [{ name: 'a', base64: '***' }] }, 'files.0.base64'],
    [
      'of a private address',
      { operation: 'insert_files', files: [{ name: 'a', url: 'http://10.0.0.1/' }] },
      'files.0.url',
    ],
  ])('A file is refused %s', async (_what, made, field) => {
    const spaceId = await aSpace()
    await expect(change(spaceId, made)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: `body.changes.0.${field}` }],
    })
  })
})

describe('the content of a space', () => {
  it('The content of a space is changed by users who may edit it, while it is live', async () => {
    const spaceId = await aSpace()
    const body = { changes: [insert('P')] }
    await expect(content.as('comment').updateContent({ params: { spaceId }, body })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(content.as(undefined).updateContent({ params: { spaceId }, body })).rejects.toMatchObject({
      code: 'not_found',
    })
    await content.as('create').updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
    await expect(change(spaceId, insert('P'))).rejects.toMatchObject({ code: 'conflict' })
  })

  it('The content of a space takes many batches at once, one after another', async () => {
    const spaceId = await aSpace()
    await Promise.all(Array.from({ length: 20 }, (_, at) => change(spaceId, insert(`Page ${at}`))))
    expect(await pathsOf(spaceId)).toHaveLength(20)
  })

  it.each([
    ['no change', []],
    ['51 changes', Array.from({ length: 51 }, () => insert('P'))],
  ])('The content of a space is not changed by %s', async (_what, changes) => {
    const spaceId = await aSpace()
    await expect(change(spaceId, ...changes)).rejects.toMatchObject({ details: [{ path: 'body.changes' }] })
  })

  it('The content of a space refuses a name that two changes give', async () => {
    const spaceId = await aSpace()
    await expect(change(spaceId, insert('A', { ref: 'x' }), insert('B', { ref: 'x' }))).rejects.toMatchObject({
      details: [{ path: 'body.changes.1.ref' }],
    })
  })
})
