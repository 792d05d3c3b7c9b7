import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aSpace, type ContentSetup } from '../../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const spec = { ref: { kind: 'openapi' as const, spec: 'petstore' } }
const base = { type: 'builtin:openapi' as const, dependencies: { spec } }
const documentBody = { source: { ...base, props: { doc: 'models' as const } }, seed: 'x' }
const revisionBody = { source: { ...base, props: { models: true } }, seed: 'x' }

describe('computed content', () => {
  it('is not found, by the name of its specification', async () => {
    const params = { spaceId: await aSpace(content) }
    const client = content.as('read')
    const refused = { code: 'not_found', message: 'There is no specification petstore' }
    await expect(client.getComputedDocument({ params, body: documentBody })).rejects.toMatchObject(refused)
    await expect(client.getComputedRevision({ params, body: revisionBody })).rejects.toMatchObject(refused)
  })

  it('is refused for other sources, with the field', async () => {
    const params = { spaceId: await aSpace(content) }
    const body = { ...documentBody, source: { ...documentBody.source, type: 'other' as 'builtin:openapi' } }
    await expect(content.as('read').getComputedDocument({ params, body })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body.source.type' }],
    })
  })

  it('is not found for outsiders', async () => {
    const params = { spaceId: await aSpace(content) }
    const outsider = content.as(undefined)
    expect(await failure(outsider.getComputedDocument({ params, body: documentBody }))).toBe('not_found')
  })
})
