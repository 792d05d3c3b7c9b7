import { describe, expect, test } from '@jest/globals'
import { publishedClients } from './published-spec.ts'
import { replySchemas } from './index.ts'

const { validateReply, operationIds } = replySchemas('@gitbook/api')
const schemas = new Map(publishedClients.map(client => [client, replySchemas(client)]))
const now = '2026-01-01T00:00:00.000Z'

const space = {
  object: 'space',
  id: 's1',
  title: 'Docs',
  emoji: '1f389',
  visibility: 'private',
  createdAt: now,
  updatedAt: now,
  mergeRules: { type: 'inherit' },
  urls: { location: 'http://localhost/v1/spaces/s1', app: 'http://localhost/s1' },
  organization: 'o1',
  revision: 'r1',
  defaultLevel: null,
  comments: 0,
  changeRequests: 0,
  changeRequestsOpen: 0,
  changeRequestsDraft: 0,
  permissions: Object.fromEntries(
    [
      'view',
      'access',
      'admin',
      'viewInviteLinks',
      'edit',
      'triggerGitSync',
      'comment',
      'merge',
      'review',
      'installIntegration',
    ].map(name => [name, true]),
  ),
}

const page = {
  id: 'p1',
  title: 'Start',
  kind: 'sheet',
  type: 'document',
  urls: { app: 'http://localhost/p1' },
  slug: 'start',
  path: 'start',
  pages: [],
  tags: [],
  layout: {
    width: 'default',
    cover: false,
    coverSize: 'full',
    title: true,
    description: true,
    tableOfContents: true,
    outline: true,
    pagination: true,
    metadata: true,
    coverMask: 'none',
    tags: true,
    actions: true,
    anchors: true,
  },
}

function withNodes(...nodes: unknown[]): unknown {
  return { ...page, document: { object: 'document', data: {}, nodes } }
}

function cell(value: unknown): unknown {
  return {
    object: 'block',
    type: 'table',
    isVoid: true,
    fragments: [],
    data: {
      view: { type: 'grid', columns: ['c'], hideHeader: false },
      definition: {},
      records: { r: { orderIndex: 'a', values: { c: value } } },
    },
  }
}

describe('a valid response is accepted', () => {
  const computed = {
    type: 'builtin:openapi',
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'x' } } },
    props: { doc: 'models' },
  }
  const integrationBlock = {
    object: 'block',
    type: 'integration',
    isVoid: true,
    data: { integration: 'i', block: 'b', props: { text: 'one', deep: { on: true } } },
  }
  test.each<[string, string, unknown]>([
    ['a space', 'getSpaceById', space],
    ['a page without content', 'getPageById', page],
    ['a page with Markdown', 'getPageById', { ...page, markdown: '# Start' }],
    ['a computed page', 'getPageById', { ...page, computed, computedSeed: 's' }],
    ['an object with values of any kind', 'getPageById', withNodes(integrationBlock)],
    ['a cell that is a bare reference', 'getPageById', withNodes(cell({ kind: 'file', file: 'f1' }))],
    [
      'columns at the top',
      'getPageById',
      withNodes({ object: 'block', type: 'columns', isVoid: false, data: {}, nodes: [] }),
    ],
    [
      'a page with another title and icon',
      'getRevisionSemanticChanges',
      {
        changes: [
          {
            type: 'page_edited',
            page: { id: 'p', type: 'document', title: 'New' },
            attributes: { title: { before: 'Old', after: 'New' }, icon: { after: 'star' } },
          },
        ],
        more: 2,
      },
    ],
    [
      'a preview with a frame',
      'getEmbedByUrlInSpace',
      { type: 'rich', title: 'A film', site: 'Films', html: '<iframe></iframe>' },
    ],
    ['the space of a URL', 'getContentByUrl', { space }],
  ])('%s', (_name, operation, body) => {
    for (const { validateReply } of schemas.values()) expect(validateReply(operation, 200, body)).toEqual([])
  })
})

describe('the faults of an invalid response', () => {
  test.each([
    {
      name: 'a field that lacks',
      body: { ...space, mergeRules: undefined },
      fault: "/ must have required property 'mergeRules'",
    },
    { name: 'a wrong type', body: { ...space, comments: '0' }, fault: '/comments must be number' },
    {
      name: 'null where the field is to be left out',
      body: { ...space, parent: null },
      fault: '/parent must be string',
    },
    {
      name: 'a value outside of the list',
      body: { ...space, editMode: 'open' },
      fault: '/editMode must be equal to one of the allowed values: live, locked',
    },
    {
      name: 'a wrong format',
      body: { ...space, createdAt: 'today' },
      fault: '/createdAt must match format "date-time"',
    },
  ])('$name', ({ body, fault }) => {
    expect(validateReply('getSpaceById', 200, body)).toContain(fault)
  })

  test('an undeclared status', () => {
    expect(validateReply('getSpaceById', 202, space)).toEqual(['getSpaceById declares no reply 202'])
  })

  test('an unknown operation', () => {
    expect(validateReply('getSpaces', 200, space)).toEqual(['getSpaces is not an operation of the specification'])
  })
})

test('a reply is validated by each document that has the operation', () => {
  const { validateReply } = replySchemas()
  const fault = "must have required property 'mergeRules'"
  const faulty = { ...space, mergeRules: undefined }
  expect(validateReply('getSpaceById', 200, faulty)).toEqual([`/ ${fault}`, `gitbook-api-today: / ${fault}`])
  expect(validateReply('listSpaceLinks', 204, undefined)).toEqual(['listSpaceLinks declares no reply 204'])
  expect(validateReply('duplicateSiteSpace', 204, undefined)).toEqual([
    'gitbook-api-today: duplicateSiteSpace declares no reply 204',
  ])
})

test('an operation is also known by method and path', () => {
  expect(validateReply({ method: 'GET', path: '/spaces/{spaceId}' }, 200, space)).toEqual([])
})

test('an empty reply has no body', () => {
  expect(validateReply({ method: 'POST', path: '/spaces/{spaceId}/git/import' }, 204, undefined)).toEqual([])
  expect(validateReply({ method: 'POST', path: '/spaces/{spaceId}/git/import' }, 204, { id: 1 })).toHaveLength(1)
})

test('the schema of every success reply compiles', () => {
  const broken = operationIds.filter(id =>
    validateReply(id, 200, {}).some(fault => fault.includes('is not an operation')),
  )
  expect(operationIds.length).toBeGreaterThan(300)
  expect(broken).toEqual([])
})
