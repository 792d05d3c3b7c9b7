import { failure } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aContentWithSpecs, anOutline } from '../test/a-spec-service.ts'
import { aSpace } from '../test/content-setup.ts'

let setup: Awaited<ReturnType<typeof aContentWithSpecs>>
beforeAll(async () => void (setup = await aContentWithSpecs()))
afterAll(() => setup.stop())

const startImport = (spaceId: string, url: string) =>
  setup.content.as('edit').importContent({ params: { spaceId }, body: { url, source: 'openapi' } })

it('An import of a specification makes an overview and a page for each tag, nested as it says, in one revision', async () => {
  const spaceId = await aSpace(setup.content)
  setup.specs.addQuietly('toys', anOutline())
  const result = await startImport(spaceId, 'https://specs.test/toys.json?token=secret')
  const reader = setup.content.as('read')
  expect(result).toMatchObject({ importedResources: 4, totalResources: 4 })
  const { pages } = await reader.listPages({ params: { spaceId } })
  expect(pages).toMatchObject([
    {
      type: 'document',
      title: 'The API',
      path: 'the-api',
      pages: [
        { title: 'Toys', path: 'the-api/toys', pages: [{ title: 'Below', path: 'the-api/toys/below' }] },
        { title: 'Games', path: 'the-api/games' },
      ],
    },
  ])
  const { markdown } = (await reader.getPageByPath({
    params: { spaceId, pagePath: 'the-api/toys' },
    query: {},
  })) as { markdown: string }
  expect(markdown).toContain('{% openapi src="https://specs.test/toys.json" path="/toys/{id}" method="get" %}')
  expect(markdown).toContain('Find Toys: GET \\/toys\\/\\{id\\}')
})

it('An import of a specification keeps its pages when the specification changes', async () => {
  const spaceId = await aSpace(setup.content)
  await setup.specs.addVersion('games', anOutline())
  const { revision } = await startImport(spaceId, 'https://specs.test/games.json')
  await setup.specs.addVersion('games', anOutline({ tags: ['Others'] }))
  expect(await setup.content.as('read').getSpaceById({ params: { spaceId } })).toMatchObject({ revision })
})

it('An import of a broken specification fails with its fault, and changes nothing', async () => {
  const spaceId = await aSpace(setup.content)
  const before = await setup.content.as('read').getSpaceById({ params: { spaceId } })
  expect(await failure(startImport(spaceId, 'https://specs.test/nothing.json'))).toBe('invalid_request')
  expect(await setup.content.as('read').getSpaceById({ params: { spaceId } })).toMatchObject({
    revision: before.revision,
  })
  const { items } = await setup.content.as('read').listContentImports({ params: { spaceId } })
  expect(items).toMatchObject([{ source: 'openapi', state: 'failure', error: { message: 'This is no specification' } }])
})
