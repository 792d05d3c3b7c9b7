import { contentApi } from '@recto/contracts-content'
import { type blockData, completeDocument, type inlineData, toDocument, type JSONDocument } from '@recto/markdown'
import type { Operation } from '@recto/operation'
import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { aProposer } from './a-proposer.ts'
import { aContent, type ContentSetup, organization } from './content-setup.ts'

const { validateReply } = replySchemas()

/** The faults of a document by the published schemas. */
const faultsOf = (document: unknown) => validateReply('getPageDocumentInRevisionById', 200, document)
/** Blocks that 0.143.2 of the published API has no form for. */
const newTypes = new Set<string>(['prompt', 'updates', 'update'])
const today = replySchemas('gitbook-api-today')
const faultsWith = (type: string, document: unknown) =>
  newTypes.has(type) ? today.validateReply('getPageDocumentInRevisionById', 200, document) : faultsOf(document)

type Node = Record<string, unknown>
const block = (type: string, rest: object = {}): Node => ({ object: 'block', type, ...rest })
const inline = (type: string, rest: object = {}): Node => ({ object: 'inline', type, ...rest })
const text = { object: 'text', leaves: [{ object: 'leaf', text: 'a', marks: [] }] }
const url = { kind: 'url', url: 'https://recto.test/' }
const file = { kind: 'file', file: 'f' }
const spec = { kind: 'openapi', spec: 's' }
const inside = (type: string, node: Node, rest: object = {}) => block(type, { ...rest, nodes: [node] })
const grid = { view: { type: 'grid', columns: [], hideHeader: false }, records: {}, definition: {} }

/** Every type of block with no more than its data, inside the block that it needs. */
const blocks: Record<keyof typeof blockData, Node> = {
  paragraph: block('paragraph'),
  'heading-1': block('heading-1'),
  'heading-2': block('heading-2'),
  'heading-3': block('heading-3'),
  'list-ordered': block('list-ordered'),
  'list-unordered': block('list-unordered'),
  'list-tasks': block('list-tasks'),
  'list-item': inside('list-unordered', block('list-item')),
  divider: block('divider'),
  blockquote: block('blockquote'),
  hint: block('hint', { data: { style: 'info' } }),
  if: block('if', { data: { expression: 'true' } }),
  images: block('images'),
  image: inside('images', block('image', { data: { ref: url } })),
  file: block('file', { data: { ref: file } }),
  drawing: block('drawing'),
  embed: block('embed', { data: { url: url.url } }),
  code: block('code'),
  'code-line': inside('code', block('code-line')),
  math: block('math', { data: { formula: 'x' } }),
  expandable: block('expandable'),
  tabs: block('tabs'),
  'tabs-item': inside('tabs', block('tabs-item')),
  table: block('table', { data: grid }),
  swagger: block('swagger', { data: { ref: url, path: '/', method: 'get' } }),
  'openapi-operation': block('openapi-operation', { data: { ref: spec, path: '/', method: 'get' } }),
  'openapi-schemas': block('openapi-schemas', { data: { ref: spec, schemas: [], grouped: false } }),
  'openapi-webhook': block('openapi-webhook', { data: { ref: spec, name: 'n', method: 'get' } }),
  'content-ref': block('content-ref', { data: { ref: url } }),
  integration: block('integration', { data: { integration: 'i', block: 'b', props: {} } }),
  'reusable-content': block('reusable-content', { data: { ref: { kind: 'reusable-content', reusableContent: 'r' } } }),
  stepper: block('stepper'),
  'stepper-step': inside('stepper', block('stepper-step')),
  prompt: inside('prompt', block('code'), { data: { description: 'd' } }),
  updates: block('updates', { data: { format: 'full' } }),
  update: inside('updates', block('update', { data: { date: '2026-04-22T00:00:00.000Z' } }), {
    data: { format: 'full' },
  }),
  columns: block('columns'),
  column: inside('columns', block('column')),
}

/** Every type of inline with no more than its data. */
const inlines: Record<keyof typeof inlineData, Node> = {
  link: inline('link', { data: { ref: url } }),
  emoji: inline('emoji', { data: { code: '1f600' } }),
  icon: inline('icon', { data: { icon: 'star' } }),
  expression: inline('expression', { data: { expression: 'a' } }),
  'inline-math': inline('inline-math', { data: { formula: 'x' } }),
  'inline-image': inline('inline-image', { data: { ref: url } }),
  annotation: inline('annotation', { nodes: [text] }),
  mention: inline('mention', { data: { ref: url } }),
  button: inline('button', { data: { label: 'l', kind: 'primary', ref: url } }),
}

