import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { api } from '@recto/contracts'
import { routeOf, statusOf, type Operation } from '@recto/operation'
import { publishedOperations, replySchemas } from '@recto/testing'
import { describe, expect, it } from '@jest/globals'
import type { z } from 'zod'
import { fieldDescriptions } from './api-reference/field-descriptions.ts'
import { parameterDescriptions } from './api-reference/parameter-descriptions.ts'
import { siteFieldDescriptions } from './api-reference/site-field-descriptions.ts'
import { apiTags } from './api-reference/tags.ts'
import { apiDocument, writtenDocument, type ApiExamples } from './api-document.ts'

const examples = JSON.parse(
  readFileSync(join(import.meta.dirname, 'api-reference/examples.json'), 'utf8'),
) as ApiExamples
const rows = Object.assign({}, ...Object.values(api)) as Record<string, Operation>

const operations = Object.values(
  apiDocument().paths as Record<string, Record<string, { operationId: string; tags: [string] }>>,
).flatMap(item => Object.values(item).map(({ operationId, tags: [tag] }) => ({ operationId, tag })))

/** The parameters and fields below a node that have no description, refer to no schema and are no constant. */
function bareOf(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'parameters') return bareParameters(value as Parameter[], path)
    return key === 'properties' ? bareFields(value as Record<string, object>, path) : bareOf(value, `${path}.${key}`)
  })
}

interface Parameter {
  name: string
  description?: string
}

const bareParameters = (parameters: Parameter[], path: string) =>
  parameters.filter(({ description }) => !description).map(({ name }) => `${path}.${name}`)

function bareFields(fields: Record<string, object>, path: string): string[] {
  return Object.entries(fields).flatMap(([field, schema]) => {
    const isDescribed = 'description' in schema || '$ref' in schema || 'const' in schema
    return [...(isDescribed ? [] : [`${path}.${field}`]), ...bareOf(schema, `${path}.${field}`)]
  })
}

