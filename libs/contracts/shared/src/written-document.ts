import { z } from 'zod'
import { JSONDocument } from '@recto/markdown/schema'
import { asJson, isStorable, storableMessage } from './conventions.ts'

/** Levels of blocks in a document. */
const maxLevels = 100

/** Counts level by level: a document can be nested deeper than the stack is. */
function hasFewLevels(document: unknown): boolean {
  let nodes: unknown[] = [document]
  for (let level = 0; nodes.length > 0; level += 1) {
    if (level > maxLevels) return false
    nodes = nodes.flatMap(node => {
      const { nodes: inside = [], fragments = [] } = node as { nodes?: unknown[]; fragments?: unknown[] }
      return [...inside, ...fragments]
    })
  }
  return true
}

/** A document of a request body: every body takes its documents by this schema. */
export const WrittenDocument = JSONDocument.extend({
  data: z.looseObject({ schemaVersion: z.number().optional().describe('The current version unless given') }).optional(),
})
  .superRefine((document, { addIssue }) => {
    if (!hasFewLevels(document)) return addIssue(`must have at most ${maxLevels} levels`)
    if (!isStorable(document)) addIssue(storableMessage)
  })
  .meta({ id: 'WrittenDocument', description: 'A document of a request: its schema version may be left out' })

/** A written document with at most this many characters as JSON. */
export function boundedDocument(max: number): typeof WrittenDocument {
  return WrittenDocument.refine(document => (asJson(document)?.length ?? Infinity) <= max, {
    message: `must have at most ${max} characters as JSON`,
  })
}
