import { operations, type Operation } from '@recto/operation'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { Audience } from './index.ts'
import { cachePlaceOf, type CacheableRequest } from './reply-cache.rules.ts'

const { plan } = operations({
  plan: {
    route: 'GET /boxes/{boxId}/plans/{planId}',
    summary: 'Get a plan',
    query: z.object({ scale: z.coerce.number().default(1), unit: z.enum(['mm', 'in']).default('mm') }),
    reply: z.object({}),
    cache: { immutable: true, within: 'boxId' },
  },
})

const audience: Audience = { key: 'guests', resources: ['box'] }
const base: CacheableRequest = {
  matched: { service: 'toys', operationId: 'getPlan', operation: plan, params: { boxId: 'box', planId: 'plan' } },
  query: {},
  audience,
  isConditional: false,
  variant: 'build:1',
}
const as = (row: Partial<Operation>): Partial<CacheableRequest> => ({
  matched: { ...base.matched, operation: { ...(plan as Operation), ...row } },
})
const of = (params: Record<string, string>) => ({ matched: { ...base.matched, params } })
const { cache: _cache, ...mutable } = plan as Operation
const unowned: Operation = { ...mutable, cache: { immutable: true } }

describe('the reply to a request', () => {
  it.each<[string, Partial<CacheableRequest>]>([
    ['may change', { matched: { ...base.matched, operation: mutable } }],
    ['belongs to no resource', { matched: { ...base.matched, operation: unowned } }],
    ['depends on headers', as({ request: { headers: ['accept'] } })],
    ['depends on a body', as({ body: z.object({}) })],
    ['is no read', as({ route: 'POST /boxes/{boxId}/plans/{planId}' })],
    ['depends on other conditions', { isConditional: true }],
    ['is for a caller whose rights have to be asked for', { audience: undefined }],
    ['is of a resource that the audience does not have', { audience: { ...audience, resources: ['other'] } }],
    ['is of a path without the resource', of({ planId: 'plan' })],
    ['is a fault of the query', { query: { scale: 'large' } }],
    ['is a fault of a repeated field', { query: { unit: ['mm', 'in'] } }],
  ])('is not kept when it %s', (_case, changes) => {
    expect(cachePlaceOf({ ...base, ...changes })).toBeUndefined()
  })

  it.each<[string, Partial<CacheableRequest>]>([
    ['that fills a default in', { query: { scale: '1' } }],
    ['in another order', { query: { unit: 'mm', scale: '1.0' } }],
    ['with a field that the row does not have', { query: { utm: 'x' } }],
    ['with its parameters in another order', of({ planId: 'plan', boxId: 'box' })],
    ['of another caller with the same audience', { audience: { key: 'guests', resources: ['more', 'box'] } }],
  ])('is at one place for a request %s', (_case, changes) => {
    expect(cachePlaceOf({ ...base, ...changes })).toEqual(cachePlaceOf(base))
    expect(cachePlaceOf(base)?.within).toBe('box')
  })

  it.each<[string, Partial<CacheableRequest>]>([
    ['query', { query: { scale: '2' } }],
    ['path', of({ boxId: 'box', planId: 'other' })],
    ['path, divided in another way', of({ boxId: 'box', planId: 'pl', n: 'an' })],
    ['audience', { audience: { ...audience, key: 'others' } }],
    ['build or hour', { variant: 'build:2' }],
    ['operation', { matched: { ...base.matched, operationId: 'getPlans' } }],
    ['service', { matched: { ...base.matched, service: 'boxes' } }],
  ])('is at another place for another %s', (_case, changes) => {
    const place = cachePlaceOf({ ...base, ...changes })
    expect(place?.key).toMatch(/^[\w-]{43}$/)
    expect(place?.key).not.toBe(cachePlaceOf(base)?.key)
  })
})
