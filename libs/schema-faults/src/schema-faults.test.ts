import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { parseWithFaults } from './index.ts'

const Role = z.enum(['read', 'edit'])
const Level = z.union([Role, z.literal('inherit')]).nullable()
const Pointer = z.union([
  z.object({ type: z.literal('space'), space: z.string() }),
  z.object({ type: z.literal('collection'), collection: z.string() }),
])
const Grant = z.union([z.object({ level: Role, space: z.string() }), z.object({ level: Role, team: z.string() })])
const Invite = z.union([z.email(), z.object({ email: z.email(), role: Role.nullable().optional() })])
const Tagged = z.discriminatedUnion('type', [
  z.object({ type: z.literal('page') }),
  z.object({ type: z.literal('link') }),
])
const Tree = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree)
  },
})
const Name = z.string().refine(value => value !== 'x', 'must be a user id')
const limit = z.coerce.number().int().min(0).max(1000)
const space = '{"type": "space", "space": …}'
const collection = '{"type": "collection", "collection": …}'
const pointers = `must be ${space} or ${collection}`
const levels = 'must be one of "read", "edit", "inherit" or null'
const missing = undefined

/** Each fault as a caller reads it, without the path of the field itself. */
function faultsIn(schema: z.ZodType, value: unknown): string[] {
  const result = parseWithFaults(z.object({ field: schema }), { field: value }, ['body'])
  if (result.success) return []
  return result.faults.map(({ path, message }) => `${path}: ${message}`.replace(/^body\.field(: |\.)/, ''))
}

