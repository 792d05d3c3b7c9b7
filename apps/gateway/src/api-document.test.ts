import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { publishedOperations } from '@recto/testing'
import { describe, expect, it } from '@jest/globals'
import { apiDocument, writtenDocument } from './api-document.ts'

describe('the API document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(apiDocument())))
    expect(result).toMatchObject({ valid: true })
  })

  it('names every published operation by its published id, method and path', () => {
    const ours = Object.entries(apiDocument().paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      ([path, item]) =>
        Object.entries(item).map(([method, { operationId }]) => ({ operationId, method: method.toUpperCase(), path })),
    )
    const published = publishedOperations()
    const place = ({ method, path }: { method: string; path: string }) =>
      `${method} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`
    const documents = new Map(
      published.flatMap(operation => [
        [place(operation), operation],
        [operation.operationId, operation],
      ]),
    )
    const shared = ours.flatMap(operation => {
      const theirs = documents.get(place(operation)) ?? documents.get(operation.operationId)
      return theirs ? [{ operation, theirs }] : []
    })
    expect(shared.length).toBeGreaterThan(70)
    expect(shared.map(({ operation }) => operation)).toEqual(shared.map(({ theirs }) => theirs))
  })

  // `npm run openapi` regenerates it; its diff shows a change of the API for review.
  it('is the committed openapi.json', async () => {
    const committed = await readFile(join(import.meta.dirname, '../../../openapi.json'), 'utf8')
    expect(writtenDocument()).toBe(committed)
  })
})
