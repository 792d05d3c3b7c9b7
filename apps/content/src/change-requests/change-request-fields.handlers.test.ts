import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { replacePublications } from '../sites/publications.repository.ts'
import { aProposer } from '../test/a-proposer.ts'
import { insert } from '../test/an-editor.ts'
import { aContent, type ContentSetup } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { as, aSpace, propose, edit, get, organization } = aProposer(() => content)
const paramsOf = ({ space, id }: { space: string; id: string }) => ({ spaceId: space, changeRequestId: id })
const link = (url: string, more: object = {}) => ({ ref: { kind: 'url' as const, url }, ...more })
const setLinks = (changeRequest: { space: string; id: string }, links: object[]) =>
  as('edit').updateChangeRequestById({ params: paramsOf(changeRequest), body: { links } as never })

describe('the links of a change request', () => {
  it('Links keep their ids as long as a request names them, and are replaced as a whole', async () => {
    const changeRequest = await propose(await aSpace())
    expect(changeRequest.links).toEqual([])
    const { links } = await setLinks(changeRequest, [
      link('https://a.test/1', { title: 'A' }),
      link('https://b.test/2'),
    ])
    expect(links).toEqual([
      link('https://a.test/1', { id: expect.any(String), title: 'A' }),
      link('https://b.test/2', { id: expect.any(String) }),
    ])
    const [, second] = links
    const changed = await setLinks(changeRequest, [
      link('https://c.test/3', { id: second?.id }),
      link('https://d.test/4'),
    ])
    expect(changed.links).toEqual([
      link('https://c.test/3', { id: second?.id }),
      link('https://d.test/4', { id: expect.any(String) }),
    ])
    expect(await get(changeRequest)).toMatchObject({ links: changed.links })
    expect(replySchemas().validateReply('updateChangeRequestById', 200, changed)).toEqual([])
    expect((await setLinks(changeRequest, [])).links).toEqual([])
  })

  it('Links of an unknown id, of the same id twice, of another kind and too many are refused with their field', async () => {
    const changeRequest = await propose(await aSpace())
    const { links } = await setLinks(changeRequest, [link('https://a.test/')])
    const id = links[0]?.id
    const refused: [object[], string][] = [
      [[link('https://a.test/', { id: 'nothing' })], 'body.links.0.id'],
      [[link('https://a.test/', { id }), link('https://b.test/', { id })], 'body.links.1.id'],
      [[link('javascript:alert(1)')], 'body.links.0.ref.url'],
      [[{ ref: { kind: 'page', page: 'x' } }], 'body.links.0.ref.kind'],
      [[link('https://a.test/', { title: 'x'.repeat(129) })], 'body.links.0.title'],
      [Array.from({ length: 11 }, () => link('https://a.test/')), 'body.links'],
    ]
    for (const [wrong, path] of refused)
      await expect(setLinks(changeRequest, wrong)).rejects.toMatchObject({
        code: 'invalid_request',
        details: expect.arrayContaining([expect.objectContaining({ path })]),
      })
    expect(await get(changeRequest)).toMatchObject({ links })
  })
})

it('A merged change request says who merged it, and when', async () => {
  const changeRequest = await propose(await aSpace())
  await edit(changeRequest, insert('New'))
  expect(changeRequest).not.toHaveProperty('mergedAt')
  content.people.add({ organization, user: 'merger' })
  await content.as('review', { user: 'merger' }).mergeChangeRequest({ params: paramsOf(changeRequest) })
  const merged = await get(changeRequest)
  expect(merged).toMatchObject({ status: 'merged', mergedBy: { id: 'merger' }, mergedAt: expect.any(String) })
  const { items } = await as('read').listChangeRequestsForSpace({
    params: { spaceId: changeRequest.space },
    query: { status: 'merged' },
  })
  expect(items).toEqual([merged])
})

describe('the template of a change request', () => {
  it('A change request starts with the pages of a template, and main content has none of them', async () => {
    const spaceId = await aSpace()
    const created = await as('edit').createChangeRequest({ params: { spaceId }, body: { template: { id: 'guide' } } })
    expect(created.revision).not.toBe(created.revisionInitial)
    const { pages } = await as('read').listPagesInChangeRequest({ params: paramsOf(created) })
    expect(pages.length).toBeGreaterThan(1)
    expect((await as('read').listPages({ params: { spaceId } })).pages).toEqual([])
  })

  it('A template that there is not leaves no change request', async () => {
    const spaceId = await aSpace()
    const reply = as('edit').createChangeRequest({ params: { spaceId }, body: { template: { id: 'nothing' } } })
    await expect(reply).rejects.toMatchObject({ code: 'not_found' })
    expect((await as('read').getSpaceById({ params: { spaceId } })).changeRequests).toBe(0)
  })

  it('A template is applied to a change request, also of a locked space, and to none that is merged', async () => {
    const spaceId = await aSpace()
    const changeRequest = await propose(spaceId)
    await as('admin').updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
    const apply = () =>
      as('edit').applyTemplateToSpace({ params: { spaceId }, body: { id: 'guide', changeRequestId: changeRequest.id } })
    await apply()
    const { pages } = await as('read').listPagesInChangeRequest({ params: paramsOf(changeRequest) })
    expect(pages.length).toBeGreaterThan(1)
    expect((await as('read').listPages({ params: { spaceId } })).pages).toEqual([])
    await as('review').mergeChangeRequest({ params: paramsOf(changeRequest) })
    await expect(apply()).rejects.toMatchObject({ code: 'conflict' })
  })
})

it('Change requests are listed by the site that shows their space, and by topics and style guides there are none', async () => {
  const published = await propose(await aSpace())
  const other = await propose(await aSpace())
  await content.service.db.transaction(async db =>
    replacePublications(db, {
      site: 'a-site',
      version: 1,
      spaces: [
        {
          siteId: 'a-site',
          spaceId: published.space,
          visibility: 'public',
          url: 'https://a.test/',
          address: 'https://a.test/',
        },
      ],
    }),
  )
  const listed = async (query: object) => {
    const reply = await as('read').listChangeRequestsForOrganization({
      params: { organizationId: organization },
      query: { status: 'draft', limit: 1000, ...query },
    })
    return reply.items.map(({ id }) => id)
  }
  expect(await listed({})).toEqual(expect.arrayContaining([published.id, other.id]))
  expect(await listed({ finding: 'all' })).toEqual(await listed({}))
  expect(await listed({ site: 'a-site' })).toEqual([published.id])
  expect(await listed({ site: 'nothing' })).toEqual([])
  expect(await listed({ topic: 'any' })).toEqual([])
  expect(await listed({ styleguideRun: 'any' })).toEqual([])
})
