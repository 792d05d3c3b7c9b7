import { scimFault } from './scim-fault.ts'

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** A resource of SCIM, or a complex attribute. */
export type Attributes = Record<string, unknown>

/** Names that would reach the prototype of an object. */
const unsafeNames = new Set(['__proto__', 'constructor', 'prototype'])
const maxDepth = 8
const booleans = new Set(['active', 'primary'])

/** The names of RFC 7643; clients may write them in any case. */
const names = [
  ['schemas', 'id', 'externalId', 'meta', 'userName', 'displayName', 'nickName', 'profileUrl', 'title', 'userType'],
  ['preferredLanguage', 'locale', 'timezone', 'active', 'password', 'name', 'formatted', 'familyName', 'givenName'],
  ['middleName', 'honorificPrefix', 'honorificSuffix', 'emails', 'phoneNumbers', 'ims', 'photos', 'addresses'],
  ['groups', 'entitlements', 'roles', 'x509Certificates', 'value', 'display', 'type', 'primary', '$ref'],
  ['streetAddress', 'locality', 'region', 'postalCode', 'country', 'employeeNumber', 'costCenter', 'organization'],
  ['division', 'department', 'manager', 'members', 'resourceType', 'created', 'lastModified', 'location', 'version'],
  [userSchema, groupSchema, enterpriseSchema],
].flat()
const canonicalNames = new Map(names.map(name => [name.toLowerCase(), name]))

/** The name of an attribute as RFC 7643 writes it; others stay. Throws `invalidPath` for one that is no name. */
export function canonicalName(name: string): string {
  if (unsafeNames.has(name.toLowerCase())) throw scimFault('invalidPath', `${name} is no attribute`)
  return canonicalNames.get(name.toLowerCase()) ?? name
}

/** Attributes of users that have several values. */
export const multiValuedAttributes = [
  'emails',
  'phoneNumbers',
  'ims',
  'photos',
  'addresses',
  'entitlements',
  'roles',
  'x509Certificates',
] as const

export function isComplex(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value with canonical names, and booleans where clients send "True" and "False". Throws `invalidValue` for one that is nested too deeply. */
export function canonicalValue(value: unknown, name = '', depth = 0): unknown {
  if (depth > maxDepth) throw scimFault('invalidValue', `${name} is nested too deeply`)
  if (Array.isArray(value)) return value.map(item => canonicalValue(item, name, depth + 1))
  if (!isComplex(value)) return booleans.has(name) ? booleanOf(value) : value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const canonical = canonicalName(key)
      return [canonical, canonicalValue(item, canonical, depth + 1)]
    }),
  )
}

/** The name of an attribute without the schema of RFC 7643 that clients may write before it. */
export function withoutSchema(name: string): string {
  return name.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i, '')
}

/** The boolean that a client means. */
export function booleanOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.toLowerCase()
  return text === 'true' || (text === 'false' ? false : value)
}
