import { busClient } from '@recto/bus'
import { contentApi } from '@recto/contracts-content'
import { aWebServer, aZip, type WebServer } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { canonicalJson } from '../content-map/content-map.ts'
import { loadPageIndex } from '../pages/revision-index.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { aProposer } from './a-proposer.ts'
import { aTranslation, aTranslator, type Translator } from './a-translator.ts'
import { insert, type Change } from './an-editor.ts'
import { aCollection, type ContentSetup, importInto, organization } from './content-setup.ts'
import {
  alternatives,
  aSpaceWithEverySetting,
  contentWithoutOwnFile,
  contentWithoutSettings,
  documentedWays,
  examples,
  image,
  settingsOfSpace,
  settingsOfThing,
  things,
} from './every-setting.ts'

let translator: Translator
let content: ContentSetup
let web: WebServer
beforeAll(async () => {
  translator = await aTranslator({ OUTGOING_ALLOW: '127.0.0.1' })
  content = translator.content
  web = await aWebServer()
})
afterAll(async () => {
  await web.stop()
  await translator.stop()
})

const { change, propose, edit, revisionOf } = aProposer(() => content)
const paragraph = { object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'New', marks: [] }] }] } // prettier-ignore
const document = { object: 'document', nodes: [paragraph] } as never

/** The ids of a space's pages by what they are. */
async function idsOf(spaceId: string) {
  const { db } = content.service
  const pages = (await loadPageIndex(db, await revisions.get(db, await revisionOf(spaceId)))).inOrder()
  const idOf = (...titles: string[]) => pages.find(({ title }) => titles.includes(title))?.id ?? ''
  return {
    page: idOf('The page'),
    other: idOf('Page other'),
    entry: idOf('The entry'),
    group: idOf('The group'),
    link: idOf('The link'),
    computed: idOf('The API', 'petstore'),
  }
}
type Ids = Awaited<ReturnType<typeof idsOf>>
const own = ({ page, entry, group, link, computed }: Ids) => [page, entry, group, link, computed]
const update = (page: string, changes: Partial<Extract<Change, { operation: 'update_page' }>>): Change => ({
  operation: 'update_page',
  page,
  ...changes,
})
const changed = async (spaceId: string, changesOf: (ids: Ids) => Change[]) =>
  void (await change(spaceId, ...changesOf(await idsOf(spaceId))))

/** Sets by requests what a repository without Recto's own file cannot say. */
const settle = ({ page, entry, group, link, computed }: Ids): Change[] => {
  const { cover: _cover, layout: _layout, variables: _variables, metaLinks: _metaLinks, tags: _tags, ...ofPage } = examples.document // prettier-ignore
  const { href: _href, ...ofLink } = examples.link
  const { computed: _computed, ...ofComputed } = examples.computed
  return [update(page, ofPage), update(group, examples.group), update(link, ofLink), update(computed, ofComputed), update(entry, examples.entry)] // prettier-ignore
}

/** Merges a change request, which has to be one without conflicts. */
async function merge(changeRequest: { space: string; id: string }): Promise<void> {
  const params = { spaceId: changeRequest.space, changeRequestId: changeRequest.id }
  expect(await content.as('review').mergeChangeRequest({ params })).toMatchObject({ result: 'merge' })
}

const oneFile = async (spaceId: string) =>
  (await content.as('read').listFiles({ params: { spaceId }, query: {} })).items[0]?.id ?? ''
const plainSpace = () => aSpaceWithEverySetting(content, { isPlain: true })

