import { recordTypesBySource, reads, type Endpoint } from '@recto/contracts-shared'
import { createsSomething, routeOf } from '@recto/operation'
import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { api, calls, protocols } from './index.ts'

const rows = protocols.flatMap(({ base, api: tables }) =>
  Object.entries(tables).flatMap(([service, table]) =>
    Object.entries(table).map(([id, row]) => ({ base, service, id, row: row as Endpoint })),
  ),
)
const idsIn = (tables: Record<string, object>) => Object.values(tables).flatMap(table => Object.keys(table))

it('Protocols have bases of their own, which no path of the API begins with', () => {
  const bases = protocols.map(({ base }) => base)
  expect(new Set(bases).size).toBe(bases.length)
  expect(bases.every(base => !base.startsWith('/v1') && !base.endsWith('/'))).toBe(true)
})

it('Rows of protocols have names and routes of their own', () => {
  const ids = [...rows.map(({ id }) => id), ...idsIn(api), ...idsIn(calls)]
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  const routes = rows.map(({ base, row }) => `${base} ${row.route.replaceAll(/\{\w+\}/g, '{}')}`)
  expect(new Set(routes).size).toBe(routes.length)
})

it.each(rows)('$id has schemas that convert to JSON Schema', ({ row: { query, body, reply } }) => {
  for (const schema of [query, body, reply])
    if (schema && schema.def.type !== 'undefined') expect(() => z.toJSONSchema(schema, { io: 'input' })).not.toThrow()
})

it.each(rows)('$id says what it records, and whether it creates something', ({ service, row }) => {
  const { method } = routeOf(row) as { method: string }
  const { records } = row
  if (method === 'GET') return expect(records).toBeUndefined()
  if (method === 'POST') expect(createsSomething(row)).toBe(row.isIdempotent !== true)
  if (!Array.isArray(records)) return expect([reads, { nothing: expect.any(String) }]).toContainEqual(records)
  const types = Object.keys(recordTypesBySource[service as keyof typeof recordTypesBySource])
  expect(types).toEqual(expect.arrayContaining(records))
})

it.each(rows.filter(({ row }) => row.route.includes('{')))('$id may find nothing', ({ row }) =>
  expect(row.errors).toContain('not_found'),
)
