import { beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@recto/testing'
import { anOrganization, type Person } from './people.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import { request } from './walk.ts'

let stack: Installation
let admin: Person
let spaceId: string
beforeAll(async () => {
  stack = await sharedStack()
  const organization = await anOrganization(stack)
  admin = organization.admin
  spaceId = (await admin.client.orgs.createSpace(organization.id, { title: 'Manual' })).data.id
})

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=='
const start = `# Start here

{% hint style="info" %}
Read this **first**.
{% endhint %}

Go on with the [setup](ref:setup), or see the [glossary](glossary.md).
`
const setup = `# Setup

{% tabs %}
{% tab title="Linux" %}
Run \`recto_install_all\`.
{% endtab %}

{% tab title="macOS" %}
Run the installer.
{% endtab %}
{% endtabs %}

| Option   | Default |
| -------- | ------- |
| \`port\` | 3000    |
`
const tour = '# Tour\n\n![The dashboard](ref:dashboard)\n'

interface Changed {
  revision: string
  changes: { page?: { id: string; path: string } }[]
}
const change = (changes: object[]) => request<Changed>(admin, 'POST', `/spaces/${spaceId}/content`, { changes })
const page = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
})

it('a new user writes pages, reads them in both forms, finds a word of them, and mends a broken link', async () => {
  const { spaces } = admin.client
  const { changes } = await change([
    page('Start here', start, { ref: 'start' }),
    page('Setup', setup, { ref: 'setup', into: 'start' }),
    page('Tour', tour),
    { operation: 'insert_files', files: [{ name: 'dashboard.png', base64: png, ref: 'dashboard' }] },
  ])
  expect(changes.map(({ page: made }) => made?.path)).toEqual(['start-here', 'start-here/setup', 'tour', undefined])
  const [startId = '', setupId = '', tourId = ''] = changes.map(({ page: made }) => made?.id ?? '')

  const { data: writtenPage } = await spaces.getPageById(spaceId, startId, { format: 'markdown' as never })
  expect(writtenPage).toMatchObject({
    title: 'Start here',
    markdown: start.replace('ref:setup', 'start-here/setup.md'),
  })
  const { data: read } = await spaces.getPageById(spaceId, setupId, { format: 'document' as never })
  const blocks = (read as unknown as { document: { nodes: { type: string }[] } }).document.nodes
  expect(blocks.map(({ type }) => type)).toEqual(['tabs', 'table'])
  const { data: tourDocument } = await spaces.getPageById(spaceId, tourId, { format: 'document' as never })
  const { items: files } = (await spaces.listFiles(spaceId)).data
  expect(JSON.stringify(tourDocument)).toContain(`{"kind":"file","file":"${files[0]?.id}"}`)
  expect((await fetch(files[0]?.downloadURL ?? '')).headers.get('content-type')).toBe('image/png')

  await eventually(async () => {
    const { data: hits } = await spaces.searchSpaceContent(spaceId, { query: 'install_all' })
    expect(hits.items).toMatchObject([{ id: setupId, title: 'Setup', path: 'start-here/setup' }])
  })

  const { data: broken } = await spaces.listSpaceLinks(spaceId, { status: 'broken' as never })
  expect(broken).toMatchObject({ items: [{ status: 'broken' }], stats: { broken: { total: 1 } } })
  expect(broken.items[0]?.locationReferences).toMatchObject([{ kind: 'page', page: { id: startId } }])

  const { markdown = '' } = writtenPage as { markdown?: string }
  const mended = markdown.replace('glossary.md', 'tour.md')
  await change([{ operation: 'update_page', page: startId, document: { markdown: mended } }])
  await eventually(async () => {
    const { data: links } = await spaces.listSpaceLinks(spaceId, { status: 'broken' as never })
    expect(links).toMatchObject({ items: [], stats: { broken: { total: 0 } } })
  })
})
