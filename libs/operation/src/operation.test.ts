import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { allows, routeOf, scopeOf, type Operation, type Scope } from './operation.ts'

const row = (more: Partial<Operation>): Operation => ({ summary: 'A row', reply: z.object({}), ...more })

describe('a token allows operations of its scope and lower ones', () => {
  it.each<[held: string[], needed: Scope, may: boolean]>([
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
  ])('%j needs %s: %s', (held, needed, may) => expect(allows(held, needed)).toBe(may))
})

describe('a row needs the scope', () => {
  it.each<[string, Partial<Operation>, Scope]>([
    ['read to get', { route: 'GET /things' }, 'read'],
    ['write to post', { route: 'POST /things' }, 'write'],
    ['write to delete', { route: 'DELETE /things/{thingId}' }, 'write'],
    ['it names', { route: 'GET /things', access: { scope: 'admin' } }, 'admin'],
    ['write without a route', {}, 'write'],
  ])('%s', (_name, more, scope) => expect(scopeOf(row(more))).toBe(scope))
})

describe('the route of a row', () => {
  it('is its method and its path', () => {
    expect(routeOf(row({ route: 'PATCH /things/{thingId}' }))).toEqual({ method: 'PATCH', path: '/things/{thingId}' })
  })

  it('is missing when the row is called over the bus only', () => expect(routeOf(row({}))).toBeUndefined())
})
