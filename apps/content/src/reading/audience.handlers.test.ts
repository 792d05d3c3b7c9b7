import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { contentApi } from '@recto/contracts-content'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, type ContentSetup, importInto, organization } from '../test/content-setup.ts'
import { anEditor, type Change, insert } from '../test/an-editor.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const editor = anEditor(() => content)
const missing = { code: 'not_found' }
const beta = { beta: true }
const onlyBeta = (body: string) => `{% if visitor.claims.beta %}\n${body}\n{% endif %}`
const text = (markdown: string) => ({ document: { markdown } })
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=='
const files = (...names: string[]): Change => ({
  operation: 'insert_files',
  files: names.map(name => ({ name: `${name}.png`, ref: name, base64: png })),
})

type Seen = Partial<Parameters<typeof visitorActor>[0]>

/** A client of a visitor whose site shows a space. */
function visitor(spaceId: string, seen: Seen = {}) {
  const reader = { organization, site: 'site', version: 1, spaces: [spaceId], claims: {}, ...seen }
  return busClient(content.gateway, contentApi, { service: 'content', prefix: 'api', actor: visitorActor(reader) })
}
const currentOf = async (spaceId: string) => ({ spaceId, revisionId: await editor.revisionOf(spaceId) })
const read = async (params: { spaceId: string; revisionId: string }, seen: Seen = {}) =>
  JSON.stringify(await visitor(params.spaceId, seen).getRevisionById({ params }))

describe('Of history, a visitor', () => {
  it('A visitor is sent no ids and no variables of history', async () => {
    const spaceId = await editor.aSpace()
    await editor.change(spaceId, insert('One'))
    await editor.change(spaceId, insert('Two'))
    const params = await currentOf(spaceId)
    const revision = await visitor(spaceId).getRevisionById({ params })
    expect(revision).toMatchObject({ parents: [], variables: {} })
    const { parents } = await editor.client().getRevisionById({ params })
    expect(parents).toHaveLength(1)
  })

  it('A visitor reads the revisions that were main content while their token lived, and no others', async () => {
    const spaceId = await editor.aSpace()
    await editor.change(spaceId, insert('Deleted', { ref: 'd' }))
    const before = await currentOf(spaceId)
    await editor.change(spaceId, { operation: 'delete_page', page: await editor.idOf(spaceId, 'deleted') })
    const after = await currentOf(spaceId)
    const tenMinutes = 600_000
    expect(await read(before, { since: Date.now() - tenMinutes })).toContain('Deleted')
    for (const seen of [{ since: Date.now() + tenMinutes }, { since: Date.now() + tenMinutes, claims: beta }]) {
      await expect(read(before, seen)).rejects.toMatchObject(missing)
      expect(await read(after, seen)).not.toContain('Deleted')
    }
    expect(await read(before, { since: Date.now() + tenMinutes, revision: before.revisionId })).toContain('Deleted')
  })

  it('A visitor sees nothing that conditions hide now, in any revision that they read', async () => {
    const spaceId = await editor.aSpace()
    await editor.change(
      spaceId,
      insert('Shut', text('# Shut\n\nPage word')),
      insert('Partly', text('# Partly\n\nPart word')),
      insert('Edited', text('# Edited\n\nBefore')),
    )
    const before = await currentOf(spaceId)
    const ids = { shut: await editor.idOf(spaceId, 'shut'), partly: await editor.idOf(spaceId, 'partly') }
    const edited = await editor.idOf(spaceId, 'edited')
    await editor.change(
      spaceId,
      { operation: 'update_page', page: ids.shut, condition: 'visitor.claims.beta' },
      { operation: 'update_page', page: ids.partly, ...text(`# Partly\n\nNow\n\n${onlyBeta('Part word')}`) },
      { operation: 'update_page', page: edited, ...text('# Edited\n\nAfter') },
    )
    const page = (pageId: string, seen: Seen = {}) =>
      visitor(spaceId, seen).getPageInRevisionById({ params: { ...before, pageId }, query: { format: 'markdown' } })
    await expect(page(ids.shut)).rejects.toMatchObject(missing)
    expect(await read(before)).not.toContain('Shut')
    expect(JSON.stringify(await page(ids.partly))).toContain('Now')
    expect(JSON.stringify(await page(ids.partly))).not.toContain('Part word')
    expect(JSON.stringify(await page(edited))).toContain('Before')
    const document = { params: { ...before, pageId: ids.partly } }
    expect(JSON.stringify(await visitor(spaceId).getPageDocumentInRevisionById(document))).not.toContain('Part word')
    expect(JSON.stringify(await page(ids.shut, { claims: beta }))).toContain('Page word')
    expect(JSON.stringify(await page(ids.partly, { claims: beta }))).toContain('Part word')
    // A member who can read the space previews it as it was.
    expect(JSON.stringify(await page(ids.partly, { previews: true }))).toContain('Part word')
  })
})

