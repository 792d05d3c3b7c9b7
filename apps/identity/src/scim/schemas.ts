import { maxScimPage } from '@recto/contracts-identity'
import { enterpriseSchema, groupSchema, userSchema } from './attributes.rules.ts'

/** An attribute as RFC 7643, section 7, describes it. */
interface AttributeSchema {
  name: string
  type: string
  description: string
  multiValued: boolean
  required: boolean
  caseExact: boolean
  mutability: string
  returned: string
  uniqueness: string
  subAttributes?: AttributeSchema[]
  [more: string]: unknown
}

const plain = {
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
}

function attribute(name: string, description: string, more: Partial<AttributeSchema> = {}): AttributeSchema {
  return { name, description, ...plain, ...more }
}

function complex(name: string, description: string, subAttributes: AttributeSchema[]): AttributeSchema {
  return attribute(name, description, { type: 'complex', subAttributes })
}

function list(name: string, description: string): AttributeSchema {
  const parts = [
    attribute('value', 'The value'),
    attribute('display', 'A name of the value for people'),
    attribute('type', 'The kind of the value, such as work'),
    attribute('primary', 'Whether it is the first choice', { type: 'boolean' }),
  ]
  return { ...complex(name, description, parts), multiValued: true }
}

const reference = (...referenceTypes: string[]) =>
  attribute('$ref', 'The URL of the resource', { type: 'reference', referenceTypes, mutability: 'readOnly' })

const user = [
  attribute('userName', 'The name of the user at the client; unique in the organization', {
    required: true,
    uniqueness: 'server',
  }),
  complex('name', 'The parts of the name', [
    attribute('formatted', 'The whole name'),
    attribute('familyName', 'The family name'),
    attribute('givenName', 'The given name'),
    attribute('middleName', 'Middle names'),
    attribute('honorificPrefix', 'What comes before the name'),
    attribute('honorificSuffix', 'What comes after the name'),
  ]),
  attribute('displayName', 'The name that others see'),
  ...['nickName', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone'].map(name =>
    attribute(name, 'Stored for the client'),
  ),
  attribute('profileUrl', 'Stored for the client', { type: 'reference', referenceTypes: ['external'] }),
  attribute('active', 'Whether the user may use the organization', { type: 'boolean' }),
  list('emails', 'E-mails; the primary one is that of the account'),
  ...['phoneNumbers', 'ims', 'photos', 'entitlements', 'x509Certificates'].map(name =>
    list(name, 'Stored for the client'),
  ),
  {
    ...complex(
      'addresses',
      'Stored for the client',
      ['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country', 'type'].map(name =>
        attribute(name, 'A part of the address'),
      ),
    ),
    multiValued: true,
  },
  list('roles', 'The role in the organization: guest, read, comment, edit, review, create or admin'),
  {
    ...complex('groups', 'The groups of the user', [
      attribute('value', 'The id of the group', { mutability: 'readOnly' }),
      attribute('display', 'The name of the group', { mutability: 'readOnly' }),
      attribute('type', 'How the user is in it', { mutability: 'readOnly' }),
      reference('Group'),
    ]),
    multiValued: true,
    mutability: 'readOnly',
  },
]

const group = [
  attribute('displayName', 'The title of the team; unique in the organization', {
    required: true,
    uniqueness: 'server',
  }),
  {
    ...complex('members', 'Users of the organization', [
      attribute('value', 'The id of the user', { mutability: 'immutable', caseExact: true }),
      attribute('display', 'The name of the user', { mutability: 'readOnly' }),
      attribute('type', 'User', { mutability: 'immutable' }),
      reference('User'),
    ]),
    multiValued: true,
  },
]

const enterprise = [
  ...['employeeNumber', 'costCenter', 'organization', 'division', 'department'].map(name =>
    attribute(name, 'Stored for the client'),
  ),
  complex('manager', 'Stored for the client', [
    attribute('value', 'The id of the manager'),
    attribute('$ref', 'The URL of the manager', { type: 'reference', referenceTypes: ['User'] }),
    attribute('displayName', 'The name of the manager'),
  ]),
]

const schemaOfSchemas = 'urn:ietf:params:scim:schemas:core:2.0:Schema'
const schemaOfTypes = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'

/** A description with its place. */
type Document = Record<string, unknown> & { id: string; schemas: string[] }

/** The schemas of resources. */
export function scimSchemas(base: string): Document[] {
  const externalId = attribute('externalId', 'The id of the resource at the client', { caseExact: true })
  return [
    { id: userSchema, name: 'User', description: 'A member of the organization', attributes: [externalId, ...user] },
    { id: groupSchema, name: 'Group', description: 'A team of the organization', attributes: [externalId, ...group] },
    { id: enterpriseSchema, name: 'EnterpriseUser', description: 'More about a user', attributes: enterprise },
  ].map(schema => ({
    schemas: [schemaOfSchemas],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }))
}

/** The types of resources. */
export function scimResourceTypes(base: string): Document[] {
  const extensions = [{ schema: enterpriseSchema, required: false }]
  return [
    { id: 'User', endpoint: '/Users', description: 'Members', schema: userSchema, schemaExtensions: extensions },
    { id: 'Group', endpoint: '/Groups', description: 'Teams', schema: groupSchema, schemaExtensions: [] },
  ].map(type => ({
    schemas: [schemaOfTypes],
    name: type.id,
    ...type,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type.id}` },
  }))
}

/** The features of the protocol that are here (RFC 7643, section 5). */
export function serviceProviderConfig(base: string) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: maxScimPage },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token of the organization in the header Authorization',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  }
}
