import { openApiSpecCalls } from '@recto/contracts-openapi-specs-bus'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aDocument } from '../test/documents.ts'
import { aSpecService, organization, type SpecsSetup } from '../test/specs-setup.ts'

let specs: SpecsSetup
beforeAll(async () => void (specs = await aSpecService()))
afterAll(() => specs.stop())

describe('content asks', () => {
  it('for a specification of a URL, in the name of somebody who may create one', async () => {
    const of = (role: 'create' | 'read') => {
      const memberships = [{ organization, role, teams: [] }]
      const actor = { userId: 'u', platformAdmin: false, scopes: [], memberships }
      const url = 'https://api.test/openapi.json'
      return specs.calls.createSpecification({ body: { actor, organization, slug: 'of-a-site', url } })
    }
    await expect(of('read')).rejects.toMatchObject({ code: 'forbidden' })
    expect(await of('create')).toEqual({ slug: 'of-a-site' })
    await expect(of('create')).rejects.toMatchObject({ code: 'conflict' })
  })

  it('for the outlines of last versions, and for specifications as a member sees them', async () => {
    const at = { organizationId: organization }
    const source = { text: JSON.stringify(aDocument()) }
    await specs.as('create').createOpenAPISpec({ params: at, body: { slug: 'asked', source } })
    const { lastVersion } = await eventually(async () => {
      const spec = await specs.as('read').getOpenAPISpecBySlug({ params: { ...at, specSlug: 'asked' } })
      expect(spec.processingState).toBe('complete')
      return spec
    })
    const body = { organization, slugs: ['asked', 'nothing'] }
    const { versions } = await specs.calls.describeVersions({ body })
    expect(versions).toEqual([
      expect.objectContaining({
        slug: 'asked',
        version: lastVersion,
        outline: expect.objectContaining({ title: 'Toys', pages: [expect.objectContaining({ key: 'operations' })] }),
      }),
    ])
    const of = async (role: 'read' | null, organization: string) => {
      const memberships = [{ organization, role, teams: [] }]
      const actor = { userId: 'u', platformAdmin: false, scopes: [], memberships }
      return (await specs.calls.describeSpecs({ body: { ...body, actor } })).specs.map(({ slug }) => slug)
    }
    expect(await of('read', organization)).toEqual(['asked'])
    expect([await of(null, organization), await of('read', 'another')]).toEqual([[], []])
    expect((await specs.calls.describeVersions({ body: { ...body, organization: 'another' } })).versions).toEqual([])
  })

  /** The answers of calls to whom no specification is shown. */
  const hidden: Record<string, (body: object) => Promise<unknown>> = {
    createSpecification: body =>
      expect(
        specs.calls.createSpecification({ body: { ...body, slug: 'new', url: 'https://a.test' } as never }),
      ).rejects.toMatchObject({ code: 'forbidden' }),
    describeSpecs: async body =>
      expect(await specs.calls.describeSpecs({ body: { ...body, slugs: ['asked'] } as never })).toEqual({ specs: [] }),
  }
  const inTheNameOf = Object.entries(openApiSpecCalls).filter(([, { body }]) => 'actor' in body.shape)

  it.each(inTheNameOf)('nothing by %s in the name of a token that is limited, which no limit covers', async id => {
    const memberships = [{ organization, role: 'admin', teams: [] }]
    const limitedTo = { spaces: ['s'], collections: ['c'], sites: ['t'] }
    const actor = { userId: 'u', platformAdmin: false, scopes: [], memberships, limitedTo }
    await hidden[id]?.({ actor, organization })
    expect(hidden).toHaveProperty(id)
  })
})
