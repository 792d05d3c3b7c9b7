import { visitorActor } from '@recto/actor/visitor-token'
import { textOf, type JSONDocument } from '@recto/markdown'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  aContent,
  aSpace,
  conditional,
  type ContentSetup,
  importInto,
  organization,
  type TestContent,
} from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const expression = (source: string) => `<code class="expression">${source}</code>`
const guide = [
  '# Guide',
  `Of ${expression('space.vars.name')} and ${expression('page.vars.topic')} for ${expression('visitor.claims.plan')}.`,
  '{% if space.vars.hidden %}\nHidden words.\n{% endif %}',
  '{% if visitor.claims.plan == "pro" %}\nFor some.\n{% endif %}',
  '[Setup](Guide/setup.md#steps) and ![picture](assets/a.png) and [gone](gone.md)',
  '{% include ".gitbook/includes/notice.md" %}',
].join('\n\n')
const manual: TestContent = {
  pages: { start: '# Start\n', Guide: guide, 'Guide/setup': '# Setup\n\n## Steps\n', empty: '' },
  files: { 'a.png': 'picture' },
  fields: { Guide: { title: 'Guide', variables: { topic: 'reading' } } },
  reusable: { notice: 'A notice of [start](../../start.md), for all.\n' },
  variables: { name: 'Recto', hidden: false },
  entries: [
    { type: 'link', title: 'Elsewhere', href: 'https://elsewhere.example/a' },
    { type: 'link', title: 'Here', href: 'start.md' },
    { type: 'group', title: 'Group', slug: 'group', pages: [] },
  ],
}

async function aManual() {
  const spaceId = await aSpace(content)
  const revisionId = await importInto(content, spaceId, manual)
  const client = content.as('read')
  const revision = await client.getRevisionById({ params: { spaceId, revisionId } })
  const page = (path: string) => revision.pages.find(each => 'path' in each && each.path === path)?.id ?? ''
  return { spaceId, revisionId, client, revision, page, reusableContentId: revision.reusableContents[0]?.id ?? '' }
}

/** The references of a document, in its order. */
function referencesIn(document: JSONDocument | undefined): unknown[] {
  const references: unknown[] = []
  JSON.stringify(document, (name, value: unknown) => {
    if (name === 'ref') references.push(value)
    return value
  })
  return references
}

