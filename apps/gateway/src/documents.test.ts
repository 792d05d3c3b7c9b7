import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from '@jest/globals'
import { apiDocument } from './documents.ts'

describe('the API document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(apiDocument())))
    expect(result).toMatchObject({ valid: true })
  })

  // `npm run openapi` writes it anew; its difference is the review of a change of the API.
  it('is the committed openapi.json', async () => {
    await expect(`${JSON.stringify(apiDocument(), null, 2)}\n`).toMatchFileSnapshot('../../../openapi.json')
  })
})
