import { z } from 'zod'
import { roles } from '@recto/actor'

/** ISO 8601 date-time. */
export const Timestamp = z.iso.datetime().meta({ id: 'Timestamp', description: 'ISO 8601 date-time' })

/** Later instants have five digits of a year, and are no ISO 8601 date-times. */
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/** ISO 8601 date-time as callers may give it: with any offset. */
export const PointInTime = z.iso
  .datetime({ offset: true })
  .refine(value => !(Date.parse(value) > lastInstant), 'must be before the year 10000')
  .meta({ id: 'PointInTime', description: 'ISO 8601 date-time with an offset' })

/** An opaque id, safe in URLs; one of the wrong form matches nothing. */
export const Id = z.string().refine(value => !value.includes('\0'), 'must not contain NUL')

/** Absolute URL. */
export const Url = z.string()

/** Absolute http or https URL as callers give it. */
export const HttpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(2048, 'must have at most 2048 characters')
  .refine(url => /^[^\s\p{Cc}\p{Cs}]+$/u.test(url), 'must not contain spaces or control characters')

/** Whether an http or https URL has a user or a password, be it an empty one. */
export function hasCredentials(url: string): boolean {
  return /^https?:[/\\]*[^/\\?#]*@/i.test(url)
}

/** The name that people give to the role of guests, which the API has as null. */
const guest = 'guest'

function roleFault({ input }: { input: unknown }): string | undefined {
  return input === guest ? `must be one of ${roles.join(', ')}; a guest has the role null` : undefined
}

/** A content role. */
export const Role = z.enum(roles, { error: roleFault }).meta({ id: 'Role', description: 'Level of access to content' })

/** Text counted in code points, without NUL and lone surrogates. */
export function text(limits: { min?: number; max?: number } = {}): z.ZodString {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = limits
  return z
    .string()
    .refine(value => !value.includes('\0'), 'must not contain NUL')
    .refine(value => !/\p{Cs}/u.test(value), 'must not contain half a character')
    .refine(value => min === 0 || value === '' || /\S/.test(value), 'must not be blank')
    .refine(
      value => {
        const length = codePoints(value)
        return length >= min && length <= max
      },
      lengthMessage(min, limits.max),
    )
    .meta({ minLength: min, ...(limits.max !== undefined && { maxLength: max }) })
}

function lengthMessage(min: number, max: number | undefined): string {
  if (max === undefined) return `must have at least ${min} ${min === 1 ? 'character' : 'characters'}`
  return min === 0 ? `must have at most ${max} characters` : `must have ${min} to ${max} characters`
}

/** The fault of values that are not `isStorable`. */
export const storableMessage = 'must not contain NUL or half a character'

/** Whether no string in a value has NUL or a lone surrogate, which the database does not store. JSON writes both as escapes. */
export function isStorable(value: unknown): boolean {
  const json = asJson(value)
  return json !== undefined && !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][\da-f]{2})/.test(json)
}

/** A value as JSON; undefined when it is nested deeper than the stack is. */
export function asJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const hexEmoji = /^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6})*$/i
const emojiCharacter =
  /^(?=.*[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3])[\p{Emoji}\p{Emoji_Component}\p{Extended_Pictographic}]+$/u
const isCodePoint = (hex: string) => {
  const point = Number.parseInt(hex, 16)
  return point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
}

/** An emoji: the character itself, or its code points in hexadecimal, joined by `-`; at most 50 characters. */
export const Emoji = text({ min: 1, max: 50 }).refine(
  value => value === '' || emojiCharacter.test(value) || (hexEmoji.test(value) && value.split('-').every(isCodePoint)),
  'must be an emoji, or its code points in hexadecimal joined by -',
)

/** A field that the specification has and Recto does not support: a value is refused instead of ignored. */
export function unsupported(why = 'must be left out') {
  return z.never({ error: why }).optional()
}

/**
 * The error of a strict object whose fields may all be left out. Other bodies ignore fields that they do not know; where none of its fields
 * is a choice, or the lack of a restriction, a misspelt one would be that choice.
 */
