import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { contentApi } from '@recto/contracts-content'
import { transact } from '@recto/database'
import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { replacePublications } from '../sites/publications.repository.ts'
import { aContent, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'

const schemas = replySchemas()

let content: ContentSetup
let spaceId: string
let otherId: string
let revisionId: string
beforeAll(async () => {
  content = await aContent()
  spaceId = await aSpace(content, {})
  otherId = await aSpace(content, {})
  await write(otherId, [page('Users', '# Users', { ref: 'users' })])
  revisionId = await write(spaceId, [
    page('Home', '# Home\n'),
    page('Guides', '# Guides', { ref: 'guides' }),
    page('Install', install(), { into: 'guides', description: 'How to *begin*' }),
    page('Beta', 'Testers', { condition: 'visitor.claims.beta' }),
    { operation: 'insert_page', title: 'Empty' },
  ])
  await publish('public')
})
afterAll(() => content.stop())

const page = (title: string, markdown: string, rest: object = {}) => ({
  operation: 'insert_page' as const,
  title,
  document: { markdown },
  ...rest,
})
const app = 'http://recto.test/s'
const install = () =>
  [
    '# Install',
    `Back [home](../home.md), [up](../guides.md#top) and to [users](${app}/${otherId}/users#list), [dead](nothing.md).`,
    '<!-- For authors\n\nalone -->',
    '{% if visitor.claims.beta %}\nTest it: [beta](../beta.md)\n{% endif %}',
    '{% content-ref url="../home.md" %}\n[home.md](../home.md)\n{% endcontent-ref %}',
  ].join('\n\n')

const writer = () => content.as('create', { user: 'writer' })

async function write(space: string, changes: object[]): Promise<string> {
  const params = { spaceId: space }
  await writer().updateContent({ params, body: { changes } as never })
  return (await writer().getSpaceById({ params })).revision
}

let version = 0
const anAddress = (site: string) => ({ organization, site, version, claims: {} })
async function publish(visibility: 'public' | 'share-link'): Promise<void> {
  version += 1
  const publicationOf = (space: string, url: string) => ({
    siteId: 'site',
    spaceId: space,
    visibility,
    url,
    address: '',
  })
  const places = [publicationOf(spaceId, 'https://docs.test/'), publicationOf(otherId, 'https://docs.test/api/')]
  const change = { site: 'site', version, spaces: places }
  const own = places.map(({ spaceId: space, url }) => ({ ...anAddress('site'), space, url }))
  content.sites.addresses.ofSite.set('site', visibility === 'share-link' ? [] : own)
  await transact(
    content.service.db,
    () => undefined,
    tx => replacePublications(tx, change),
  )
}

type Seen = Partial<Parameters<typeof visitorActor>[0]>

async function read(
  pagePath: string,
  seen: Seen = {},
  query: { format?: 'markdown' | 'document'; 'format.markdown.base'?: string } = { format: 'markdown' },
) {
  const visitor = { organization, site: 'site', version, spaces: [spaceId, otherId], claims: {}, ...seen }
  const bus = { service: 'content', prefix: 'api', actor: visitorActor(visitor) } as const
  const client = busClient(content.gateway, contentApi, bus)
  const byPath = await client.getPageInRevisionByPath({ params: { spaceId, revisionId, pagePath }, query })
  const byId = await client.getPageInRevisionById({ params: { spaceId, revisionId, pageId: byPath.id }, query })
  expect(byId).toEqual(byPath)
  expect(schemas.validateReply('getPageInRevisionByPath', 200, byPath)).toEqual([])
  return 'markdown' in byPath ? byPath.markdown : 'document' in byPath ? byPath.document : undefined
}

describe('Markdown for a visitor', () => {
  it('Markdown for a visitor has title and description, what its conditions show, and links that open', async () => {
    const markdown = await read('guides/install')
    expect(markdown).toBe(
      [
        '# Install\n\nHow to \\*begin\\*\n',
        'Back [home](../home), [up](../guides#top) and to [users](https://docs.test/api/users#list), dead.\n',
        '{% content-ref url="https://docs.test/home" %}\n[home.md](../home)\n{% endcontent-ref %}\n',
      ].join('\n'),
    )
    const tester = await read('guides/install', { claims: { beta: true } })
    expect(tester).toContain('Test it: [beta](../beta)')
    expect(await read('guides/install', {}, {})).toBe(markdown)
    expect(await read('guides/install', {}, { 'format.markdown.base': 'https://docs.test/' })).toContain(
      'Back [home](https://docs.test/home.md), [up](https://docs.test/guides.md#top) and to [users](https://docs.test/api/users.md#list)',
    )
  })

  it('Markdown for a visitor has addresses only where they open: not without the key of a share link, nor in a preview', async () => {
    const without = { previews: true }
    const relative = '{% content-ref url="../home" %}'
    expect(await read('guides/install', without)).toContain(relative)
    expect(await read('guides/install', without)).toContain(`[users](${app}/${otherId}/users#list)`)
    await publish('share-link')
    expect(await read('guides/install')).toContain(relative)
    expect(await read('guides/install')).toContain(`[users](${app}/${otherId}/users#list)`)
    await publish('public')
    expect(await read('guides/install')).not.toContain(relative)
  })

  it('Markdown for a visitor is the title of a page without text', async () => {
    expect(await read('empty')).toBe('# Empty\n')
  })
})

describe('of a site that excludes agents', () => {
  const excluding = { excludesAgents: true }

  it('Markdown of a site that excludes agents is not found, and the error says why', async () => {
    await expect(read('guides/install', excluding)).rejects.toMatchObject({
      code: 'not_found',
      message: 'The site excludes AI agents: its pages have no Markdown',
    })
  })

  it('Markdown of a site that excludes agents is left out where no format is requested', async () => {
    expect(await read('guides/install', excluding, {})).toBeUndefined()
    expect(await read('guides/install', excluding, { format: 'document' })).toMatchObject({ object: 'document' })
  })
})

it('Authors get the file byte for byte', async () => {
  const params = { spaceId, revisionId, pagePath: 'guides/install' }
  const guide = await writer().getPageInRevisionByPath({ params, query: { format: 'markdown' } })
  expect('markdown' in guide && guide.markdown).toContain('[home](../home.md)')
  expect('markdown' in guide && guide.markdown).toContain('<!-- For authors\n\nalone -->')
})

it('A page beyond all bounds shows a visitor nothing that depends on them', async () => {
  const deep = `${'> '.repeat(3_000)}x\n\n{% if visitor.claims.beta %}\nOnly testers\n{% endif %}\n`
  revisionId = await write(spaceId, [page('Deep', deep)])
  expect(await read('deep')).toBe('# Deep\n')
  expect(await read('deep', { claims: { beta: true } })).not.toContain('Only testers')
})