describe('A file or a reusable content', () => {
  const included = '.gitbook/includes'
  const names = ['open', 'closed', 'inline', 'nested', 'unused', 'cover', 'twice']

  async function aSpaceWithFiles() {
    const spaceId = await editor.aSpace()
    await editor.change(
      spaceId,
      files(...names),
      insert('Open', text(`# Open\n\n![](ref:open) ![](ref:twice)\n\n${onlyBeta('![](ref:inline)')}`)),
      insert('Closed', { condition: 'visitor.claims.beta', ...text('# Closed\n\n![](ref:closed) ![](ref:twice)') }),
    )
    return spaceId
  }
  const seenFiles = async (spaceId: string, seen: Seen = {}) => {
    const params = await currentOf(spaceId)
    const { files } = await visitor(spaceId, seen).getRevisionById({ params })
    const listed = await visitor(spaceId, seen).listFilesInRevisionById({ params })
    expect(listed.items.map(({ id }) => id).toSorted()).toEqual(files.map(({ id }) => id).toSorted())
    const all = (await editor.client().getRevisionById({ params })).files
    for (const { id } of all) {
      const isSeen = files.some(file => file.id === id)
      const file = visitor(spaceId, seen).getFileInRevisionById({ params: { ...params, fileId: id } })
      if (isSeen) expect((await file).id).toBe(id)
      else await expect(file).rejects.toMatchObject(missing)
    }
    return files.map(({ name }) => name.replace('.png', '')).toSorted()
  }

  it('A file or a reusable content exists for a visitor when something visible to them refers to it', async () => {
    const spaceId = await aSpaceWithFiles()
    const check = async () => {
      expect(await seenFiles(spaceId)).toEqual(['open', 'twice'])
      expect(await seenFiles(spaceId, { claims: beta })).toEqual(['closed', 'inline', 'open', 'twice'])
    }
    // Before the references are projected, and after it.
    await check()
    await eventually(async () => {
      const { items } = await editor.client().listSpaceLinks({ params: { spaceId } })
      expect(items.length).toBeGreaterThan(3)
    })
    await check()
    await editor.change(spaceId, {
      operation: 'update_page',
      page: await editor.idOf(spaceId, 'closed'),
      condition: null,
    })
    expect(await seenFiles(spaceId)).toEqual(['closed', 'open', 'twice'])
  })

  it('A file or a reusable content exists for a visitor when the customization of the site links to it', async () => {
    const spaceId = await aSpaceWithFiles()
    const all = (await editor.client().getRevisionById({ params: await currentOf(spaceId) })).files
    const idOf = (name: string) => all.find(file => file.name === `${name}.png`)?.id ?? ''
    content.sites.linkedFiles.set('linking', [
      { space: spaceId, file: idOf('unused'), conditions: [] },
      { space: spaceId, file: idOf('nested'), conditions: ['visitor.claims.beta'] },
    ])
    expect(await seenFiles(spaceId, { site: 'linking' })).toEqual(['open', 'twice', 'unused'])
    expect(await seenFiles(spaceId, { site: 'linking', claims: beta })).toContain('nested')
  })

  it('A file or a reusable content is read by a visitor through the pages that include it only', async () => {
    const spaceId = await editor.aSpace()
    await importInto(content, spaceId, {
      pages: {
        open: `# Open\n\n{% include "${included}/outer.md" %}`,
        closed: `---\nif: visitor.claims.beta\n---\n\n# Closed\n\n{% include "${included}/secret.md" %}`,
      },
      fields: { closed: { condition: 'visitor.claims.beta' } },
      reusable: {
        outer: `# Outer\n\nOuter word\n\n{% include "inner.md" %}\n\n${onlyBeta('{% include "hidden.md" %}')}`,
        inner: '# Inner\n\nInner word',
        hidden: '# Hidden\n\nHidden word',
        secret: '# Secret\n\nSecret word',
        unused: '# Unused\n\nUnused word',
      },
    })
    const params = await currentOf(spaceId)
    const all = (await editor.client().getRevisionById({ params })).reusableContents
    const titlesFor = async (claims: object) => {
      const client = visitor(spaceId, { claims: { ...claims } })
      const { reusableContents } = await client.getRevisionById({ params })
      for (const { id, document } of all) {
        const isSeen = reusableContents.some(one => one.id === id)
        const reads = [
          client.getReusableContentInRevisionById({ params: { ...params, reusableContentId: id } }),
          client.getReusableContentDocumentInRevisionById({ params: { ...params, reusableContentId: id } }),
          client.getDocumentById({ params: { spaceId, documentId: document ?? '' } }),
        ]
        for (const result of await Promise.allSettled(reads))
          expect(result.status).toBe(isSeen ? 'fulfilled' : 'rejected')
      }
      return reusableContents.map(({ title }) => title).toSorted()
    }
    expect(all).toHaveLength(5)
    expect(await titlesFor({})).toEqual(
      ['inner', 'outer'].map(name => all.find(one => one.title.toLowerCase() === name)?.title),
    )
    expect((await titlesFor(beta)).map(title => title.toLowerCase())).toEqual(['hidden', 'inner', 'outer', 'secret'])
  })
})

