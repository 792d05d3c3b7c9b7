import { glossary, translations } from '@recto/contracts-content'
import {
  aGitServer,
  aRepository,
  aTranslationEngine,
  cloneBundle,
  eventually,
  type GitServer,
  sharedBundle,
  type TranslationEngine,
  unmarked,
} from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { manual } from './fixtures/manual.ts'
import { anOrganization, type Person } from './people.ts'
import { removeData, startStack, type Stack } from './stack.ts'
import { aRun, aTranslation } from './translations.ts'
import { checkedReplies, importRepository, request, validReply } from './walk.ts'

const bundle = sharedBundle('fluentd-docs.bundle')
const name = bundle ? 'the fluentd manual' : 'a manual of our own (the fluentd manual is absent: ../shared/data)'
const { checked, publishedOf } = checkedReplies()
const T = '/orgs/{organizationId}/translations'
const G = '/orgs/{organizationId}/translations-glossary'

let stack: Stack
let git: GitServer
let engine: TranslationEngine
let admin: Person
let organization: string
let source: string
const removals: (() => Promise<void>)[] = []

async function aManual(): Promise<string> {
  const copy = bundle === undefined ? await aRepository({ files: manual }) : await cloneBundle(bundle)
  removals.push(() => copy.remove())
  return copy.path
}

beforeAll(async () => {
  const path = await aManual()
  ;[git, engine] = await Promise.all([aGitServer({ repositories: { manual: path } }), aTranslationEngine()])
  const settings = { TRANSLATION_ENGINE: 'deepl', TRANSLATION_RETRY_DELAY: '50' }
  stack = await startStack({ env: { RATE_LIMIT: '1000000', ...settings, TRANSLATION_ENGINE_URL: engine.url } })
  ;({ admin, id: organization } = await anOrganization(stack))
  source = (await admin.client.orgs.createSpace(organization, { title: 'Manual' } as never)).data.id
  expect(await importRepository(admin, source, git.url('manual'))).toMatchObject({ state: 'success' })
  const own = {
    operation: 'insert_page',
    title: 'Own',
    document: { markdown: '# Own\n\nA plain paragraph.\n\nMore.\n' },
  }
  await request(admin, 'POST', `/spaces/${source}/content`, { changes: [own] })
})

afterAll(async () => {
  await stack.stop()
  await Promise.all([git.stop(), engine.stop(), removeData(stack.dataDir), ...removals.map(remove => remove())])
})

const orgs = () => admin.client.orgs

interface TreePage {
  id: string
  type: string
  title: string
  path?: string
  pages?: TreePage[]
}

/** Titles, paths and Markdown of all pages, by id. */
async function pagesOf(space: string): Promise<Map<string, { title: string; path?: string; markdown?: string }>> {
  const pageById = new Map<string, { title: string; path?: string; markdown?: string }>()
  const visit = async (pages: TreePage[]): Promise<void> => {
    const read = await Promise.all(
      pages.map(({ id, type }) => (type === 'document' ? admin.client.spaces.getPageById(space, id) : undefined)),
    )
    for (const [at, { id, title, path, pages: below = [] }] of pages.entries()) {
      const { markdown } = (read[at]?.data ?? {}) as { markdown?: string }
      pageById.set(id, { title, ...(path !== undefined && { path }), ...(markdown !== undefined && { markdown }) })
      await visit(below)
    }
  }
  await visit((await admin.client.spaces.listPages(space)).data.pages as TreePage[])
  return pageById
}