/** Each way, from a space in which everything is set to the space in which it should still be set. */
const ways: Record<string, (spaceId: string) => Promise<string | void>> = {
  'new Markdown': spaceId =>
    changed(spaceId, ({ page }) => [update(page, { document: { markdown: '# Heading\n\nNew\n' } })]),
  'new document': spaceId => changed(spaceId, ({ page }) => [update(page, { document: { document } })]),
  'empty document': spaceId => changed(spaceId, ({ page }) => [update(page, { document: {} })]),
  'another setting': async spaceId => {
    for (const hidden of [false, true]) await changed(spaceId, ids => own(ids).map(id => update(id, { hidden })))
  },
  'another page': spaceId =>
    changed(spaceId, ({ other }) => [insert('New'), { operation: 'delete_page', page: other }]),
  'move in the tree': async spaceId => {
    await changed(spaceId, ({ page, other, entry, link, computed, group }) => [
      ...[page, entry, link].map(id => update(id, { into: other })),
      update(computed, { into: group }),
      update(group, { at: 0 }),
    ])
  },
  'new bytes of a file': async spaceId => {
    const base64 = Buffer.from('other bytes').toString('base64')
    await change(spaceId, { operation: 'replace_file', file: await oneFile(spaceId), base64 })
  },
  'revert of a page': async spaceId => {
    const revision = await revisionOf(spaceId)
    const ids = own(await idsOf(spaceId))
    await change(spaceId, ...ids.map(page => update(page, { emoji: '1f4a1', icon: 'leaf', condition: 'false' })))
    await change(spaceId, ...ids.map((page): Change => ({ operation: 'revert_page', page, revision })))
  },
  'revert of a deleted page': async spaceId => {
    const revision = await revisionOf(spaceId)
    const ids = own(await idsOf(spaceId))
    await change(spaceId, ...ids.map((page): Change => ({ operation: 'delete_page', page })))
    await change(spaceId, ...ids.map((page): Change => ({ operation: 'revert_page', page, revision })))
  },
  'restored revision': async spaceId => {
    const revisionId = await revisionOf(spaceId)
    await changed(spaceId, ids => own(ids).map(page => ({ operation: 'delete_page', page })))
    await content.as('review').restoreRevision({ params: { spaceId, revisionId } })
  },
  'merge of other changes': async spaceId => {
    const changeRequest = await propose(spaceId)
    const { page, other } = await idsOf(spaceId)
    await edit(changeRequest, update(page, { document: { markdown: '# Heading\n\nTheirs\n' } }), insert('Theirs'))
    await change(spaceId, update(other, { document: { markdown: '# Ours\n' } }))
    await merge(changeRequest)
  },
  'merge of settings from a change request': async () => {
    const spaceId = await plainSpace()
    const changeRequest = await propose(spaceId)
    const ids = await idsOf(spaceId)
    await edit(changeRequest, ...settle(ids))
    await change(spaceId, update(ids.page, { document: { markdown: '# Heading\n\nOurs\n' } }), insert('Ours'))
    const params = { spaceId, changeRequestId: changeRequest.id }
    expect(await content.as('edit').updateChangeRequest({ params })).toMatchObject({ result: 'update' })
    await merge(changeRequest)
    return spaceId
  },
  'merge of settings from main content': async () => {
    const spaceId = await plainSpace()
    const changeRequest = await propose(spaceId)
    const ids = await idsOf(spaceId)
    await edit(changeRequest, update(ids.page, { document: { markdown: '# Heading\n\nTheirs\n' } }), insert('Theirs'))
    await change(spaceId, ...settle(ids))
    await merge(changeRequest)
    return spaceId
  },
  'import from a URL': async spaceId => {
    web.set({ '/page.md': '# Page\n' })
    const body = { url: `${web.url}/page.md`, source: 'markdown' as const }
    await content.as('edit').importContent({ params: { spaceId }, body })
  },
  template: async spaceId =>
    void (await content.as('edit').applyTemplateToSpace({ params: { spaceId }, body: { id: 'guide' } })),
  'git import again': async () => {
    const spaceId = await aSpaceWithEverySetting(content, { isPlain: true, isNamed: false })
    const markdown = contentWithoutOwnFile.pages['page'] as string
    // The last commit has none of the settings, and they are set in the space since.
    await importInto(content, spaceId, contentWithoutSettings, { oid: 'accede' })
    await changed(spaceId, ids => [...settle(ids), update(ids.page, { document: { markdown } })])
    await change(spaceId, {
      operation: 'replace_file',
      file: await oneFile(spaceId),
      name: 'logo.png',
      base64: image.toString('base64'),
    })
    for (const oid of ['decade', 'facade']) await importInto(content, spaceId, contentWithoutSettings, { oid })
    return spaceId
  },
  'zip file of a repository': async spaceId => {
    const { markdown } = (await content.as('read').getPageById({
      params: { spaceId, pageId: (await idsOf(spaceId)).page },
    })) as { markdown: string }
    const set = 'linkTitle: Short, icon: rocket, hidden: true, noIndex: true, noRobotsIndex: true, emoji: 1f680, condition: visitor.claims.beta' // prettier-ignore
    const files = {
      'page.md': markdown,
      'in.md': '# In\n',
      'assets/a.png': image,
      'SUMMARY.md': '* [The page](page.md)\n* The entry\n  * [In](in.md)\n* [The link](https://link.test/)\n\n## The group\n\n* [In](in.md)\n', // prettier-ignore
      '.gitbook/recto.yaml': `version: 1
pages: {page.md: {emoji: 1f680, slug: start}}
entries:
  "text: The entry": {${set}, slug: soon-set, description: Later}
  "group: The group": {${set}, slug: group-set}
  "link: The link": {${set}}
files: {assets/a.png: {name: logo.png}}
`,
    }
    files['SUMMARY.md'] = files['SUMMARY.md'].replace(
      '## The group\n\n* [In](in.md)',
      '## The group\n\n* [Two](two.md)',
    )
    web.set({
      '/docs.zip': aZip(
        Object.entries({ ...files, 'two.md': '# Two\n' }).map(([name, bytes]) => ({ name, content: bytes })),
      ),
    })
    const { id } = await content.as('create').createSpace({ params: { organizationId: organization }, body: {} })
    const body = { url: `${web.url}/docs.zip`, source: 'zip' as const }
    await content.as('edit').importContent({ params: { spaceId: id }, body })
    return id
  },
  duplicate: async spaceId => (await content.as('create').duplicateSpace({ params: { spaceId } })).id,
  'move of a space': async spaceId => {
    const parent = await aCollection(content)
    await content.as('admin').moveSpace({ params: { spaceId }, body: { parent } })
  },
  transfer: async spaceId => {
    const memberships = [organization, 'another'].map(name => ({
      organization: name,
      role: 'admin' as const,
      teams: [],
    }))
    const actor = { ...content.actorOf('admin'), memberships }
    const client = busClient(content.gateway, contentApi, { service: 'content', prefix: 'api', actor })
    await client.transferSpace({ params: { spaceId }, body: { organization: 'another' } })
  },
  'deleted and restored space': async spaceId => {
    await content.as('create').deleteSpaceById({ params: { spaceId } })
    await content.as('create').restoreSpace({ params: { spaceId } })
  },
  translation: async spaceId => {
    const translation = await aTranslation(translator, { source: spaceId })
    expect(await translation.run()).toMatchObject({ state: 'success' })
    return translation.target
  },
}

