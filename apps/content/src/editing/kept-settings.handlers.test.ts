import { ContentChange } from '@recto/contracts-content'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { loadPageIndex } from '../pages/revision-index.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { anEditor, type Change } from '../test/an-editor.ts'
import { aContent, type ContentSetup } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { aSpace, change, revisionOf } = anEditor(() => content)

/** Fields of an inserted page that are no settings. */
const others = ['operation', 'type', 'document', 'href', 'into', 'at', 'ref', 'title', 'slug']
const metaLinks = (url: string) => ({ canonical: { kind: 'url', url } })
const examples: Record<string, unknown> = {
  linkTitle: 'Short',
  metaLinks: metaLinks('https://example.test/one'),
  description: 'A description',
  icon: 'rocket',
  condition: 'visitor.claims.beta',
  emoji: '1f680',
  hidden: true,
  noIndex: true,
  noRobotsIndex: true,
}
const otherExamples: Record<string, unknown> = {
  linkTitle: 'Shorter',
  metaLinks: metaLinks('https://example.test/another'),
  description: 'Another',
  icon: 'leaf',
  condition: 'visitor.claims.alpha',
  emoji: '1f4d8',
  hidden: false,
  noIndex: false,
  noRobotsIndex: false,
}

/** Every setting of the contract; one without an example fails the test, so that a new one is included. */
const settings = ContentChange.options
  .flatMap(option => ('document' in option.shape && 'ref' in option.shape ? Object.keys(option.shape) : []))
  .filter(name => !others.includes(name))

type Insert = Partial<Extract<Change, { operation: 'insert_page' }>>
type Update = Partial<Extract<Change, { operation: 'update_page' }>>

const paragraph = (text: string) => ({ object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }] }) // prettier-ignore
const inDocumentForm = (text: string) => ({ document: { object: 'document', nodes: [paragraph(text)] } }) as never

const kinds: [string, Insert, { refuses: string[] }][] = [
  ['A page without text', {}, { refuses: [] }],
  ['A page with an empty document', { document: {} }, { refuses: [] }],
  ['A page of Markdown', { document: { markdown: '# Title\n\nText\n' } }, { refuses: [] }],
  ['A page of a document', { document: inDocumentForm('Text') }, { refuses: [] }],
  ['A group', { type: 'group' }, { refuses: ['description', 'document', 'into', 'metaLinks'] }],
  [
    'A link',
    { type: 'link', href: 'https://example.test/' },
    { refuses: ['description', 'document', 'slug', 'metaLinks'] },
  ],
]
const changes: [string, Update][] = [
  ['a new title', { title: 'New' }],
  ['a new slug', { slug: 'new-slug' }],
  ['a move', { into: 'PARENT' }],
  ['an empty document', { document: {} }],
  ['empty Markdown', { document: { markdown: '' } }],
  ['new Markdown', { document: { markdown: '# Title\n\nNew text\n' } }],
  ['a new document', { document: inDocumentForm('New text') }],
  ...settings.map((name): [string, Update] => [`another ${name}`, { [name]: otherExamples[name] }]),
]
const cases = kinds.flatMap(([kind, insertion, { refuses }]) =>
  changes
    .filter(([, update]) => Object.keys(update).every(name => !refuses.includes(name)))
    .map(([title, update]) => ({
      kind,
      title,
      insertion,
      update,
      kept: settings.filter(name => !refuses.includes(name)),
    })),
)

const pick = (source: Record<string, unknown>, names: string[]) =>
  Object.fromEntries(names.map(name => [name, source[name]]))

/** Makes a page with these settings, and another page that it can move below. */
async function aPage(insertion: Insert, pageSettings: Record<string, unknown>) {
  const spaceId = await aSpace()
  const { changes: made } = await change(
    spaceId,
    { operation: 'insert_page', title: 'Parent' },
    { operation: 'insert_page', title: 'Title', ...insertion, ...pageSettings },
  )
  return { spaceId, parent: made[0]?.page?.id ?? '', pageId: made[1]?.page?.id ?? '' }
}

/** The stored settings of a page: replies do not have all of them. */
async function settingsOf(spaceId: string, pageId: string): Promise<Record<string, unknown>> {
  const { db } = content.service
  const record = (await loadPageIndex(db, await revisions.get(db, await revisionOf(spaceId)))).get(pageId)
  // They are stored as front matter writes them.
  const canonical = record?.metaLinks?.canonical
  const links = canonical === undefined ? {} : { metaLinks: metaLinks(canonical) }
  return { hidden: false, noIndex: false, noRobotsIndex: false, ...record, ...links }
}

describe('Settings that a change does not name stay', () => {
  it('Every setting of a page has an example in this test', () => {
    expect(settings.length).toBeGreaterThan(5)
    expect(settings.filter(name => !(name in examples) || !(name in otherExamples))).toEqual([])
  })

  it.each(cases)(
    '$kind keeps settings that a change does not name through $title',
    async ({ insertion, update, kept }) => {
      const initialSettings = pick(examples, kept)
      const { spaceId, parent, pageId } = await aPage(insertion, initialSettings)
      const before = await revisionOf(spaceId)
      expect(await settingsOf(spaceId, pageId)).toMatchObject(initialSettings)
      const sent = update.into === undefined ? update : { ...update, into: parent }
      await change(spaceId, { operation: 'update_page', page: pageId, ...sent })
      expect(await settingsOf(spaceId, pageId)).toMatchObject({ ...initialSettings, ...pick(update as never, Object.keys(update).filter(name => kept.includes(name))) }) // prettier-ignore
      // Settings that the change kept are kept by the next one, too.
      await change(spaceId, { operation: 'update_page', page: pageId, title: 'Once more' })
      expect(await settingsOf(spaceId, pageId)).toMatchObject({ ...initialSettings, ...pick(update as never, Object.keys(update).filter(name => kept.includes(name))) }) // prettier-ignore
      await change(spaceId, { operation: 'revert_page', page: pageId, revision: before })
      expect(await settingsOf(spaceId, pageId)).toMatchObject(initialSettings)
    },
  )

  it.each(kinds)('%s loses the setting that null clears, and no other', async (_kind, insertion, { refuses }) => {
    const settingNames = settings.filter(name => !refuses.includes(name))
    for (const name of settingNames.filter(each => typeof examples[each] === 'string')) {
      const { spaceId, pageId } = await aPage(insertion, pick(examples, settingNames))
      await change(spaceId, { operation: 'update_page', page: pageId, [name]: null })
      await change(spaceId, { operation: 'update_page', page: pageId, title: 'Once more' })
      const read = await settingsOf(spaceId, pageId)
      expect([name, read[name]]).toEqual([name, undefined])
      expect(read).toMatchObject(
        pick(
          examples,
          settingNames.filter(each => each !== name),
        ),
      )
    }
  })
})