describe(`a translation of ${name}`, () => {
  let id: string
  let target: string

  it('is created, read, listed and given instructions with the published client', async () => {
    const body = { source: { space: source, language: 'en' as never }, language: 'de' as never }
    const made = checked(`POST ${T}`, await orgs().createTranslation(organization, body))
    expect(made).toMatchObject({ status: 'pending', language: 'de', stats: { runs: 0 } })
    id = made.id
    target = made.result?.space ?? ''
    const { items } = checked(`GET ${T}`, await orgs().listTranslations(organization))
    expect(items).toEqual([made])
    const { instructions } = made
    const translation = await orgs().updateTranslation(organization, id, { instructions })
    expect(checked(`PUT ${T}/{translationId}`, translation)).toMatchObject({ id, instructions })
    const none = await orgs()
      .createTranslation(organization, { ...body, language: 'en' as never })
      .catch((error: { code: number; errorMessage: string }) => error)
    expect(none).toMatchObject({ code: 400, errorMessage: expect.stringContaining('language') })
  })

  it('goes on after a kill, sends nothing twice, and is the source byte for byte without the marks', async () => {
    const before = engine.requests.length
    checked(`POST ${T}/{translationId}/run`, await orgs().runTranslation(organization, id))
    await eventually(() => expect(engine.requests.length).toBeGreaterThan(before + (bundle ? 3 : 0)))
    process.kill(stack.pidOf('content'), 'SIGKILL')
    await eventually(async () => expect((await orgs().getTranslation(organization, id)).data.status).toBe('completed'))
    const translation = checked(`GET ${T}/{translationId}`, await orgs().getTranslation(organization, id))
    expect(translation.stats.runs).toBe(1)
    const runs = await request<{ items: { failures: object[] }[] }>(
      admin,
      'GET',
      `/orgs/${organization}/translations/${id}/runs`,
    )
    expect(runs.items).toMatchObject([{ state: 'success', failures: [] }])
    // A batch that was on its way when the process was killed may go twice.
    expect(engine.texts.length - new Set(engine.texts).size).toBeLessThanOrEqual(50)
    const pages = await pagesOf(source)
    const translated = await pagesOf(target)
    expect([...translated.keys()]).toEqual([...pages.keys()])
    let marks = 0
    for (const [page, { title, path, markdown }] of pages) {
      const own = translated.get(page)
      expect({ title: unmarked(own?.title ?? ''), path: own?.path }).toEqual({ title, path })
      expect(own?.markdown && unmarked(own.markdown)).toBe(markdown)
      if (own?.markdown !== markdown) marks += 1
    }
    expect(marks).toBeGreaterThan(pages.size / 2)
  })

  it('sends one text for one changed paragraph, and makes one revision', async () => {
    const [page = '', { markdown = '' } = {}] =
      [...(await pagesOf(source))].find(([, { markdown: text }]) => /\n\n[A-Z][\w ]+\.\n\n/.test(text ?? '')) ?? []
    const changed = markdown.replace(/(\n\n)[A-Z][\w ]+\.(\n\n)/, '$1A paragraph of its own.$2')
    expect(changed).not.toBe(markdown)
    const changes = [{ operation: 'update_page', page, document: { markdown: changed } }]
    await request(admin, 'POST', `/spaces/${source}/content`, { changes })
    engine.texts.length = 0
    expect(await aRun(admin, organization, id)).toMatchObject({ state: 'success', sent: { segments: 1 } })
    expect(engine.texts).toEqual(['A paragraph of its own.'])
    expect((await pagesOf(target)).get(page)?.markdown).toContain('⟦A paragraph of its own⟧.')
    const { items } = await request<{ items: object[] }>(admin, 'GET', `/spaces/${target}/revisions`)
    expect(items).toHaveLength(3)
    await eventually(async () => {
      const hits = await admin.client.spaces.searchSpaceContent(target, { query: 'paragraph of its own' })
      expect(hits.data.items.map(item => (item as { id: string }).id)).toContain(page)
    })
  })

  it('is deleted, and its target stays', async () => {
    const other = await aTranslation(admin, organization, source)
    checked(`DELETE ${T}/{translationId}`, await orgs().deleteTranslation(organization, other))
    const gone = await orgs()
      .getTranslation(organization, other)
      .catch((error: { code: number }) => error)
    expect(gone).toMatchObject({ code: 404 })
  })
})

it('the glossary is changed and read with the published client', async () => {
  const operations = [{ type: 'insert' as const, translations: { en: 'buffer', de: 'Puffer' } }]
  checked(`PUT ${G}`, await orgs().updateGlossaryEntries(organization, { operations }))
  const { items } = checked(`GET ${G}`, await orgs().listGlossaryEntries(organization))
  const [entry] = items
  const one = await orgs().getGlossaryEntry(organization, entry?.id ?? '')
  expect(checked(`GET ${G}/{glossaryEntryId}`, one)).toEqual(entry)
  const refused = await orgs()
    .updateGlossaryEntries(organization, { operations: [{ type: 'update', id: 'none', translations: { en: 'x' } }] })
    .catch((error: { code: number }) => error)
  expect(refused).toMatchObject({ code: 404 })
})

it('has used every published operation of translations', () => {
  const { published, unused } = publishedOf({ ...translations, ...glossary })
  expect(unused).toEqual([])
  expect(published).toHaveLength(9)
  validReply(`GET ${T}`, { status: 200, data: { items: [], count: 0 } })
})
