import type { Operation } from '@recto/operation'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { api } from './index.ts'

interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  [keyword: string]: unknown
}

/** Calls `visit` with every part of a schema, once. */
function walk(part: unknown, visit: (schema: Schema) => void): void {
  if (typeof part !== 'object' || part === null) return
  if (!Array.isArray(part)) visit(part as Schema)
  for (const child of Object.values(part)) walk(child, visit)
}

/** The documents of a schema: objects whose `object` is `document`. */
function documentsOf(schema: z.ZodType, io: 'input' | 'output'): Schema[] {
  const documents: Schema[] = []
  walk(z.toJSONSchema(schema, { io }), part => {
    if (part.properties?.['object']?.const === 'document') documents.push(part)
  })
  return documents
}

const rows = Object.values(api).flatMap(operations => Object.entries(operations as Record<string, Operation>))
const withDocuments = (part: 'body' | 'reply', io: 'input' | 'output') =>
  rows.flatMap(([id, row]) => {
    const schema = row[part]
    const documents = schema && schema.def.type !== 'undefined' ? documentsOf(schema, io) : []
    return documents.length > 0 ? [{ id, documents }] : []
  })

const bodies = withDocuments('body', 'input')
const replies = withDocuments('reply', 'output')

describe('A document', () => {
  it.each(bodies)('A document in the body of $id may leave out its schema version and its data', ({ documents }) => {
    for (const { required, properties } of documents) {
      expect(required).toEqual(['object', 'nodes'])
      const { required: inData = [], properties: data } = properties?.['data'] ?? {}
      expect(inData).toEqual([])
      expect(data?.['schemaVersion']).toMatchObject({ type: 'number' })
    }
  })

  it.each(replies)('A document in the reply of $id has a schema version and nodes', ({ documents }) => {
    for (const { required, properties } of documents) {
      expect(required).toEqual(['object', 'data', 'nodes'])
      expect(properties?.['data']?.required).toEqual(['schemaVersion'])
    }
  })

  it('Bodies and replies with documents are among those that these tests check', () => {
    expect(bodies.length).toBeGreaterThan(10)
    expect(replies.length).toBeGreaterThan(20)
  })
})
