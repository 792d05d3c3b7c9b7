import type { Endpoint } from '@recto/contracts-shared'
import { parseWithFaults } from '@recto/schema-faults'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { api } from './index.ts'

/** An object inside a body, with the names of the fields that lead to it. */
interface Part {
  path: string
  schema: z.ZodType
}

/** The schemas directly inside a schema that is no object, and the fields of one that is. */
function inside({ def }: z.ZodType): [string, z.ZodType][] {
  const { shape = {}, ...other } = def as unknown as Record<string, z.ZodType> & { shape?: Record<string, z.ZodType> }
  const { options = [] } = def as unknown as { options?: z.ZodType[] }
  const wrapped = ['innerType', 'element', 'valueType', 'in', 'out'].flatMap(name => other[name] ?? [])
  return [...[...options, ...wrapped].map(part => ['', part] as [string, z.ZodType]), ...Object.entries(shape)]
}

/** Every object in a schema, once; the blocks of documents, which have a test of their own, are left out. */
function partsOf(top: z.ZodType): Part[] {
  const parts: Part[] = []
  const seen = new Set<z.ZodType>()
  const visit = ({ path, schema }: Part) => {
    if (seen.has(schema) || path.endsWith('.nodes')) return
    seen.add(schema)
    if (schema instanceof z.ZodObject) parts.push({ path, schema })
    for (const [name, part] of inside(schema)) visit({ path: name === '' ? path : `${path}.${name}`, schema: part })
  }
  visit({ path: '', schema: top })
  return parts
}

const rows = Object.values(api).flatMap(operations => Object.entries(operations as Record<string, Endpoint>))
const allParts = rows.flatMap(([id, { body }]) =>
  body ? partsOf(body).map(({ path, schema }) => ({ id, path, schema })) : [],
)
const accepts = (schema: z.ZodType, value: unknown) => parseWithFaults(schema, value).success
const choices = allParts.filter(({ path, schema }) => path !== '' && accepts(schema, {}))

/** Objects of bodies in which a field that is misspelt counts as one that is left out: all are published, and may get more fields. */
const lenient: readonly { paths: RegExp; reason: string }[] = [
  { paths: /\.data$/, reason: 'The data of a document has keys of its own, which are kept' },
  {
    paths: /\.position$/,
    reason: 'Without a neighbour, something is moved to the end, as when the whole position is left out',
  },
  { paths: /\.params$/, reason: 'A template without values is applied as it is' },
  { paths: /^createSpace\.computedSource\.props$/, reason: 'Options of the published API, of which not all are known' },
  {
    paths: /SiteCustomizationById\.|SiteSpaceCustomizationById\./,
    reason: 'Clients send customizations of later versions',
  },
  { paths: /^resolvePublishedContentByUrl\.visitor$/, reason: 'A visitor without a token is nobody, and sees less' },
  { paths: /^streamAskInSite\.context$/, reason: 'A question without a context is about the whole site' },
  { paths: /\.gitInfo$/, reason: 'Information about the repository, which nothing depends on' },
]

/** Choices as the published API and ours have them, which have to be there for the test to mean something. */
const knownNames = [
  'updateContent.changes.document',
  'postCommentInSpace.body',
  'setGitSync.previews',
  'createToken.limitedTo',
]

describe('An object in a body whose fields may all be left out', () => {
  const names = allParts.map(({ id, path }) => `${id}${path}`)

  it('refuses a field that it does not know, unless it is said why not', () => {
    const silent = choices
      .filter(({ schema }) => accepts(schema, { misspelt: 1 }))
      .map(({ id, path }) => `${id}${path}`)
    expect(silent.filter(name => !lenient.some(({ paths }) => paths.test(name)))).toEqual([])
    expect(lenient.filter(({ paths }) => !silent.some(name => paths.test(name)))).toEqual([])
    expect(knownNames.filter(name => !names.includes(name))).toEqual([])
  })
})

/** Rows that issue something with restrictions that may be left out, besides those that issue tokens. */
const restrictingIds = ['createWebhook']
const restricting = rows.filter(
  ([id, { records, body }]) =>
    restrictingIds.includes(id) || (body && Array.isArray(records) && records.includes('token.created')),
)

describe('A body that issues something with restrictions that may be left out', () => {
  it.each(restricting)(
    'is refused by %s with a field that it does not know, and says so',
    (_id, { body, examples }) => {
      const [example] = examples ?? []
      const parsed = parseWithFaults(body as z.ZodType, { ...(example?.body as object), misspelt: [] }, ['body'])
      expect(parsed).toMatchObject({
        success: false,
        faults: [{ path: 'body', message: expect.stringContaining('must not have "misspelt"') }],
      })
    },
  )

  it('is that of each kind of token', () =>
    expect(restricting.map(([id]) => id)).toEqual([
      'createToken',
      'createTokenForUser',
      'createServiceAccountToken',
      'createWebhook',
    ]))
})
