import { busClient } from '@recto/bus'
import { contentRpc } from '@recto/contracts-content-bus'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aContentWithSpecs, anOutline, computedFrom, type SpecService } from '../test/a-spec-service.ts'
import { aSpace, organization, type ContentSetup } from '../test/content-setup.ts'

let content: ContentSetup
let specs: SpecService
let stop: () => Promise<void>
beforeAll(async () => void ({ content, specs, stop } = await aContentWithSpecs()))
afterAll(() => stop())

const client = () => content.as('read')
const pagesOf = async (spaceId: string) => (await client().listPages({ params: { spaceId } })).pages

it('Each operation has a page of its own, below that of its tag, where the source groups them so', async () => {
  await specs.addVersion('grouped', anOutline())
  const dependencies = { spec: { ref: { kind: 'openapi' as const, spec: 'grouped' }, value: null } }
  const props = { models: false, grouping: 'by-operation' as const, downloadLink: false as const }
  const create = (props: object) =>
    content.as('create').createSpace({
      params: { organizationId: organization },
      body: { computedSource: { type: 'builtin:openapi', props, dependencies } } as never,
    })
  const { id: spaceId } = await create(props)
  await eventually(async () => expect((await pagesOf(spaceId)).length).toBeGreaterThan(1))
  const games = (await pagesOf(spaceId)).find(({ title }) => title === 'Games')
  const [operation] = games?.type === 'document' ? games.pages : []
  expect(operation).toMatchObject({ type: 'document', computed: { props: { doc: 'operations' } } })
  const page = await client().getPageById({ params: { spaceId, pageId: operation?.id ?? '' } })
  expect(page).toMatchObject({ markdown: expect.stringContaining('GET \\/games\\/\\{id\\}') })
  const { pages } = await client().listPages({ params: { spaceId }, query: { computed: 'false' } })
  expect(pages).toMatchObject([{ computed: { props: { models: false, grouping: 'by-operation' } } }])
  expect(JSON.stringify(pages)).not.toContain('downloadLink')
  const refused = create({ downloadLink: true })
  await expect(refused).rejects.toMatchObject({ details: [{ path: 'body.computedSource.props.downloadLink' }] })
})

it('A document is computed of one operation, and of the text of a tag', async () => {
  await specs.addVersion('parts', anOutline())
  const spaceId = await aSpace(content)
  const document = (props: object) =>
    client().getComputedDocument({
      params: { spaceId },
      body: { source: { ...computedFrom('parts'), props }, seed: 'x' } as never,
    })
  const block = { type: 'openapi-operation', data: { path: '/games/{id}', method: 'get' } }
  const operation = { doc: 'operation', page: '/games/{id}', method: 'get' }
  expect((await document(operation)).nodes).toMatchObject([block])
  expect((await document({ doc: 'tag', page: 'tag:Games' })).nodes).toEqual([])
  await expect(document({ ...operation, method: 'put' })).rejects.toMatchObject({ code: 'not_found' })
})

it('The space of a new site has the pages of a specification behind its own', async () => {
  const { createSpaceOfSite } = busClient(content.publishing, contentRpc, { service: 'content' })
  const openapiUrl = 'https://api.test/openapi.json'
  const { space } = await createSpaceOfSite({
    body: { actor: content.actorOf('admin'), organization, title: 'Docs', sample: true, openapiUrl },
  })
  const { pages } = await client().listPages({ params: { spaceId: space.id }, query: { computed: 'false' } })
  expect(pages.length).toBeGreaterThan(1)
  expect(pages.at(-1)).toMatchObject({ type: 'computed', computed: computedFrom('api') })
})
