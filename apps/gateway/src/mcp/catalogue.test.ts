import { api } from '@recto/contracts'
import { expect, it, test } from '@jest/globals'
import { authorTools, schemasOfPrograms } from '../api-reference/author-tools.ts'
import { readReference } from '../documents.ts'
import { annotationsOf } from './author-server.ts'
import { createCatalogue, findOperations, type Reference } from './catalogue.ts'
import { toolInput } from './tool-input.ts'

const catalogue = createCatalogue(api, readReference() as Reference)
const inputOf = (operationId: string) => {
  const entry = catalogue.entries.get(operationId)
  if (!entry) throw new Error(`There is no ${operationId}`)
  return { entry, tool: authorTools.find(each => each.operationId === operationId) ?? { name: '', operationId } }
}

it('The catalogue has every operation of the contract', () => {
  const ids = Object.values(api).flatMap(rows => Object.keys(rows))
  expect([...catalogue.entries.keys()].toSorted()).toEqual(ids.toSorted())
})

test.each([
  ['create space', 'createSpace'],
  ['publish a site', 'publishSite'],
  ['invite users', 'inviteUsersToOrganization'],
  ['merge change request', 'mergeChangeRequest'],
  ['createChangeRequest', 'createChangeRequest'],
])('The words "%s" find %s first', (words, operationId) =>
  expect(findOperations(catalogue, words, 3)[0]?.operationId).toBe(operationId),
)

it('Words of nothing find nothing', () => expect(findOperations(catalogue, 'zebracorn ⚡', 3)).toEqual([]))

test.each(authorTools.map(tool => [tool.name, tool] as const))(
  'The tool %s takes what its operation needs',
  (_name, tool) => {
    const { entry } = inputOf(tool.operationId)
    const { schema } = toolInput(tool, entry, { schemas: catalogue.schemas, without: schemasOfPrograms })
    const names = Object.keys(schema.properties as object)
    const needed = entry.parameters.filter(({ required, in: place }) => required && place !== 'header')
    for (const { name } of needed) if (!Object.hasOwn(tool.fixed ?? {}, name)) expect(names).toContain(name)
    for (const field of tool.fields ?? []) expect(names).toContain(field)
    expect(names).toEqual(expect.arrayContaining(schema.required as string[]))
  },
)

it('A tool says where each of its arguments belongs, and refuses any other', () => {
  const { entry, tool } = inputOf('getPageByPath')
  const { toCall } = toolInput(tool, entry, { schemas: catalogue.schemas, without: schemasOfPrograms })
  expect(toCall({ spaceId: 'a', pagePath: 'b/c' })).toEqual({
    operationId: 'getPageByPath',
    params: { spaceId: 'a', pagePath: 'b/c' },
    query: { format: 'markdown' },
  })
  expect(() => toCall({ format: 'document' })).toThrow('format: is not taken by this tool')
})

test.each([
  ['getSpaceById', [true, false, true]],
  ['createSpace', [false, false, false]],
  ['deleteSpaceById', [false, true, true]],
  ['updateSpaceById', [false, true, true]],
  ['publishSite', [false, false, true]],
])('The hints for %s are %j', (operationId, hints) => {
  const { readOnlyHint, destructiveHint, idempotentHint } = annotationsOf(inputOf(operationId).entry)
  expect([readOnlyHint, destructiveHint, idempotentHint]).toEqual(hints)
})
