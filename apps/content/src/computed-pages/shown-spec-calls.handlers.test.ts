import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { contentRpc } from '@recto/contracts-content-bus'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aSpace, importInto, organization, type ContentSetup } from '../test/content-setup.ts'
import { aContentWithSpecs, anOutline, computedFrom, type SpecService } from '../test/a-spec-service.ts'

let content: ContentSetup
let specs: SpecService
let stop: () => Promise<void>
beforeAll(async () => void ({ content, specs, stop } = await aContentWithSpecs()))
afterAll(() => stop())

const block = (spec: string) =>
  `{% openapi-operation spec="${spec}" path="/a" method="get" %}\n{% endopenapi-operation %}`
const onlyBeta = (markdown: string) => `{% if visitor.claims.beta %}\n${markdown}\n{% endif %}`
const computed = (spec: string) => ({ type: 'computed' as const, title: 'API', computed: computedFrom(spec) })
const isShownTo = async (spec: string, who: { spaces: string[]; claims?: Record<string, unknown>; of?: string }) => {
  const { spaces, claims = {}, of = organization } = who
  const actor = visitorActor({ organization: of, site: 'aSite', version: 1, spaces, claims })
  const caller = busClient(specs.bus, contentRpc, { service: 'content' })
  return (await caller.showsSpecification({ body: { actor, organization, spec } })).shown
}
/** Makes a space, and waits until its references are projected. */
async function aProjectedSpace(...[spec, imported]: [string, Parameters<typeof importInto>[2]]) {
  const spaceId = await aSpace(content)
  await importInto(content, spaceId, imported)
  await eventually(async () => {
    const { items } = await content.as('read').listSpaceLinks({ params: { spaceId }, query: {} })
    expect(items.some(({ relation }) => relation === 'dependsOn')).toBe(true)
  })
  expect(await isShownTo(spec, { spaces: [] })).toBe(false)
  return spaceId
}

it('A page with a block shows its specification to visitors of the site, and to no others', async () => {
  const spaceId = await aProjectedSpace('block', { pages: { a: block('block') } })
  const other = await aSpace(content)
  expect(await isShownTo('block', { spaces: [spaceId] })).toBe(true)
  expect(await isShownTo('block', { spaces: [other] })).toBe(false)
  expect(await isShownTo('block', { spaces: [spaceId], of: 'anotherOrganization' })).toBe(false)
  expect(await isShownTo('other', { spaces: [spaceId] })).toBe(false)
})

it('Computed pages show their specification to visitors', async () => {
  await specs.addVersion('computed', anOutline())
  const spaceId = await aProjectedSpace('computed', { pages: { a: 'A' }, entries: [computed('computed')] })
  expect(await isShownTo('computed', { spaces: [spaceId] })).toBe(true)
})

it.each([
  ['page', { pages: { a: `---\nif: visitor.claims.beta\n---\n${block('hidden')}` } }],
  ['page above it', { pages: { a: '---\nif: visitor.claims.beta\n---\nx', 'a/b': block('hidden') } }],
  ['part of a page', { pages: { a: onlyBeta(block('hidden')) } }],
])('A %s that a condition hides shows its specification only to visitors who see it', async (_title, imported) => {
  const spaceId = await aSpace(content)
  const changes = Object.entries(imported.pages).map(([path, markdown]) => ({
    operation: 'insert_page' as const,
    title: path,
    ref: path.replace('/', '-'),
    ...(path.includes('/') && { into: path.split('/')[0] ?? '' }),
    document: { markdown },
  }))
  await content.as('edit').updateContent({ params: { spaceId }, body: { changes } })
  await eventually(async () =>
    expect(await isShownTo('hidden', { spaces: [spaceId], claims: { beta: true } })).toBe(true),
  )
  expect(await isShownTo('hidden', { spaces: [spaceId] })).toBe(false)
})

it('A reusable content shows its specification where visitors see a page that includes it', async () => {
  const include = '{% include ".gitbook/includes/r.md" %}'
  const reusable = { r: block('reused') }
  const spaceId = await aProjectedSpace('reused', { pages: { a: include, b: 'B' }, reusable })
  expect(await isShownTo('reused', { spaces: [spaceId] })).toBe(true)
  const hiding = await aProjectedSpace('reused', { pages: { a: onlyBeta(include) }, reusable })
  expect(await isShownTo('reused', { spaces: [hiding] })).toBe(false)
  expect(await isShownTo('reused', { spaces: [hiding], claims: { beta: true } })).toBe(true)
  expect(
    await isShownTo('reused', { spaces: [await aProjectedSpace('reused', { pages: { a: 'A' }, reusable })] }),
  ).toBe(false)
})