describe('A group or a link', () => {
  const tree: Change[] = [
    { operation: 'insert_page', type: 'group', title: 'Team', ref: 'team', condition: 'visitor.claims.beta' },
    insert('Inside', { into: 'team' }),
    {
      operation: 'insert_page',
      type: 'link',
      title: 'Wiki',
      href: 'https://wiki.test',
      condition: 'visitor.claims.beta',
    },
    { operation: 'insert_page', type: 'group', title: 'Empty' },
    { operation: 'insert_page', type: 'group', title: 'Secrets', ref: 'secrets' },
    insert('Secret', { into: 'secrets', condition: 'visitor.claims.beta' }),
    insert('Open'),
  ]
  const titles = async (spaceId: string, claims = {}) => {
    const { pages } = await visitor(spaceId, { claims }).getRevisionById({ params: await currentOf(spaceId) })
    return pages.map(({ title }) => title)
  }

  it('A group or a link is hidden by its condition with all that is below it, and a group that shows nothing is not sent', async () => {
    const spaceId = await editor.aSpace()
    await editor.change(spaceId, ...tree)
    expect(await titles(spaceId)).toEqual(['Open'])
    expect(await titles(spaceId, beta)).toEqual(['Team', 'Wiki', 'Secrets', 'Open'])
    const inside = { ...(await currentOf(spaceId)), pageId: await editor.idOf(spaceId, 'team/inside') }
    await expect(visitor(spaceId).getPageInRevisionById({ params: inside })).rejects.toMatchObject(missing)
  })

  it('A group or a link has a condition until it is removed', async () => {
    const spaceId = await editor.aSpace()
    const { changes } = await editor.change(spaceId, ...tree)
    const page = changes[0]?.page?.id ?? ''
    await editor.change(spaceId, { operation: 'update_page', page, title: 'Crew' })
    expect(await titles(spaceId)).toEqual(['Open'])
    await editor.change(spaceId, { operation: 'update_page', page, condition: null })
    expect(await titles(spaceId)).toEqual(['Crew', 'Open'])
    await editor.change(spaceId, { operation: 'update_page', page, condition: 'visitor.claims.other' })
    expect(await titles(spaceId, beta)).toEqual(['Wiki', 'Secrets', 'Open'])
  })
})

it('A visitor learns no settings and no counts of a space', async () => {
  const spaceId = await editor.aSpace()
  const admin = content.as('admin')
  await admin.updateSpaceById({
    params: { spaceId },
    body: {
      defaultLevel: null,
      editMode: 'live',
      mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }] },
    },
  })
  await admin.createChangeRequest({ params: { spaceId }, body: {} })
  expect(await visitor(spaceId).getSpaceById({ params: { spaceId } })).toMatchObject({
    mergeRules: { type: 'inherit' },
    defaultLevel: 'inherit',
    editMode: 'locked',
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
  })
})
