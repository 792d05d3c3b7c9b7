import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { Operation } from './operation.ts'
import type { ScopeGroup } from './scope-groups.ts'
import { allowsOperation, groupOf, requireAllowed, scopeOf } from './scopes.ts'

const row = (more: Partial<Operation>): Operation => ({ summary: 'A row', reply: z.object({}), ...more })

describe('a token allows operations of its group of scopes and lower ones', () => {
  it.each<[held: string[], needed: ScopeGroup, may: boolean]>([
    [['read'], 'read', true],
    [['read'], 'write', false],
    [['read'], 'admin', false],
    [['write'], 'read', true],
    [['write'], 'write', true],
    [['write'], 'admin', false],
    [['admin'], 'read', true],
    [['admin'], 'write', true],
    [['admin'], 'admin', true],
    [['read', 'admin'], 'write', true],
    [[], 'read', false],
    [[], 'admin', false],
    [['Read', 'everything', ''], 'read', false],
  ])('%j needs %s: %s', (held, group, may) => expect(allowsOperation(held, row({ access: { group } }))).toBe(may))
})

describe('a token allows operations of a scope that it holds by its name', () => {
  it.each<[held: string[], Partial<Operation>, may: boolean]>([
    [['toy:read'], { route: 'GET /toys', scope: 'toy:read' }, true],
    [['toy:read', 'box:write'], { route: 'POST /boxes', scope: 'box:write' }, true],
    [['toy:write'], { route: 'GET /toys', scope: 'toy:read' }, false],
    [['toy:read'], { route: 'GET /toys' }, false],
    [['read'], { route: 'GET /toys', scope: 'toy:read' }, true],
    [['read'], { route: 'POST /toys', scope: 'toy:write' }, false],
    [[], { route: 'GET /toys', scope: 'toy:read' }, false],
  ])('%j for %j: %s', (held, more, may) => expect(allowsOperation(held, row(more))).toBe(may))
})

describe('a token that is limited to resources', () => {
  const limited = { userId: 'ada', scopes: ['admin'], limitedTo: { boxes: [] } }
  const message = 'The token is limited'

  it('may use rows that say so, and no others', () => {
    expect(() => requireAllowed(row({ access: { limited: 'checked' } }), limited)).not.toThrow()
    expect(() => requireAllowed(row({ access: { limited: 'filtered' } }), limited)).not.toThrow()
    expect(() => requireAllowed(row({ access: {} }), limited)).toThrow(message)
    expect(() => requireAllowed(row({}), limited)).toThrow(message)
  })

  it('needs the scope of a row, too', () => {
    const scoped = row({ scope: 'toy:read', access: { limited: 'checked' } })
    expect(() => requireAllowed(scoped, { ...limited, scopes: ['box:read'] })).toThrow('lacks the scope')
  })
})

describe('a row needs', () => {
  it.each<[string, Partial<Operation>, ScopeGroup]>([
    ['read to get', { route: 'GET /things' }, 'read'],
    ['write to post', { route: 'POST /things' }, 'write'],
    ['write to delete', { route: 'DELETE /things/{thingId}' }, 'write'],
    ['the group that it names', { route: 'GET /things', access: { group: 'admin' } }, 'admin'],
    ['write without a route', {}, 'write'],
  ])('%s', (_name, more, group) => expect(groupOf(row(more))).toBe(group))

  it('the scope that it names, or its group', () => {
    expect(scopeOf(row({ route: 'GET /toys', scope: 'toy:read' }))).toBe('toy:read')
    expect(scopeOf(row({ route: 'GET /toys' }))).toBe('read')
  })
})
