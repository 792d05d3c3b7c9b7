import { Failure } from '@recto/operation'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { patchResource, type PatchOperation } from './patch-resource.rules.ts'
import { readUser } from './read-user.rules.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const work = { value: 'a@corp.test', type: 'work', primary: true }
const home = { value: 'a@home.test', type: 'home' }
const user = () => ({
  userName: 'ann',
  displayName: 'Ann',
  name: { givenName: 'Ann', familyName: 'Smith' },
  emails: [work, home],
  favouriteColour: 'red',
  [enterprise]: { department: 'Sales' },
})
const op = (name: string, path?: string, value?: unknown): PatchOperation => ({
  op: name,
  ...(path !== undefined && { path }),
  ...(value !== undefined && { value }),
})

describe('A PATCH', () => {
  it.each<[string, PatchOperation[], object]>([
    ['replaces a text', [op('replace', 'displayName', 'B')], { displayName: 'B' }],
    ['ignores the case of operations and names', [op('REPLACE', 'DISPLAYNAME', 'B')], { displayName: 'B' }],
    [
      'reads a name behind its schema',
      [op('add', 'urn:ietf:params:scim:schemas:core:2.0:User:title', 'T')],
      { title: 'T' },
    ],
    [
      'finds an attribute that it does not know',
      [op('replace', 'FavouriteColour', 'blue')],
      { favouriteColour: 'blue' },
    ],
    [
      'adds a part of a complex attribute',
      [op('add', 'name.middleName', 'M')],
      { name: { givenName: 'Ann', familyName: 'Smith', middleName: 'M' } },
    ],
    [
      'merges a complex attribute',
      [op('replace', 'name', { givenName: 'B' })],
      { name: { givenName: 'B', familyName: 'Smith' } },
    ],
    ['makes a complex attribute', [op('add', 'address.street', 'S')], { address: { street: 'S' } }],
    ['takes an attribute away', [op('remove', 'displayName')], { displayName: undefined }],
    ['takes an attribute away by null', [op('replace', 'displayName', null)], { displayName: undefined }],
    [
      'takes away what is not there',
      [op('remove', 'title'), op('remove', 'phoneNumbers[type eq "work"]')],
      { userName: 'ann' },
    ],
    [
      'adds a value to several',
      [op('add', 'emails', [{ value: 'c@x.test' }])],
      { emails: [work, home, { value: 'c@x.test' }] },
    ],
    ['adds a value once', [op('add', 'emails', home)], { emails: [work, home] }],
    ['replaces several values', [op('replace', 'emails', { value: 'c@x.test' })], { emails: [{ value: 'c@x.test' }] }],
    [
      'changes a value that a filter selects',
      [op('replace', 'emails[type eq "work"].value', 'b@x.test')],
      { emails: [{ ...work, value: 'b@x.test' }, home] },
    ],
    [
      'changes a value by an object',
      [op('replace', 'emails[Type eq "home"]', { display: 'H' })],
      { emails: [work, { ...home, display: 'H' }] },
    ],
    [
      'adds a value that a filter describes',
      [op('add', 'phoneNumbers[type eq "mobile"].value', '1')],
      { phoneNumbers: [{ type: 'mobile', value: '1' }] },
    ],
    [
      'replaces a value that is not there as if it added it',
      [op('replace', 'phoneNumbers[type eq "mobile" and primary eq true].value', '1')],
      { phoneNumbers: [{ type: 'mobile', primary: true, value: '1' }] },
    ],
    ['removes a value that a filter selects', [op('remove', 'emails[value eq "a@home.test"]')], { emails: [work] }],
    [
      'removes a part of a value',
      [op('remove', 'emails[type eq "home"].type')],
      { emails: [work, { value: 'a@home.test' }] },
    ],
    ['removes values that are named', [op('remove', 'emails', [{ value: 'a@home.test' }])], { emails: [work] }],
    [
      'reads "True" in a filter',
      [op('replace', 'emails[primary eq "True"].value', 'b@x.test')],
      { emails: [{ ...work, value: 'b@x.test' }, home] },
    ],
    [
      'gives the primary mark on',
      [op('replace', 'emails[type eq "home"].primary', 'True')],
      {
        emails: [
          { ...work, primary: false },
          { ...home, primary: true },
        ],
      },
    ],
    ['reads booleans that are texts', [op('replace', 'active', 'False')], { active: false }],
    [
      'takes an object without a path',
      [op('replace', undefined, { active: 'True', displayname: 'B' })],
      { active: true, displayName: 'B' },
    ],
    [
      'takes dotted names and filters as keys',
      [op('add', undefined, { 'name.givenName': 'B', 'emails[type eq "home"].value': 'c@x.test' })],
      { name: { givenName: 'B', familyName: 'Smith' }, emails: [work, { ...home, value: 'c@x.test' }] },
    ],
    [
      'changes an extension by its path',
      [op('replace', `${enterprise}:department`, 'B')],
      { [enterprise]: { department: 'B' } },
    ],
    [
      'changes an extension in any case',
      [op('replace', `${enterprise.toUpperCase()}:Department`, 'B')],
      { [enterprise]: { department: 'B' } },
    ],
    [
      'changes an extension by an object',
      [op('add', undefined, { [enterprise]: { division: 'D' } })],
      { [enterprise]: { department: 'Sales', division: 'D' } },
    ],
    [
      'changes an extension as a path',
      [op('add', enterprise, { division: 'D' })],
      { [enterprise]: { department: 'Sales', division: 'D' } },
    ],
    ['takes an extension away', [op('remove', enterprise)], { [enterprise]: undefined }],
    [
      'makes an extension that it does not know',
      [op('add', 'urn:corp:1.0:User:badge', '7')],
      { 'urn:corp:1.0:User': { badge: '7' } },
    ],
    [
      'takes a manager by their id',
      [op('add', `${enterprise}:manager`, 'boss')],
      { [enterprise]: { department: 'Sales', manager: { value: 'boss' } } },
    ],
    [
      'leaves out what cannot be changed in an object',
      [op('replace', undefined, { id: 'x', schemas: [], meta: {}, groups: [], title: 'T' })],
      { title: 'T', id: undefined },
    ],
    [
      'forgets a password',
      [op('replace', 'password', 'secret'), op('add', undefined, { password: 'x' })],
      { password: undefined },
    ],
    [
      'applies operations in their order',
      [op('add', 'title', 'A'), op('remove', 'title'), op('add', 'title', 'B')],
      { title: 'B' },
    ],
    [
      'applies operations in their order, the other way round',
      [op('add', 'title', 'B'), op('add', 'title', 'A'), op('remove', 'title')],
      { title: undefined },
    ],
  ])('%s', (_case, operations, expected) => {
    const before = user()
    const after = patchResource(before, operations)
    expect(Object.fromEntries(Object.keys(expected).map(key => [key, after[key]]))).toEqual(expected)
    expect(before).toEqual(user())
  })

  it.each<[string, PatchOperation, string]>([
    ['an unknown operation', op('move', 'title', 'x'), 'invalidSyntax'],
    ['a removal without a path', op('remove'), 'noTarget'],
    ['a text without a path', op('replace', undefined, 'x'), 'invalidValue'],
    ['an id', op('replace', 'id', 'x'), 'mutability'],
    ['the groups', op('add', 'groups', []), 'mutability'],
    ['meta', op('remove', 'meta.version'), 'mutability'],
    ['a path that is none', op('replace', 'a b', 'x'), 'invalidPath'],
    ['a path of three parts', op('replace', 'a.b.c', 'x'), 'invalidPath'],
    ['an open filter', op('replace', 'emails[type eq "work".value', 'x'), 'invalidPath'],
    ['a filter that is none', op('replace', 'emails[type is "work"].value', 'x'), 'invalidFilter'],
    ['a filter that selects nothing', op('replace', 'emails[type co "other"].value', 'x'), 'noTarget'],
    ['a filter of a single value', op('replace', 'displayName[value eq "x"].a', 'x'), 'noTarget'],
    ['an extension that is a text', op('replace', enterprise, 'x'), 'invalidValue'],
    ['__proto__', op('add', '__proto__', { isAdmin: true }), 'invalidPath'],
    ['a part named __proto__', op('add', 'name.__proto__', { isAdmin: true }), 'invalidPath'],
    ['a key named __proto__', op('add', undefined, JSON.parse('{"__proto__":{"isAdmin":true}}')), 'invalidPath'],
    ['a value with __proto__', op('add', 'name', JSON.parse('{"__proto__":{"isAdmin":true}}')), 'invalidPath'],
    ['an extension with constructor', op('add', 'urn:a:b:constructor.prototype', 'x'), 'invalidPath'],
    ['a filter that describes __proto__', op('add', 'emails[__proto__ eq "x"].value', 'x'), 'invalidPath'],
    [
      'a value that is too deep',
      op(
        'add',
        'x',
        Array.from({ length: 20 }).reduce<unknown>(inner => [inner], 1),
      ),
      'invalidValue',
    ],
  ])('refuses %s', (_case, operation, protocolCode) => {
    expect(() => patchResource(user(), [operation])).toThrow(expect.objectContaining({ protocolCode }))
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
  })

  const names = fc.constantFrom(
    'displayName',
    'title',
    'emails',
    'name',
    'active',
    'favouriteColour',
    'userName',
    'phoneNumbers',
    enterprise,
    'x-y',
    '__proto__',
    'constructor',
  )
  const paths = fc.oneof(
    names,
    fc.tuple(names, fc.constantFrom('value', 'givenName', '__proto__', 'a')).map(([name, part]) => `${name}.${part}`),
    fc
      .tuple(names, fc.constantFrom('type eq "work"', 'value pr', 'primary eq "True"', 'not (type eq "x")', '((', ''))
      .map(([name, filter]) => `${name}[${filter}].value`),
    names.map(name => `${enterprise}:${name}`),
    fc.string({ maxLength: 30 }),
  )
  const values = fc.oneof(
    fc.string({ maxLength: 10 }),
    fc.boolean(),
    fc.constant(null),
    fc.jsonValue({ maxDepth: 3 }),
    fc.constant([{ value: 'b@x.test', type: 'work' }]),
  )
  const operations = fc.array(
    fc.record(
      { op: fc.constantFrom('add', 'Add', 'replace', 'REPLACE', 'remove', 'move'), path: paths, value: values },
      { requiredKeys: ['op'] },
    ),
    { maxLength: 6 },
  )

  it('Any operations give a resource that can be read again, or a failure of SCIM, and reach no prototype', () => {
    fc.assert(
      fc.property(operations, list => {
        try {
          const { attributes } = readUser(patchResource(user(), list as PatchOperation[]))
          expect(readUser({ ...attributes, userName: 'ann', emails: [work] }).userName).toBe('ann')
          expect(Object.getPrototypeOf(attributes)).toBe(Object.prototype)
        } catch (error) {
          expect(error).toBeInstanceOf(Failure)
          expect((error as Failure).protocolCode).toBeDefined()
        }
        expect(Object.keys(Object.prototype)).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })

  it('Attributes that no operation names are kept', () => {
    const sent = fc.dictionary(fc.stringMatching(/^z[a-z]{1,8}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 })
    fc.assert(
      fc.property(sent, unknown => {
        const after = patchResource({ ...user(), ...unknown }, [
          op('replace', 'displayName', 'B'),
          op('add', 'title', 'T'),
        ])
        expect(after).toEqual({ ...user(), ...unknown, displayName: 'B', title: 'T' })
      }),
    )
  })
})