const withBody = (type: string, nodes: Node[] = []) => ({ object: 'fragment', fragment: type, type, nodes })
const bare: [string, Node][] = [
  ...Object.entries(blocks),
  ...Object.entries(inlines).map(([type, node]): [string, Node] => [type, inside('paragraph', node)]),
  ['an expandable with an empty body', block('expandable', { fragments: [withBody('expandable-body')] })],
  ['an expandable with an empty title', block('expandable', { fragments: [withBody('expandable-title')] })],
  [
    'an annotation with an empty body',
    inside('paragraph', inline('annotation', { nodes: [text], fragments: [withBody('annotation-body')] })),
  ],
]

describe('A completed document', () => {
  it.each(bare)('A completed document fits the published schema with nothing but %s', (name, node) => {
    expect(faultsWith(name, completeDocument({ object: 'document', nodes: [node as never] }))).toEqual([])
  })

  it.each(bare)('A document with %s is completed already', (_name, node) => {
    const document = completeDocument({ object: 'document', nodes: [node as never] })
    expect(completeDocument(document)).toEqual(document)
  })
})

describe('The document of a page', () => {
  const reference = (target: string) => ({ kind: 'url' as const, url: target || url.url })
  const wrap = (name: string, options = '', body = '') => `{% ${name}${options} %}\n${body}{% end${name} %}`
  // prettier-ignore
  it.each([
    '', '\n', '#', '>', '-', '- [ ]', '1.', '***', '[]()', '![]()', '```\n```', '$$\n$$', '****', '&nbsp;',
    '| a |\n| - |', '|  |\n| - |\n|  |', '- \n  - ', '> - ', 'a[^1]\n\n[^1]: ', 'a[^1]\n\n[^1]:\n',
    '<details></details>', '<details><summary></summary></details>', '<details>\n\n<summary>a</summary>\n\n</details>',
    '<figure></figure>', '<table><tbody></tbody></table>', '<p></p>', '<br>', '<div></div>', '<mark></mark>',
    ...['info', 'danger'].map(style => wrap('hint', ` style="${style}"`)),
    ...['tabs', 'stepper', 'columns', 'code', 'updates', 'content-ref'].map(name => wrap(name)),
    wrap('tabs', '', '{% tab title="a" %}\n{% endtab %}\n'),
    wrap('stepper', '', '{% step %}\n{% endstep %}\n'),
    wrap('columns', '', '{% column %}\n{% endcolumn %}\n'),
  ])('The document of a page that is as good as empty fits the published schema: %j', markdown => {
    expect(faultsOf(toDocument(markdown, { reference }))).toEqual([])
  })
})

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { as, aSpace, propose } = aProposer(() => content)

/** A document without schema version, and with empty blocks. */
const document = { object: 'document', nodes: [block('paragraph'), block('heading-1'), blocks.hint, blocks.expandable] }
const body = { body: { document } } as never
const format = { query: { format: 'document' as const } }

async function aPlace() {
  const spaceId = await aSpace()
  const { id: changeRequestId } = await propose(spaceId)
  return { main: { spaceId }, proposed: { spaceId, changeRequestId } }
}

/** A comment on main content with a reply, and one on a change request. */
async function onMain() {
  const { main } = await aPlace()
  const { id: commentId } = await as('edit').postCommentInSpace({ params: main, body })
  const params = { ...main, commentId }
  const { id: commentReplyId } = await as('edit').postCommentReplyInSpace({ params, body })
  return { ...params, commentReplyId }
}
async function onProposed() {
  const { proposed } = await aPlace()
  const { id: commentId } = await as('edit').postCommentInChangeRequest({ params: proposed, body })
  const params = { ...proposed, commentId }
  const { id: commentReplyId } = await as('edit').postCommentReplyInChangeRequest({ params, body })
  return { ...params, commentReplyId }
}

const batch = { changes: [{ operation: 'insert_page', title: 'P', document: { document } }] } as never

type Made = { changes: { page?: { id: string } }[] }
const pageOf = (made: unknown) => (made as Made).changes[0]?.page?.id ?? ''

