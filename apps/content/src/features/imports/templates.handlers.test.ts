import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aSpace, type ContentSetup, organization } from '../../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const tree = async (spaceId: string) => (await content.as('read').listPages({ params: { spaceId } })).pages

describe('a template', () => {
  const apply = (
    spaceId: string,
    body: Parameters<ReturnType<ContentSetup['as']>['applyTemplateToSpace']>[0]['body'],
  ) => content.as('edit').applyTemplateToSpace({ params: { spaceId }, body })

  it.each(['product-docs', 'api-docs', 'team-handbook', 'changelog', 'guide'])('%s fills a space', async id => {
    const spaceId = await aSpace(content)
    expect(await apply(spaceId, { id })).toBeUndefined()
    const { pages } = await content.as('read').listPages({ params: { spaceId } })
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.filter(page => 'hidden' in page && page.hidden)).toEqual([])
  })

  it('has links that lead where they are told, and text where they are not', async () => {
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
    [{ id: 'guide', params: { contentRefs: { a: { kind: 'user', user: 'x' } } } }, 'invalid_request'],
    [{ id: 'product-docs', params: { contentRefs: { support: { kind: 'space', space: 'secret' } } } }, 'not_found'],
    [{ id: 'product-docs', params: { contentRefs: { support: { kind: 'page', page: 'none' } } } }, 'not_found'],
  ])('%j is refused', async (body, code) => {
    const spaceId = await aSpace(content)
    await expect(apply(spaceId, body as { id: string })).rejects.toMatchObject({ code })
    expect(await tree(spaceId)).toEqual([])
  })

  it('is refused while the space is locked', async () => {
    const spaceId = await aSpace(content)
    await content.as('admin').updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
    await expect(apply(spaceId, { id: 'guide' })).rejects.toMatchObject({ code: 'conflict' })
  })

  it('can be what a space starts with', async () => {
    const params = { organizationId: organization }
    const body = { title: 'Docs', editMode: 'locked' as const, template: { id: 'guide' } }
    const space = await content.as('create').createSpace({ params, body })
    const found = await content.as('read').getSpaceById({ params: { spaceId: space.id } })
    expect(space.revision).toBe(found.revision)
    expect((await tree(space.id)).map(({ title }) => title)).toEqual(['Start here', 'What pages can hold'])
    const unknown = content.as('create').createSpace({ params, body: { template: { id: 'nothing' } } })
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
  })
})
