import { roles, type Role } from '@recto/actor'
import { assertedEmail, displayNameOf, withoutControls } from '../sign-ins/account.rules.ts'
import { canonicalValue, isComplex, multiValuedAttributes, userSchema, type Attributes } from './attributes.rules.ts'
import { scimFault } from './scim-fault.ts'

/** A user as a client sends them, with what the product decides by. */
export interface ScimUserInput {
  userName: string
  externalId: string | null
  /** In lower case. */
  email: string
  displayName: string
  /** Undefined leaves it as it is. */
  active: boolean | undefined
  /** Null makes a guest; undefined leaves it as it is. */
  role: Role | null | undefined
  /** All other attributes, which are kept as they were sent. */
  attributes: Attributes
}

const maxUserName = 254
/** Characters of the attributes of a resource as JSON. */
const maxAttributes = 32_768
/** Attributes that have a place of their own, or that nobody may set. */
const derived = ['schemas', 'id', 'meta', 'groups', 'password', 'userName', 'externalId', 'active', 'roles']
const texts = ['displayName', 'nickName', 'profileUrl', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone']
const guest = 'guest'

/** Reads a user; throws `invalidValue` with the attribute that is at fault. */
export function readUser(body: Attributes): ScimUserInput {
  const user = withComplexValues(canonicalValue(body) as Attributes)
  requireTexts(user, [...texts, 'externalId'])
  if (user['name'] != null && !isComplex(user['name'])) throw scimFault('invalidValue', 'name: must be an object')
  const userName = readUserName(user['userName'])
  const email = emailOf(user, userName)
  return {
    userName,
    externalId: (user['externalId'] as string | null | undefined) ?? null,
    email,
    displayName: nameOfUser(user, email),
    active: readActive(user['active']),
    role: readRole(user['roles']),
    attributes: keptAttributes(user, derived),
  }
}

/** The attributes of a resource that have no place of their own. Throws `invalidValue` for too many. */
export function keptAttributes(resource: Attributes, without: readonly string[]): Attributes {
  const attributes = Object.fromEntries(
    Object.entries(resource).filter(([key, value]) => !without.includes(key) && value != null),
  )
  if (JSON.stringify(attributes).length > maxAttributes)
    throw scimFault('invalidValue', `The attributes have more than ${maxAttributes} characters`)
  return attributes
}

/** Throws `invalidValue` for one of these attributes that is no text. */
export function requireTexts(resource: Attributes, names: readonly string[]): void {
  const wrong = names.find(name => resource[name] != null && typeof resource[name] !== 'string')
  if (wrong !== undefined) throw scimFault('invalidValue', `${wrong}: must be a string`)
}

/** The schemas of a resource: its own, and those of its extensions. */
export function schemasOf(resource: Attributes, own: string = userSchema): string[] {
  return [own, ...Object.keys(resource).filter(key => key.startsWith('urn:'))]
}

/** Lists of complex values, of which clients write some as texts. */
function withComplexValues(user: Attributes): Attributes {
  const lists = multiValuedAttributes.flatMap(name => {
    const list = user[name]
    if (list == null) return []
    const items: unknown[] = Array.isArray(list) ? list : [list]
    return [[name, items.map(item => complexValue(name, item))]]
  })
  return { ...user, ...Object.fromEntries(lists) }
}

function complexValue(name: string, item: unknown): Attributes {
  const value = isComplex(item) ? item : { value: item }
  if (name === 'emails' && typeof value['value'] !== 'string')
    throw scimFault('invalidValue', 'emails: each needs a value that is an e-mail')
  return value
}

function readUserName(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') throw scimFault('invalidValue', 'userName: is needed')
  if (value.length > maxUserName)
    throw scimFault('invalidValue', `userName: must have at most ${maxUserName} characters`)
  return value
}

/** The primary e-mail, else the first one, else a user name that is one. */
function emailOf(user: Attributes, userName: string): string {
  const emails = (user['emails'] as Attributes[] | undefined) ?? []
  const chosen = emails.find(({ primary }) => primary === true) ?? emails[0]
  const email = assertedEmail(String(chosen?.['value'] ?? userName))
  if (email === undefined)
    throw scimFault('invalidValue', 'emails: a user needs an e-mail, as the primary one or as the userName')
  return email
}

/** The name that people see; the part of the e-mail before the `@` when there is none. */
function nameOfUser({ displayName, name }: Attributes, email: string): string {
  const { formatted, givenName, familyName } = isComplex(name) ? name : {}
  const whole = [displayName, formatted].map(plainText).find(text => text !== '')
  const parts = whole === undefined ? [givenName, familyName].map(plainText) : []
  return displayNameOf({ parts, whole: whole ?? '', email })
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? withoutControls(value) : ''
}

function readActive(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'boolean') throw scimFault('invalidValue', 'active: must be a boolean')
  return value
}

/** The highest of the roles; a primary one comes first. Throws `invalidValue` for one that is none of the product. */
function readRole(list: unknown): Role | null | undefined {
  const values = (list as Attributes[] | undefined) ?? []
  if (values.length === 0) return undefined
  const primary = values.filter(({ primary }) => primary === true)
  const ranks = (primary.length > 0 ? primary : values).map(rankOf)
  return roles[Math.max(...ranks)] ?? null
}

/** -1 for guests. Entra writes the value of a role as JSON. */
function rankOf({ value }: Attributes): number {
  const text = /^\s*\{/.test(String(value)) ? jsonValue(String(value)) : String(value)
  const rank = roles.findIndex(role => role === text.toLowerCase())
  if (rank < 0 && text.toLowerCase() !== guest)
    throw scimFault('invalidValue', `roles: must be one of ${[guest, ...roles].join(', ')}`)
  return rank
}

function jsonValue(text: string): string {
  try {
    const { value, displayName } = JSON.parse(text) as Attributes
    return String(value ?? displayName)
  } catch {
    return text
  }
}