/** A call of each operation whose body has a document; each resolves to a reply with that document as it is stored. */
const calls: Record<string, () => Promise<unknown>> = {
  updateContent: async () => {
    const { main } = await aPlace()
    const pageId = pageOf(await as('edit').updateContent({ params: main, body: batch }))
    return as('edit').getPageById({ params: { ...main, pageId }, ...format })
  },
  updateContentInChangeRequest: async () => {
    const { proposed } = await aPlace()
    const made = await as('edit').updateContentInChangeRequest({
      params: proposed,
      query: { compat: 'false' },
      body: batch,
    })
    return as('edit').getPageInChangeRequestById({ params: { ...proposed, pageId: pageOf(made) }, ...format })
  },
  updateChangeRequestById: async () =>
    as('edit').updateChangeRequestById({
      params: (await aPlace()).proposed,
      body: { description: document } as never,
    }),
  postCommentInSpace: async () => as('edit').getCommentInSpace({ params: await onMain(), ...format }),
  updateCommentInSpace: async () => {
    const params = await onMain()
    await as('edit').updateCommentInSpace({ params, body })
    return as('edit').getCommentInSpace({ params, ...format })
  },
  postCommentReplyInSpace: async () => as('edit').getCommentReplyInSpace({ params: await onMain(), ...format }),
  updateCommentReplyInSpace: async () => {
    const params = await onMain()
    await as('edit').updateCommentReplyInSpace({ params, body })
    return as('edit').getCommentReplyInSpace({ params, ...format })
  },
  postCommentInChangeRequest: async () =>
    as('edit').getCommentInChangeRequest({ params: await onProposed(), ...format }),
  updateCommentInChangeRequest: async () => {
    const params = await onProposed()
    await as('edit').updateCommentInChangeRequest({ params, body })
    return as('edit').getCommentInChangeRequest({ params, ...format })
  },
  postCommentReplyInChangeRequest: async () =>
    as('edit').getCommentReplyInChangeRequest({ params: await onProposed(), ...format }),
  updateCommentReplyInChangeRequest: async () => {
    const params = await onProposed()
    await as('edit').updateCommentReplyInChangeRequest({ params, body })
    return as('edit').getCommentReplyInChangeRequest({ params, ...format })
  },
  submitChangeRequestReview: async () => {
    const { proposed: params } = await aPlace()
    const comment = { document } as never
    await as('review').submitChangeRequestReview({ params, body: { status: 'approved', comment } })
    return (await as('review').getReviewsByChangeRequestId({ params, ...format })).items[0]
  },
  requestReviewersForChangeRequest: async () => {
    const { proposed: params } = await aPlace()
    const description = document as never
    await as('edit').requestReviewersForChangeRequest({ params, body: { users: [], description } })
    return as('edit').getChangeRequestById({ params })
  },
  createTranslation: async () => aTranslation(),
  updateTranslation: async () => {
    const { id: translationId } = await aTranslation()
    const params = { organizationId: organization, translationId }
    return as('create').updateTranslation({ params, body: { instructions: document } as never })
  },
}

async function aTranslation() {
  const { main } = await aPlace()
  const source = { space: main.spaceId, language: 'en' as const }
  return as('create').createTranslation({
    params: { organizationId: organization },
    body: { source, language: 'de', instructions: document } as never,
  })
}

/** The documents in a value. */
function documentsIn(value: unknown): JSONDocument[] {
  if (typeof value !== 'object' || value === null) return []
  if ((value as Node)['object'] === 'document') return [value as JSONDocument]
  return Object.values(value).flatMap(documentsIn)
}

describe('A document without schema version', () => {
  it('A document without schema version is sent to every operation whose body takes a document', () => {
    const takesDocument = ([, { body }]: [string, Operation]) =>
      body && JSON.stringify(z.toJSONSchema(body, { io: 'input' })).includes('"const":"document"')
    const names = Object.entries(contentApi as Record<string, Operation>).filter(takesDocument)
    expect(Object.keys(calls).toSorted()).toEqual(names.map(([name]) => name).toSorted())
  })

  it.each(Object.keys(calls))(
    'A document without schema version is accepted by %s, and read as the published schema says',
    async name => {
      const documents = documentsIn(await calls[name]?.())
      expect(documents).toHaveLength(1)
      expect(documents.map(faultsOf)).toEqual([[]])
    },
  )
})
