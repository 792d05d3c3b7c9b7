import { textOf, type JSONDocument } from '@recto/markdown'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aSpace, type ContentSetup, importInto } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const notice = '.gitbook/includes/notice.md'

async function aManual() {
  const spaceId = await aSpace(content)
  const revisionId = await importInto(content, spaceId, {
    pages: {
      guide: '# Guide\n',
      'guide/start': `---\ndescription: How\n---\n\n# Start\n\n[Setup](setup.md#steps)\n\n{% include "../${notice}" %}\n`,
      'guide/setup': '# Setup\n\n## Steps\n',
    },
    fields: { 'guide/start': { title: 'Start' } },
    reusable: {
      notice: 'See [setup](../../guide/setup.md).\n\n{% include "inner.md" %}\n',
      inner: 'Inner <code class="expression">space.vars.name</code>.\n',
      loop: 'Again\n\n{% include "loop.md" %}\n',
    },
    variables: { name: 'Recto' },
  })
  const revision = await content.as('read').getRevisionById({ params: { spaceId, revisionId } })
  const [guide] = revision.pages
  const below = guide?.type === 'document' ? guide.pages : []
  const idOf = (title: string) => below.find(page => page.title === title)?.id ?? ''
  const reusable = (title: string) => revision.reusableContents.find(each => each.title === title)?.id ?? ''
  return { spaceId, revisionId, pageId: idOf('Start'), setup: below[1]?.id ?? '', reusable }
}
type Manual = Awaited<ReturnType<typeof aManual>>

const read = ({ spaceId, pageId }: Manual, query: object) =>
  content.as('read').getPageById({ params: { spaceId, pageId }, query }) as Promise<{
    markdown?: string
    document?: JSONDocument
  }>
const keysIn = (document: JSONDocument | undefined) =>
  [...JSON.stringify(document).matchAll(/"key":"([^"]+)"/g)].map(([, key]) => key)

describe('a dereferenced page', () => {
  it.each(['true', 'reusable-contents'] as const)(
    'A document that is dereferenced with %s has its reusable contents in place, each node with a key of its own',
    async dereferenced => {
      const manual = await aManual()
      const { spaceId, revisionId, pageId, setup } = manual
      const plain = await read(manual, { format: 'document' })
      expect(JSON.stringify(plain.document)).toContain('reusable-content')
      const { document } = await read(manual, { format: 'document', dereferenced, evaluated: 'true' })
      expect(JSON.stringify(document)).not.toContain('reusable-content')
      expect(textOf(document as JSONDocument)).toContain('Inner Recto.')
      expect(JSON.stringify(document)).toContain(JSON.stringify({ kind: 'page', page: setup }))
      expect(new Set(keysIn(document)).size).toBe(keysIn(document).length)
      const past = await content.as('read').getPageDocumentInRevisionById({
        params: { spaceId, revisionId, pageId },
        query: { dereferenced, evaluated: 'true' },
      })
      expect(past).toEqual(document)
    },
  )

  it('A reusable content that is dereferenced has those that it includes, and one that includes itself ends', async () => {
    const { spaceId, revisionId, reusable } = await aManual()
    const document = (title: string) =>
      content.as('read').getReusableContentDocumentInRevisionById({
        params: { spaceId, revisionId, reusableContentId: reusable(title) },
        query: { dereferenced: 'true' },
      })
    expect(textOf((await document('notice')) as JSONDocument)).toContain('Inner')
    const loop = (await document('loop')) as JSONDocument
    expect(textOf(loop).match(/Again/g)).toHaveLength(5)
    expect(JSON.stringify(loop)).toContain('reusable-content')
  })

  it('Markdown that is dereferenced keeps its front matter, and its links are seen from its file', async () => {
    const manual = await aManual()
    const { markdown } = await read(manual, { format: 'markdown', dereferenced: 'true' })
    expect(markdown).toBe(
      '---\ndescription: How\n---\n\n# Start\n\n[Setup](setup.md#steps)\n\nSee [setup](setup.md).\n\nInner <code class="expression">space.vars.name</code>.\n',
    )
    expect((await read(manual, { format: 'markdown' })).markdown).toContain('{% include')
  })

  it('Markdown with stable references names pages and contents by their ids, and is resolved as before', async () => {
    const manual = await aManual()
    const { spaceId, setup, reusable } = manual
    const { markdown = '' } = await read(manual, { format: 'markdown', 'format.markdown.refs': 'stable' })
    const root = `http://recto.test/s/${spaceId}/~`
    expect(markdown).toContain(`[Setup](${root}/pages/${setup}#steps)`)
    expect(markdown).toContain(`{% include "${root}/reusable/${reusable('notice')}" %}`)
    await content.as('edit').updateContent({
      params: { spaceId },
      body: { changes: [{ operation: 'update_page', page: manual.pageId, document: { markdown } }] },
    })
    const before = await read(manual, { format: 'document', dereferenced: 'true' })
    expect(textOf(before.document as JSONDocument)).toContain('See setup.')
    expect(JSON.stringify(before.document)).toContain(`"page":"${setup}"`)
  })

  it('A value that is none of a parameter is refused with its name', async () => {
    const manual = await aManual()
    for (const name of ['dereferenced', 'format.markdown.refs'])
      await expect(read(manual, { [name]: 'all' })).rejects.toMatchObject({
        code: 'invalid_request',
        details: [{ path: `query.${name}` }],
      })
  })

  it('Git metadata is the same, from a cache or not', async () => {
    const { spaceId } = await aManual()
    const both = await Promise.all(
      (['true', 'false'] as const).map(cachedMetadata =>
        content.as('read').getPageByPath({ params: { spaceId, pagePath: 'guide/setup' }, query: { cachedMetadata } }),
      ),
    )
    expect(both[0]).toEqual(both[1])
    expect(both[0]).toHaveProperty('git')
  })
})