describe('the API document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(apiDocument())))
    expect(result).toMatchObject({ valid: true })
  })

  it('names every published operation by its published id, method and path', () => {
    const ours = Object.entries(apiDocument().paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      ([path, item]) =>
        Object.entries(item).map(([method, { operationId }]) => ({ operationId, method: method.toUpperCase(), path })),
    )
    const published = publishedOperations()
    const place = ({ method, path }: { method: string; path: string }) =>
      `${method} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`
    const documents = new Map(
      published.flatMap(operation => [
        [place(operation), operation],
        [operation.operationId, operation],
      ]),
    )
    const shared = ours.flatMap(operation => {
      const theirs = documents.get(place(operation)) ?? documents.get(operation.operationId)
      return theirs ? [{ operation, theirs }] : []
    })
    expect(shared.length).toBeGreaterThan(70)
    expect(shared.map(({ operation }) => operation)).toEqual(
      shared.map(({ theirs: { operationId, method, path } }) => ({ operationId, method, path })),
    )
  })

  it('has every published operation in one of its published groups', () => {
    const published = new Map(
      [...publishedOperations(), ...publishedOperations('gitbook-api-today')].map(({ operationId, tags }) => [
        operationId,
        tags,
      ]),
    )
    const moved = operations.filter(({ operationId, tag }) => published.get(operationId)?.includes(tag) === false)
    expect(moved.map(({ operationId, tag }) => `${operationId}: ${tag}`).sort()).toEqual([
      // Published under `organizations` and `space-comment`, apart from their neighbours.
      'deleteOrganizationInviteById: organization-invites',
      'listCommentRepliesInSpace: space-comments',
    ])
  })

  it('has no group without operations', () => {
    const used = new Set(operations.map(({ tag }) => tag))
    expect(apiTags.map(({ name }) => name).filter(name => !used.has(name))).toEqual([])
  })

  it('describes every parameter and every field', () => {
    const { paths, components } = apiDocument()
    expect([...bareOf(paths, 'paths'), ...bareOf(components.schemas, 'schemas')]).toEqual([])
  })

  it('says for every operation more than its summary, in sentences', () => {
    const published = Object.entries(rows).filter(([, row]) => routeOf(row))
    const isSaid = ({ summary, description = '' }: Operation) =>
      /^[^ ]+ .+[.]$/.test(description) && description !== `${summary}.`
    expect(published.filter(([, row]) => !isSaid(row)).map(([id]) => id)).toEqual([])
  })

  it('ends every description with who may use the operation', () => {
    const { paths } = apiDocument() as {
      paths: Record<string, Record<string, { operationId: string; description: string }>>
    }
    const descriptionOf = Object.fromEntries(
      Object.values(paths).flatMap(item =>
        Object.values(item).map(({ operationId, description }) => [operationId, description]),
      ),
    )
    expect(descriptionOf).toMatchObject({
      getApiInformation: expect.stringMatching(/ Needs no token[.]$/),
      createUser: expect.stringMatching(
        / Needs the scope `platform:users:write` \(of the group `admin`\), and an administrator of the platform[.]$/,
      ),
      listSites: expect.stringMatching(
        / Needs the scope `site:read` \(of the group `read`\), and is open to everybody in the organization, guests included[.]$/,
      ),
      createSite: expect.stringMatching(
        / Needs the scope `site:write` \(of the group `write`\), and the role `create` in the organization[.]$/,
      ),
      publishSite: expect.stringMatching(
        / Needs the scope `site:publish` \(of the group `write`\), and the role `create` on the site[.]$/,
      ),
      getRevisionById: expect.stringMatching(
        /, and the role `read` on the space[.] Visitors of a site may use it, too[.]$/,
      ),
      runTranslation: expect.stringMatching(
        / Needs the scope `space:write` \(of the group `write`\), and the role `create` on its target[.]$/,
      ),
      getUserById: expect.stringMatching(/ Needs the scope `user:read` \(of the group `read`\)[.]$/),
    })
  })

  it('has no description of a field or parameter that the API does not have', () => {
    const names = new Set([...JSON.stringify(apiDocument()).matchAll(/"([\w-]+)"/g)].map(([, name]) => name))
    const described = Object.keys({ ...fieldDescriptions, ...siteFieldDescriptions, ...parameterDescriptions })
    expect(described.filter(name => !name.split('.').every(part => names.has(part)))).toEqual([])
  })

  /** Operations that no request of the test of roles is enough for: a conflict between two people, a published address, signatures of others, a sign-in at a provider, an upload of the caller, a run that goes on, a check that has ended. */
  const withoutExample = [
    'resolveChangeRequestConflicts',
    'receiveSamlResponse',
    'receiveOidcLogout',
    'startVisitorSignIn',
    'completeVisitorSignIn',
    'endVisitorSession',
    'receiveVisitorLogout',
    'receiveGitPush',
    'createCustomFont',
    'pushToSpace',
    'askForCertificate',
    'cancelImportRun',
    'getPublishedContentByUrl',
    'getGitPreviewCodeQuality',
  ]

  // `npm run examples` records what is missing.
  it('has an example of every operation with a body or a reply', () => {
    const isShown = (row: Operation) =>
      row.body !== undefined || (row.reply.def.type !== 'undefined' && row.response?.mediaType === undefined)
    const shownRows = Object.entries(rows).filter(([, row]) => routeOf(row) && statusOf(row) !== 302 && isShown(row))
    expect(
      shownRows
        .map(([id]) => id)
        .filter(id => examples[id] === undefined)
        .sort(),
    ).toEqual(withoutExample.sort())
    expect(Object.keys(examples).filter(id => rows[id] === undefined)).toEqual([])
  })

  it.each(Object.entries(examples))('has an example of %s that is valid', (id, { body, reply }) => {
    const faults = (schema: z.ZodType | undefined, value: unknown) =>
      value === undefined ? [] : (schema?.safeParse(value).error?.issues ?? [])
    expect({ body: faults(rows[id]?.body, body), reply: faults(rows[id]?.reply, reply) }).toEqual({
      body: [],
      reply: [],
    })
  })

  it('has replies as examples that are valid for each published client with the operation', () => {
    const { operationIds, validateReply } = replySchemas()
    const shownReplies = Object.entries(examples).filter(
      ([id, { reply }]) => reply !== undefined && operationIds.includes(id),
    )
    expect(shownReplies.length).toBeGreaterThan(100)
    expect(
      shownReplies.flatMap(([id, { reply }]) =>
        validateReply(id, statusOf(rows[id] as Operation), reply).map(fault => `${id}: ${fault}`),
      ),
    ).toEqual([])
  })

  // `npm run openapi` regenerates it; its diff shows a change of the API for review.
  it('is the committed openapi.json', async () => {
    const committed = await readFile(join(import.meta.dirname, '../../../openapi.json'), 'utf8')
    expect(writtenDocument(examples)).toBe(committed)
  })
})