/** Ways that e2e/src/export.test.ts and e2e/src/restore-drill.test.ts take with an installation. */
const waysOfInstallations = ['git export and import', 'git export and import elsewhere', 'backup and restore']
/** Ways that can have a locked space. */
const lockedWays = ['duplicate', 'move of a space', 'transfer', 'deleted and restored space', 'restored revision']
const settings = things.flatMap(thing => settingsOfThing(thing).map(name => `${thing}.${name}`))
const covers = (exception: string, setting: string) =>
  exception === setting || (exception.endsWith('.*') && setting.startsWith(exception.slice(0, -1)))

describe('Every setting of the contract', () => {
  it('Every setting of the contract has an example, and is set by it', async () => {
    expect(settings.length).toBeGreaterThan(50)
    const names = things.flatMap(thing => Object.keys(examples[thing]).map(name => `${thing}.${name}`))
    expect([...names].sort()).toEqual([...settings].sort())
    for (const { without } of alternatives) {
      const actual = await settingsOfSpace(content, await aSpaceWithEverySetting(content, { without, locked: true }))
      const { [without]: _without, ...space } = examples.space
      expect(actual).toMatchObject({ ...examples, space })
    }
  })

  it('The table of docs/settings-on-every-way.md has a row for every way, and no other', () => {
    const documented = documentedWays()
    expect([...documented.keys()].sort()).toEqual([...Object.keys(ways), ...waysOfInstallations].sort())
    const exceptions = [...documented.values()].flat()
    expect(exceptions.filter(exception => !settings.some(setting => covers(exception, setting)))).toEqual([])
  })

  const cases = Object.keys(ways).flatMap(way =>
    alternatives.map(({ without }) => ({ way, without })).slice(0, lockedWays.includes(way) ? 2 : 1),
  )
  it.each(cases)('Every setting is still set after: $way (a space without $without)', async ({ way, without }) => {
    const exceptions = documentedWays().get(way) ?? []
    const spaceId = await aSpaceWithEverySetting(content, { without, locked: lockedWays.includes(way) && way !== 'restored revision' }) // prettier-ignore
    const before = await settingsOfSpace(content, spaceId)
    const after = await settingsOfSpace(content, (await ways[way]?.(spaceId)) ?? spaceId)
    const lost = things.flatMap(thing =>
      settingsOfThing(thing)
        .filter(name => !isCarried(after[thing][name], before[thing][name]))
        .map(name => `${thing}.${name}`),
    )
    const isException = (setting: string) => exceptions.some(exception => covers(exception, setting))
    const values = Object.fromEntries(lost.map(setting => [setting, valueOf(after, setting)]))
    expect({ lost: lost.filter(setting => !isException(setting)), values }).toEqual({ lost: [], values })
    // An exception that no way needs has to go from the table.
    const unneeded = exceptions.filter(exception => !lost.some(setting => covers(exception, setting)))
    expect(unneeded).toEqual([])
  })
})

function valueOf(settled: Awaited<ReturnType<typeof settingsOfSpace>>, setting: string): unknown {
  const [thing = '', name = ''] = setting.split('.')
  return settled[thing as (typeof things)[number]][name]
}

/** Whether a value is as it was; a reference to a file is one to a file of another id in a copy. */
function isCarried(after: unknown, before: unknown): boolean {
  const comparable = (value: unknown) => canonicalJson(value ?? null).replace(/"file":"\w{20}"/, '"file":"id"')
  return comparable(after) === comparable(before)
}
