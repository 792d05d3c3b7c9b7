import { readFileSync } from 'node:fs'
import { api } from '@recto/contracts'
import { openApiDocument } from '@recto/openapi'
import { lackingFields } from '@recto/testing'
import { describe, expect, it } from '@jest/globals'
import { fieldsWithoutValue, publishedDocument } from './published-document.ts'

const document = openApiDocument(api, { title: 'Recto', version: '1', description: 'All of it', prefix: '/v1' })

it('every property of the published replies is in our schemas, or in the list of unsupported ones', () => {
  expect(lackingFields(document)).toEqual(fieldsWithoutValue().toSorted())
})

// `npm run openapi` regenerates it; its diff shows what is nearer to the client of today, or farther.
it('docs/published-api.md lists what of the API of the client of today is not here', () => {
  const committed = readFileSync(new URL('../../docs/published-api.md', import.meta.url), 'utf8')
  expect(publishedDocument()).toBe(committed)
})

it('nothing of the client of today is missing without a reason', () => {
  const titles = [...publishedDocument().matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  expect(titles.filter(title => !/ by decision$/.test(title ?? ''))).toEqual([])
})

/** The tables of the specification, by the names of our schemas: every field that is not in the list above. */
const tables: Record<string, string> = {
  Space:
    'object id title emoji visibility createdAt updatedAt deletedAt editMode organization parent language revision defaultLevel comments changeRequests changeRequestsOpen changeRequestsDraft urls.location urls.app urls.icon gitSync permissions',
  GitInfo: 'repoName installationProvider integration url updatedAt',
  Collection: 'object id title description organization parent defaultLevel urls.location urls.app permissions',
  Organization:
    'object id title createdAt emailDomains hostname type useCase defaultRole sso ai inviteLinks plan internal_isOnNewTrial urls.location urls.app urls.logo trial.status permissions',
  Member: 'object id role user disabled joinedAt lastSeenAt sso spaces teams',
  User: 'object id displayName email photoURL urls.location',
  Team: 'object id title members spaces createdAt permissions',
  SamlProvider:
    'object id label ssoURL entityID certificate defaultTeam defaultRole createdAt status service.acsURL service.startURL service.entityID urls.location',
  Revision:
    'object id parents pages files reusableContents variables createdAt git.oid git.message git.createdByService git.url git.ref urls.app type',
  PageDocument:
    'id title emoji icon createdAt updatedAt markdown type urls.app slug path description pages git layout cover variables hidden noIndex noRobotsIndex',
  File: 'id name contentType downloadURL size dimensions.width dimensions.height git',
}

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  anyOf?: Schema[]
  oneOf?: Schema[]
}

/** Whether a schema, or one of its alternatives, has a property at this path. */
function has(schema: Schema | undefined, path: string[]): boolean {
  const [first, ...rest] = path
  if (schema === undefined || first === undefined) return schema !== undefined
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined) return has(document.components.schemas[name] as Schema, path)
  return [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(one =>
    one === schema ? has(one.properties?.[first], rest) && one.properties?.[first] !== undefined : has(one, path),
  )
}

describe('the tables of the specification', () => {
  it.each(Object.entries(tables))('are in our schemas: %s', (name, fields) => {
    const schema = document.components.schemas[name] as Schema | undefined
    expect(schema).toBeDefined()
    expect(fields.split(' ').filter(field => !has(schema, field.split('.')))).toEqual([])
  })
})
