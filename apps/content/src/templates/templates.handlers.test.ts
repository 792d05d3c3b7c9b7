import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContentWithSpecs, anOutline, type SpecService } from '../test/a-spec-service.ts'
import { aSpace, type ContentSetup, importInto, organization } from '../test/content-setup.ts'

let content: ContentSetup
let specs: SpecService
let stop: () => Promise<void>
beforeAll(async () => void ({ content, specs, stop } = await aContentWithSpecs()))
afterAll(() => stop())

const tree = async (spaceId: string) => (await content.as('read').listPages({ params: { spaceId } })).pages

/** All references of the last page that is called Welcome. */
async function referencesOfLast(spaceId: string): Promise<unknown[]> {
  const page = (await tree(spaceId)).findLast(({ title }) => title === 'Welcome')
  const read = { params: { spaceId, pageId: page?.id ?? '' }, query: { format: 'document' as const } }
  const references: unknown[] = []
  JSON.stringify(await content.as('read').getPageById(read), (name, value: unknown) => {
    if (name === 'ref') references.push(value)
    return value
  })
  return references
}

describe('a template', () => {
  const apply = (
    spaceId: string,
    body: Parameters<ReturnType<ContentSetup['as']>['applyTemplateToSpace']>[0]['body'],
  ) => content.as('edit').applyTemplateToSpace({ params: { spaceId }, body })

  it.each(['product-docs', 'api-docs', 'team-handbook', 'changelog', 'guide'])(
    'The template %s fills a space',
    async id => {
      const spaceId = await aSpace(content)
      expect(await apply(spaceId, { id })).toBeUndefined()
      const { pages } = await content.as('read').listPages({ params: { spaceId } })
      expect(pages.length).toBeGreaterThan(1)
      expect(pages.filter(page => 'hidden' in page && page.hidden)).toEqual([])
    },
  )

  it('A template has links to the references that a request gives, and text instead of the others', async () => {
    const spaceId = await aSpace(content)
    const contentRefs = { download: { kind: 'url' as const, url: 'https://x.example/get' } }
    await apply(spaceId, { id: 'product-docs', params: { contentRefs } })
    const [home] = await tree(spaceId)
    const page = await content.as('read').getPageById({ params: { spaceId, pageId: home?.id ?? '' } })
    const markdown = 'markdown' in page ? page.markdown : ''
    expect(markdown).toContain('[download page](<https://x.example/get>)')
    expect(markdown).toContain('Write to support when')
    await apply(spaceId, {
      id: 'product-docs',
      params: { contentRefs: { support: { kind: 'page', page: home?.id ?? '' } } },
    })
    const second = (await tree(spaceId)).filter(({ title }) => title === 'Welcome')[1]
    const other = await content.as('read').getPageById({ params: { spaceId, pageId: second?.id ?? '' } })
    expect(other).toMatchObject({ slug: 'readme-2', markdown: expect.stringContaining(`/~/pages/${home?.id}>)`) })
  })

  it.each([
    [{ id: 'nothing' }, 'not_found'],
    [{ id: '../src' }, 'not_found'],
    [
      { id: 'guide', params: { contentRefs: { nothing: { kind: 'url', url: 'https://x.example' } } } },
      'invalid_request',
    ],
    [{ id: 'guide', params: { contentRefs: { a: { kind: 'user', user: 'x' } } } }, 'not_found'],
    [{ id: 'guide', params: { contentRefs: { a: { kind: 'widget', widget: 'x' } } } }, 'invalid_request'],
  ])('The template reference %j is refused', async (body, code) => {
    const spaceId = await aSpace(content)
    await expect(apply(spaceId, body as { id: string })).rejects.toMatchObject({ code })
    expect(await tree(spaceId)).toEqual([])
  })

  it('A template has links of every kind of reference, which are read as such', async () => {
    const other = await content.as('create').createSpace({
      params: { organizationId: organization },
      body: { title: 'Other', template: { id: 'guide' } },
    })
    const [page] = await tree(other.id)
    const { id: collection } = await content
      .as('create')
      .createCollection({ params: { organizationId: organization }, body: { title: 'All' } })
    content.people.add({ organization, user: 'user-read', role: 'read' })
    await specs.addVersion('linked', anOutline())
    const references = [
      { kind: 'url', url: 'https://x.example/get' },
      { kind: 'page', page: page?.id ?? '', space: other.id },
      { kind: 'anchor', page: page?.id ?? '', space: other.id, anchor: 'first' },
      { kind: 'space', space: other.id },
      { kind: 'collection', collection },
      { kind: 'user', user: 'user-read' },
      { kind: 'openapi', spec: 'linked' },
    ] as const
    for (const support of references) {
      const spaceId = await aSpace(content)
      await apply(spaceId, { id: 'product-docs', params: { contentRefs: { support } } })
      expect(await referencesOfLast(spaceId)).toContainEqual(support)
    }
  })

  it('A template has links to files and reusable contents', async () => {
    const spaceId = await aSpace(content)
    await importInto(content, spaceId, { pages: {}, files: { 'a.png': 'x' }, reusable: { Note: 'Mind the gap' } })
    const current = await content.as('read').getCurrentRevision({ params: { spaceId }, query: {} })
    const references = [
      { kind: 'file' as const, file: current.files[0]?.id ?? '' },
      { kind: 'reusable-content' as const, reusableContent: current.reusableContents[0]?.id ?? '' },
    ]
    for (const support of references) {
      await apply(spaceId, { id: 'product-docs', params: { contentRefs: { support } } })
      expect(await referencesOfLast(spaceId)).toContainEqual(support)
    }
  })

  it.each([
    [{ kind: 'page', page: 'none' }, 'page'],
    [{ kind: 'anchor', page: 'none', anchor: 'a' }, 'page'],
    [{ kind: 'page', page: 'none', space: 'secret' }, 'space'],
    [{ kind: 'file', file: 'none' }, 'file'],
    [{ kind: 'reusable-content', reusableContent: 'none' }, 'reusableContent'],
    [{ kind: 'space', space: 'secret' }, 'space'],
    [{ kind: 'collection', collection: 'none' }, 'collection'],
    [{ kind: 'user', user: 'nobody' }, 'user'],
    [{ kind: 'openapi', spec: 'none' }, 'spec'],
  ])('A template with a link to %j, which is not there, is refused with the field', async (support, field) => {
    const spaceId = await aSpace(content)
    const body = { id: 'product-docs', params: { contentRefs: { support } } }
    await expect(apply(spaceId, body as never)).rejects.toMatchObject({
      code: 'not_found',
      details: [{ path: `body.params.contentRefs.support.${field}` }],
    })
    expect(await tree(spaceId)).toEqual([])
  })

  it('A template is refused while the space is locked', async () => {
    const spaceId = await aSpace(content)
    await content.as('admin').updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
    await expect(apply(spaceId, { id: 'guide' })).rejects.toMatchObject({ code: 'conflict' })
  })

  it('A template can fill a new space', async () => {
    const params = { organizationId: organization }
    const body = { title: 'Docs', editMode: 'locked' as const, template: { id: 'guide' } }
    const space = await content.as('create').createSpace({ params, body })
    const stored = await content.as('read').getSpaceById({ params: { spaceId: space.id } })
    expect(space.revision).toBe(stored.revision)
    expect((await tree(space.id)).map(({ title }) => title)).toEqual(['Start here', 'What pages can hold'])
    const unknown = content.as('create').createSpace({ params, body: { template: { id: 'nothing' } } })
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
  })
})
