import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { routeOf, type Operation } from './operation.ts'

const row = (more: Partial<Operation>): Operation => ({ summary: 'A row', reply: z.object({}), ...more })

describe('the route of a row', () => {
  it('is its method and its path', () => {
    expect(routeOf(row({ route: 'PATCH /things/{thingId}' }))).toEqual({ method: 'PATCH', path: '/things/{thingId}' })
  })

  it('is missing when the row is called over the bus only', () => expect(routeOf(row({}))).toBeUndefined())
})