describe('a page', () => {
  it('A page has either Markdown or a document, whose references are those of the content', async () => {
    const { spaceId, revisionId, client, revision, page } = await aManual()
    const params = { spaceId, pageId: page('Guide') }
    const main = await client.getPageById({ params, query: { format: 'document' } })
    if (main.type !== 'document') throw new Error(`the page is a ${main.type}`)
    expect(main).not.toHaveProperty('markdown')
    expect(textOf(main.document as JSONDocument)).toMatch(/^Of space\.vars\.name/)
    expect(referencesIn(main.document)).toEqual([
      { kind: 'anchor', page: main.pages[0]?.id, anchor: 'steps' },
      { kind: 'file', file: revision.files[0]?.id },
      { kind: 'url', url: 'gone.md' },
      { kind: 'reusable-content', reusableContent: revision.reusableContents[0]?.id },
    ])
    const past = { ...params, revisionId }
    expect(await client.getPageInRevisionById({ params: past, query: { format: 'document' } })).toEqual(main)
    expect(await client.getPageDocumentInRevisionById({ params: past })).toEqual(main.document)
    expect(await client.getPageById({ params })).toMatchObject({ markdown: guide })
    expect(await client.getPageById({ params })).not.toHaveProperty('document')
    const tree = JSON.stringify(await client.listPages({ params: { spaceId } }))
    expect(tree).not.toMatch(/"markdown":|"document":/)
  })

  it('A page without text has an empty document', async () => {
    const { spaceId, revisionId, client, page } = await aManual()
    const params = { spaceId, revisionId, pageId: page('empty') }
    expect(await client.getPageDocumentInRevisionById({ params })).toMatchObject({ object: 'document', nodes: [] })
  })

  it.each([
    ['true', /^Of Recto and reading for \.\nSetup/],
    ['deterministic-only', /^Of Recto and reading for visitor\.claims\.plan\.\nFor some\./],
    ['false', /^Of space\.vars\.name and page\.vars\.topic for visitor\.claims\.plan\.\nHidden words\.\nFor some\./],
  ] as const)('A page is evaluated as %s', async (evaluated, expected) => {
    const { spaceId, revisionId, client, page } = await aManual()
    const params = { spaceId, revisionId, pageId: page('Guide') }
    const document = await client.getPageDocumentInRevisionById({ params, query: { evaluated } })
    expect(textOf(document as JSONDocument).replace(/ +/g, ' ')).toMatch(expected)
  })

  it('A page is evaluated as Markdown too, and includes stay references', async () => {
    const { spaceId, client, page } = await aManual()
    const params = { spaceId, pageId: page('Guide') }
    const read = await client.getPageById({ params, query: { format: 'markdown', evaluated: 'true' } })
    if (read.type !== 'document') throw new Error(`the page is a ${read.type}`)
    expect(read.markdown).toMatch(/^# Guide\n\nOf Recto and reading for \.\n\n\[Setup\]\(Guide\/setup\.md#steps\)/)
    expect(read.markdown).toContain('{% include ".gitbook/includes/notice.md" %}')
    expect(read.markdown).not.toMatch(/Hidden|For some|expression/)
  })

  it('A page of type link leads to a page of the content where it names one', async () => {
    const { spaceId, client, revision, page } = await aManual()
    const targets = revision.pages.flatMap(each => (each.type === 'link' ? [each.target] : []))
    expect(targets).toEqual([
      { kind: 'url', url: 'https://elsewhere.example/a' },
      { kind: 'page', page: page('start') },
    ])
    const pageId = revision.pages.find(({ title }) => title === 'Here')?.id ?? ''
    expect(await client.getPageById({ params: { spaceId, pageId } })).toMatchObject({ target: targets[1] })
    const params = { spaceId, revisionId: revision.id, pageId }
    expect(await failure(client.getPageDocumentInRevisionById({ params }))).toBe('not_found')
  })
})

describe('a page at a path', () => {
  it.each([
    ['Guide', 'Guide'],
    ['guide', 'Guide'],
    ['Guide/setup', 'Guide/setup'],
    ['/guide/SETUP/', 'Guide/setup'],
    ['group', 'group'],
  ])('A page at the path %s is found', async (pagePath, path) => {
    const { spaceId, revisionId, client } = await aManual()
    expect(await client.getPageByPath({ params: { spaceId, pagePath } })).toMatchObject({ path })
    expect(await client.getPageInRevisionByPath({ params: { spaceId, revisionId, pagePath } })).toMatchObject({ path })
  })

  it('A page at a path is read in both formats', async () => {
    const { spaceId, client } = await aManual()
    const params = { spaceId, pagePath: 'Guide/setup' }
    expect(await client.getPageByPath({ params })).toMatchObject({ markdown: '# Setup\n\n## Steps\n' })
    const read = await client.getPageByPath({ params, query: { format: 'document' } })
    expect(read).toMatchObject({ document: { nodes: [{}, { type: 'heading-1', meta: { id: 'steps' } }] } })
  })

  it('A path without a page is not found, nor is any path for outsiders', async () => {
    const { spaceId, revisionId, client } = await aManual()
    const missing = { spaceId, revisionId, pagePath: 'nowhere/at/all' }
    expect(await failure(client.getPageByPath({ params: missing }))).toBe('not_found')
    expect(await failure(client.getPageInRevisionByPath({ params: missing }))).toBe('not_found')
    const outsider = content.as(undefined).getPageByPath({ params: { spaceId, pagePath: 'Guide' } })
    expect(await failure(outsider)).toBe('not_found')
  })

  it('A page whose path differs from another only in case is found by its exact path', async () => {
    const spaceId = await aSpace(content)
    await importInto(content, spaceId, { pages: { Read: 'upper', read: 'lower' } })
    const read = (pagePath: string) => content.as('read').getPageByPath({ params: { spaceId, pagePath } })
    expect([await read('Read'), await read('read'), await read('READ')]).toMatchObject([
      { markdown: 'upper' },
      { markdown: 'lower' },
      { markdown: 'upper' },
    ])
  })
})

describe('a reusable content', () => {
  it('A reusable content is read by its id, with its document', async () => {
    const { spaceId, revisionId, client, reusableContentId, page } = await aManual()
    const params = { spaceId, revisionId, reusableContentId }
    const main = await client.getReusableContentById({ params })
    expect(main).toMatchObject({ title: 'notice', git: { path: '.gitbook/includes/notice.md' } })
    expect(await client.getReusableContentInRevisionById({ params })).toEqual(main)
    expect(await client.getReusableContentInRevisionById({ params, query: { metadata: 'false' } })).not.toHaveProperty(
      'git',
    )
    const document = await client.getReusableContentDocumentInRevisionById({ params })
    expect(textOf(document as JSONDocument)).toBe('A notice of start, for all.')
    expect(referencesIn(document as JSONDocument)).toEqual([{ kind: 'page', page: page('start') }])
  })

  it('A reusable content is not found by another id', async () => {
    const { spaceId, revisionId, client } = await aManual()
    const params = { spaceId, revisionId, reusableContentId: 'none' }
    expect(await failure(client.getReusableContentById({ params }))).toBe('not_found')
    expect(await failure(client.getReusableContentInRevisionById({ params }))).toBe('not_found')
    expect(await failure(client.getReusableContentDocumentInRevisionById({ params }))).toBe('not_found')
  })
})

describe('a document by its id', () => {
  it('A document with a given id is that of a page or a reusable content of the space, and of no other', async () => {
    const { spaceId, client, revision } = await aManual()
    const page = revision.pages.find(each => each.type === 'document' && each.path === 'Guide')
    const ids = [page?.type === 'document' ? page.documentId : undefined, revision.reusableContents[0]?.document]
    const texts = ids.map(async (documentId = '') =>
      textOf((await client.getDocumentById({ params: { spaceId, documentId } })) as JSONDocument),
    )
    expect(await Promise.all(texts)).toEqual([
      expect.stringContaining('space.vars.name'),
      'A notice of start, for all.',
    ])
    const other = await aSpace(content)
    for (const documentId of [...ids, 'none'])
      expect(await failure(client.getDocumentById({ params: { spaceId: other, documentId: documentId ?? '' } }))).toBe(
        'not_found',
      )
  })
})

describe('a document that main content does not have', () => {
  it.each(['a change request', 'the past'])(
    'A document that main content does not have is read by its id from %s, by members alone',
    async where => {
      const { spaceId, client } = await aManual()
      const params = { spaceId }
      const insert = { operation: 'insert_page' as const, title: 'New', document: { markdown: `Words of ${where}.` } }
      const editor = content.as('edit')
      const documentOf = (pages: { title: string }[]) =>
        (pages.find(({ title }) => title === 'New') as { documentId?: string } | undefined)?.documentId ?? ''
      let documentId = ''
      if (where === 'the past') {
        const { changes } = await editor.updateContent({ params, body: { changes: [insert] } })
        documentId = documentOf((await client.listPages({ params, query: {} })).pages)
        const page = changes[0]?.page as { id: string } | undefined
        await editor.updateContent({ params, body: { changes: [{ operation: 'delete_page', page: page?.id ?? '' }] } })
      } else {
        const { id } = await editor.createChangeRequest({ params, body: {} })
        const of = { ...params, changeRequestId: id }
        await editor.updateContentInChangeRequest({ params: of, query: {}, body: { changes: [insert] } })
        documentId = documentOf((await client.listPagesInChangeRequest({ params: of, query: {} })).pages)
      }
      const read = { params: { spaceId, documentId } }
      expect(textOf((await client.getDocumentById(read)) as JSONDocument)).toContain(`Words of ${where}.`)
      const visitor = visitorActor({ organization, site: 'aSite', version: 1, spaces: [spaceId], claims: {} })
      expect(await failure(content.asActor(visitor).getDocumentById(read))).toBe('not_found')
      const elsewhere = { params: { spaceId: await aSpace(content), documentId } }
      expect(await failure(client.getDocumentById(elsewhere))).toBe('not_found')
    },
  )
})

describe('a read whose client has the revision', () => {
  it('A read of a document whose client has the revision is answered with 304', async () => {
    const { spaceId, revisionId, page, revision, reusableContentId } = await aManual()
    const documentId = revision.reusableContents[0]?.document ?? ''
    const past = { spaceId, revisionId }
    for (const [operation, params] of [
      ['getPageByPath', { spaceId, pagePath: 'Guide' }],
      ['getPageInRevisionByPath', { ...past, pagePath: 'Guide' }],
      ['getPageDocumentInRevisionById', { ...past, pageId: page('Guide') }],
      ['getReusableContentById', { spaceId, reusableContentId }],
      ['getReusableContentInRevisionById', { ...past, reusableContentId }],
      ['getReusableContentDocumentInRevisionById', { ...past, reusableContentId }],
      ['getDocumentById', { spaceId, documentId }],
    ] as const) {
      const { etag } = await conditional(content, operation, { params, conditions: {} })
      const again = await conditional(content, operation, { params, conditions: { ifNoneMatch: etag } })
      expect([operation, again.status, again.size]).toEqual([operation, 304, 0])
    }
  })
})

it('References to what is outside of a space come back from a repository, into the same space and into a new one', async () => {
  const outside = [
    { kind: 'page', page: 'p', space: 'elsewhere' },
    { kind: 'anchor', anchor: 'a b', page: 'p', space: 'elsewhere' },
    { kind: 'anchor', anchor: 'a', space: 'elsewhere' },
    { kind: 'space', space: 'elsewhere' },
    { kind: 'collection', collection: 'c' },
    { kind: 'user', user: 'u' },
    { kind: 'openapi', spec: 'pets' },
    { kind: 'url', url: 'https://docs.test/guides/install#linux' },
  ]
  const text = (words: string) => ({ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] })
  const document = {
    object: 'document',
    data: { schemaVersion: 8 },
    nodes: outside.map(ref => ({
      object: 'block',
      type: 'paragraph',
      nodes: [{ object: 'inline', type: 'link', data: { ref }, nodes: [text('a link')] }],
    })),
  }
  const writer = content.as('create')
  const read = async (spaceId: string, format: 'document' | 'markdown') => {
    const page = await writer.getPageByPath({ params: { spaceId, pagePath: 'links' }, query: { format } })
    return page as { markdown?: string; document?: JSONDocument }
  }
  const first = await aSpace(content)
  const change = { operation: 'insert_page', title: 'Links', document: { document } }
  await writer.updateContent({ params: { spaceId: first }, body: { changes: [change] } as never })
  expect(referencesIn((await read(first, 'document')).document)).toEqual(outside)
  const { markdown = '' } = await read(first, 'markdown')
  for (const spaceId of [first, await aSpace(content)]) {
    await importInto(content, spaceId, { pages: { links: markdown } })
    expect(referencesIn((await read(spaceId, 'document')).document)).toEqual(outside)
    expect((await read(spaceId, 'markdown')).markdown).toBe(markdown)
  }
})