export function onlyFields(...names: readonly string[]): { error: z.core.$ZodErrorMap } {
  const only = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join()
  return {
    error: issue => {
      if (issue.code !== 'unrecognized_keys') return undefined
      const unknown = (issue as z.core.$ZodIssueUnrecognizedKeys).keys
        .slice(0, 5)
        .map(key => JSON.stringify(key.slice(0, 50)))
      return `must not have ${unknown.join(', ')}, only ${only}`
    },
  }
}

/** A boolean in a query string. */
export function flag(fallback: boolean) {
  return z.enum(['true', 'false']).default(fallback ? 'true' : 'false')
}

/** A field of a query that may be given several times, `name=a&name=b`; given once, it is the item itself (see `allOf`). */
export function repeated<T extends z.ZodType>(item: T, max: number) {
  return z.union([z.array(item).min(1).max(max), item])
}

/** The items of a field that is `repeated`. */
export function allOf<Item extends string>(items: Item | Item[]): Item[] {
  return Array.isArray(items) ? items : [items]
}

/** Query of every list. */
export const page = z.object({
  page: z.string().optional().describe('Cursor of the page to fetch, from `next.page`'),
  limit: z.coerce.number().int().min(0).max(1000).default(50).describe('Items per page'),
})

/** Which way a list runs, where its row lets the caller choose. */
export const Order = z.enum(['asc', 'desc']).default('desc')

/** Reply of every list. */
export function list<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item).describe('The items of this page'),
    next: z
      .object({ page: z.string().describe('Value of the parameter `page` that leads to the next items') })
      .optional()
      .describe('Left out on the last page'),
    count: z.number().int().describe('Items on all pages together'),
  })
}

/** A read of a revision in the space that the path names: it never changes, so visitors share replies. */
export const ofRevision = { cache: { immutable: true, within: 'spaceId' } } as const

/** Reply of what answers without a body. */
export const empty = z.undefined()

/** The user as embedded everywhere. */
export const User = z
  .object({
    object: z.literal('user'),
    id: Id,
    displayName: z.string(),
    email: z.string().optional(),
    photoURL: z.string().optional(),
    urls: z.object({ location: Url }),
  })
  .meta({ id: 'User', description: 'A person who uses the platform' })

/** A visitor of a published site, as the gateway knows them from their token. */
const Visitor = z
  .object({
    organization: Id,
    site: Id,
    version: z.number().int(),
    since: z.number().int().optional(),
    spaces: z.array(Id),
    claims: z.record(z.string(), z.unknown()),
    showsGit: z.boolean().optional(),
    excludesAgents: z.boolean().optional(),
    previews: z.boolean().optional(),
    showsDrafts: z.boolean().optional(),
    member: Id.optional(),
    changeRequest: Id.optional(),
    revision: Id.optional(),
  })
  .meta({ id: 'Visitor', description: 'What a visitor of a published site may read' })

/** The resources that a token is limited to, by their ids; those in a collection belong to it. */
export const LimitedTo = z
  .object({
    spaces: z.array(Id).describe('Ids of spaces'),
    collections: z.array(Id).describe('Ids of collections, with all that is in them'),
    sites: z.array(Id).describe('Ids of sites'),
  })
  .meta({
    id: 'LimitedTo',
    description: 'Spaces, collections with all that is in them, and sites that a token is limited to',
  })

/** Who makes a request, where a call between services names them. */
export const Actor = z
  .object({
    userId: Id,
    kind: z.literal('visitor').optional(),
    visitor: Visitor.optional(),
    platformAdmin: z.boolean(),
    scopes: z.array(z.string()),
    memberships: z.array(z.object({ organization: Id, role: Role.nullable(), teams: z.array(Id) })),
    expiresAt: z.number().optional(),
    sso: Id.optional(),
    ssoToken: Id.optional(),
    grant: Id.optional(),
    ssoRequired: z.array(Id).optional(),
    serviceAccount: Id.optional(),
    allowedAddresses: z.array(z.string()).optional(),
    limitedTo: LimitedTo.optional(),
  })
  .meta({ id: 'Actor', description: 'Who makes a request' })

function codePoints(value: string): number {
  let count = 0
  for (const _ of value) count += 1
  return count
}