it.each<[z.ZodType, unknown, ...string[]]>([
  [z.string(), missing, 'is required'],
  [z.string().nullable(), missing, 'is required'],
  [Role, missing, 'is required'],
  [Level, missing, 'is required'],
  [z.literal('a'), missing, 'is required'],
  [z.object({ a: z.string(), b: z.number() }), {}, 'a: is required', 'b: is required'],

  [z.string(), 1, 'must be a string'],
  [z.string().optional(), null, 'must be a string'],
  [z.string().nullable().optional(), 1, 'must be a string or null'],
  [z.number(), '1', 'must be a number'],
  [z.number().int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'yes', 'must be a boolean'],
  [z.array(z.string()), 'a', 'must be an array'],
  [z.array(z.string().nullable()), ['a', 1], '1: must be a string or null'],
  [z.object({}), [], 'must be an object'],
  [z.null(), 1, 'must be null'],
  [z.record(z.string(), Role.nullable()), { a: 1 }, 'a: must be one of "read", "edit" or null'],
  [z.never().optional(), 1, 'must be left out'],
  [limit, 'many', 'must be a number'],
  [limit, ['1', '2'], 'must be a number'],
  [limit, '1.5', 'must be a whole number'],

  [Role, 'owner', 'must be "read" or "edit"'],
  [Role.nullable().optional(), 'owner', 'must be one of "read", "edit" or null'],
  [z.literal('site'), 'page', 'must be "site"'],
  [z.literal([1, true]), 2, 'must be 1 or true'],
  [Level, 'owner', 'must be one of "read", "edit", "inherit" or null'],
  [Level.optional(), 0, 'must be one of "read", "edit", "inherit" or null'],
  [z.union([z.string(), z.number(), z.boolean()]), [], 'must be a string, a number or a boolean'],
  [Tagged, { type: 'file' }, 'type: must be "page" or "link"'],

  [Pointer, 'a', pointers],
  [Pointer, null, pointers],
  [Pointer.nullable(), [], `must be one of ${space}, ${collection} or null`],
  [Pointer, {}, pointers],
  [Pointer, { type: 'page', space: 'a' }, pointers],
  [Pointer, { type: 'space' }, 'space: is required'],
  [Pointer, { type: 'collection', collection: 1 }, 'collection: must be a string'],
  [Pointer, { space: 'a' }, 'type: is required'],
  [z.array(Pointer), [{ type: 'space' }], '0.space: is required'],
  [Grant, { level: 'read' }, 'must be {"level": …, "space": …} or {"level": …, "team": …}'],
  [Grant, { level: 'owner', team: 'a' }, 'level: must be "read" or "edit"'],
  [Invite, 1, 'must be an e-mail address or {"email": …}'],
  [Invite, 'nobody', 'must be an e-mail address'],
  [
    Invite,
    { email: 'nobody', role: 1 },
    'email: must be an e-mail address',
    'role: must be one of "read", "edit" or null',
  ],
  [z.union([z.object({ a: z.string().optional() }), z.array(z.string())]), 1, 'must be an object or an array'],

  [z.string().max(50), 'a'.repeat(51), 'must have at most 50 characters'],
  [z.string().min(1), '', 'must have at least 1 character'],
  [z.string().length(2), 'a', 'must have exactly 2 characters'],
  [z.array(z.string()).min(1), [], 'must have at least 1 item'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 items'],
  [z.array(z.string()).max(2), 'abc', 'must be an array'],
  [z.string().max(1), ['a', 'b'], 'must be a string'],
  [limit, '1001', 'must be at most 1000'],
  [limit, '-1', 'must be at least 0'],
  [z.number().lt(1), 1, 'must be less than 1'],
  [z.number().gt(1), 1, 'must be more than 1'],
  [z.number().multipleOf(5), 1, 'must be a multiple of 5'],

  [z.url(), 'a', 'must be a URL'],
  [z.email(), 'a', 'must be an e-mail address'],
  [z.iso.datetime(), 'tomorrow', 'must be a point in time (ISO 8601)'],
  [z.ipv4(), 'a', 'must be of the format ipv4'],
  [z.string().regex(/^a/), 'b', 'must match /^a/'],

  [Tree, { name: 'a', children: [{ name: 1, children: [] }] }, 'children.0.name: must be a string'],
  [z.tuple([z.string(), Role.nullable()]), ['a', 'owner'], '1: must be one of "read", "edit" or null'],
  [z.tuple([z.string()], z.number().nullable()), ['a', 'b'], '1: must be a number or null'],
  [z.tuple([z.string()]), 1, 'must be an array'],
  [z.intersection(z.object({ a: Level }), z.object({ b: z.string() })), { a: 1, b: 'b' }, `a: ${levels}`],
  [z.object({}).catchall(z.string().nullable()), { a: 1 }, 'a: must be a string or null'],
  [z.looseObject({ a: z.string() }), { a: 1, b: 1 }, 'a: must be a string'],
  [z.string().nullable().pipe(z.string()), 1, 'must be a string or null'],
  [z.string().nullable().catch(null).prefault('a'), missing],
  [z.string().nullable().prefault('a'), 1, 'must be a string or null'],
  [z.string().nullable().readonly(), 1, 'must be a string or null'],
  [z.string().optional().nonoptional(), missing, 'is required'],
  [z.lazy(() => Level), 'owner', levels],
  [z.union([z.lazy(() => Role), z.string().pipe(z.email())]), 1, 'must be "read", "edit" or a string'],
  [z.partialRecord(z.enum(['a', 'b']), z.number()), { c: 1 }, 'must not have "c"'],
  [z.record(z.enum(['a', 'b']), z.number()), { a: 1 }, 'b: is required'],
  [z.array(z.object({ to: z.array(Pointer) })), [{ to: [{ type: 'space' }] }], '0.to.0.space: is required'],
  [z.string().transform(value => value.length), 1, 'must be a string'],
  [z.json(), () => 1, 'must be a string, a number, a boolean, null, an array or an object'],
  [z.string().superRefine((_value, { addIssue }) => addIssue('must be a name')), 'a', 'must be a name'],
  [z.string().superRefine((_value, { addIssue }) => addIssue({ code: 'custom' })), 'a', 'is not valid'],
  [z.map(z.string(), z.number()), new Map([['a', 'b']]), 'a: must be a number'],

  [z.strictObject({}), { a: 1, b: 1 }, 'must not have "a", "b"'],
  [z.record(Name, z.string()), { x: 'a' }, 'x: its key must be a user id'],
  [z.record(z.email(), z.string()), { x: 'a' }, 'x: its key must be an e-mail address'],
  [z.string().refine(() => false), 'a', 'is not valid'],
  [Name, 'x', 'must be a user id'],
  [z.string('must be a name'), 1, 'must be a name'],
  [z.string('must be a name'), missing, 'must be a name'],
  [z.union([Role, z.number()], 'must be a role'), 'owner', 'must be a role'],
  [z.union([z.object({ name: z.string('must be a name') }), z.number()]), { name: 1 }, 'name: must be a name'],
])('case %#', (schema, value, ...faults) => {
  expect(faultsIn(schema, value)).toEqual(faults)
})

describe('parsing', () => {
  it('returns the output of a schema that accepts the value', () => {
    expect(parseWithFaults(z.object({ a: z.coerce.number(), b: z.string().default('b') }), { a: '1', c: 1 })).toEqual({
      success: true,
      data: { a: 1, b: 'b' },
    })
  })

  it('returns the keys of a fault, which may contain dots', () => {
    expect(parseWithFaults(z.record(z.string(), z.number()), { 'a.b': 'c' }, ['body'])).toEqual({
      success: false,
      faults: [{ path: 'body.a.b', keys: ['body', 'a.b'], message: 'must be a number' }],
    })
  })

  it('names a fault of the whole value by the passed keys, and has no path without them', () => {
    expect(parseWithFaults(z.string(), 1)).toEqual({
      success: false,
      faults: [{ path: '', keys: [], message: 'must be a string' }],
    })
  })
})

const words = ['a', '', 'null', 'x'.repeat(300), 1, -1, 1.5, 2 ** 60, Number.NaN, true, null, missing, [], [null], {}]
const kinds: [string, z.ZodType][] = [
  [
    'string formats',
    z.object({ a: z.url(), b: z.uuid(), c: z.iso.date(), d: z.base64(), e: z.cidrv4(), f: z.nanoid() }),
  ],
  [
    'string checks',
    z.object({ a: z.string().startsWith('b'), b: z.string().includes('c'), c: z.string().lowercase() }),
  ],
  ['numbers', z.object({ a: z.int(), b: z.int32(), c: z.float64(), d: z.number().positive(), e: z.coerce.number() })],
  ['others', z.object({ a: z.date(), b: z.bigint(), c: z.symbol(), d: z.file(), e: z.nan(), f: z.stringbool() })],
  ['wrappers', z.object({ a: Role.nullish(), b: Role.readonly(), c: z.lazy(() => Role), d: z.string().pipe(Role) })],
  ['collections', z.object({ a: z.array(Role), b: z.tuple([Role]), c: z.record(Role, Role), d: z.set(Role) })],
  ['unions', z.object({ a: Pointer, b: Tagged, c: Grant, d: Level, e: z.xor([z.string(), z.string().min(2)]) })],
  ['templates', z.object({ a: z.templateLiteral(['a', z.number()]), b: z.instanceof(Date), c: z.void() })],
]

it.each(kinds)('the faults of %s contain no text of zod', (_kind, schema) => {
  const ofZod = /invalid|expected|received|too (big|small)|unrecognized/i
  const fields = Object.keys((schema as z.ZodObject).shape)
  const messages = words.flatMap(word => {
    const result = parseWithFaults(schema, Object.fromEntries(fields.map(field => [field, word])))
    return result.success ? [] : result.faults.map(({ message }) => message)
  })
  expect(messages.length).toBeGreaterThan(words.length)
  expect(messages.filter(message => ofZod.test(message) || !/^(must |is |has )./.test(message))).toEqual([])
})
