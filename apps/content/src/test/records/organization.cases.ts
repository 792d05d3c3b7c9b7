import { expect } from '@jest/globals'
import { eventually } from '@recto/testing'
import { aTranslation, finishedRun } from '../a-translator.ts'
import { anId, recordCase, type RecordTools } from './record-case.ts'

/** Uploads a file that begins as a font does, and returns its key. */
async function aFontFile({ admin, params, content }: RecordTools): Promise<string> {
  const bytes = Buffer.from(`wOF2 ${Math.random()}`)
  const file = { name: 'a.woff2', type: 'font/woff2', size: bytes.byteLength }
  const { key } = await admin.generateStorageUploadURL({ params, body: { file, kind: 'customization_font' } })
  const { hash, size } = await content.blobs.put(bytes)
  await content.gatewayCalls.completeUpload({ body: { key, hash, size } })
  return key
}

async function aFont(tools: RecordTools) {
  const storageKey = await aFontFile(tools)
  const body = { fontFamily: 'A secret name', fontFaces: [{ weight: 400, storageKey }] }
  const { id: fontId } = await tools.admin.createCustomFont({ params: tools.params, body })
  return { params: { ...tools.params, fontId }, storageKey }
}

async function aTranslatedSpace({ content, admin, aTree }: RecordTools) {
  const { spaceId: source } = await aTree()
  const { id: translation, target: space, params } = await aTranslation({ content, client: () => admin }, { source })
  return { source, params, subject: { space, translation } }
}

const url = (path: string, { web }: RecordTools) => `${web.url}${path}`

/** A run that works until it is cancelled. */
async function aLongImport(tools: RecordTools) {
  tools.web.set({ '/silent/': () => undefined })
  const spaceId = await tools.aSpace()
  const source = { type: 'website' as const, url: url('/silent/', tools) }
  const { id } = await tools.admin.startImportRun({
    params: tools.params,
    body: { source, target: { space: spaceId } },
  })
  return { params: { ...tools.params, importRunId: id }, subject: { space: spaceId, importRun: id } }
}

const started = { details: { source: 'markdown' } }

/** The operations of what belongs to an organization, and of imports and translations. */
export const organizationCases = [
  recordCase('generateStorageUploadURL', 'an upload', async ({ admin, params }) => ({
    act: () =>
      admin.generateStorageUploadURL({
        params,
        body: { file: { name: 'secret.png', type: 'image/png', size: 3 }, kind: 'import_file' },
      }),
    changes: ({ key }) => [['storage.upload.created', {}, { details: { upload: key, size: 3 } }]],
  })),
  recordCase('createCustomFont', 'a font', async tools => {
    const body = { fontFamily: 'A secret name', fontFaces: [{ weight: 400, storageKey: await aFontFile(tools) }] }
    return {
      act: () => tools.admin.createCustomFont({ params: tools.params, body }),
      changes: ({ id }) => [['font.created', { font: id }]],
    }
  }),
  recordCase('updateCustomFont', 'a family', async tools => {
    const { params, storageKey } = await aFont(tools)
    const body = { fontFamily: 'Another', fontFaces: [{ weight: 400, storageKey }] }
    const update = () => tools.admin.updateCustomFont({ params, body })
    return {
      act: update,
      changes: [['font.updated', { font: params.fontId }, { details: { fields: ['fontFamily'] } }]],
      unchanged: update,
    }
  }),
  recordCase('deleteCustomFont', 'a font', async tools => {
    const { params } = await aFont(tools)
    const remove = () => tools.admin.deleteCustomFont({ params })
    return { act: remove, changes: [['font.deleted', { font: params.fontId }]], unchanged: remove }
  }),
  recordCase('updateGlossaryEntries', 'several entries', async ({ admin, params }) => {
    const change = (...operations: object[]) =>
      admin.updateGlossaryEntries({ params, body: { operations: operations as never } })
    await change(...['one', 'two'].map(en => ({ type: 'insert', translations: { en } })))
    const { items } = await admin.listGlossaryEntries({ params, query: {} })
    const [one, two] = items.map(({ id }) => id)
    const repeatable = [
      { type: 'update', id: one, translations: { en: 'other' } },
      { type: 'delete', id: two },
    ]
    return {
      act: () => change({ type: 'insert', translations: { en: 'three' } }, ...repeatable),
      changes: [['glossary.updated', {}, { details: { inserted: 1, updated: 1, deleted: 1 } }]],
      unchanged: () => change(...repeatable),
    }
  }),
  recordCase('createTranslation', 'of a closed space', async ({ admin, params, space }) => {
    const spaceId = await space()
    await admin.updateSpaceById({ params: { spaceId }, body: { defaultLevel: null } })
    const body = { source: { space: spaceId, language: 'en' as const }, language: 'de' as const }
    return {
      act: () => admin.createTranslation({ params, body }),
      changes: ({ id: translation, result }) => {
        const target = { space: result?.space ?? '' }
        return [
          ['space.created', target, { details: { parent: null } }],
          ['space.content.updated', target, { revision: { before: null, after: anId } }],
          ['space.permissions.updated', target, { details: { users: ['admin'], teams: [], defaultLevel: false } }],
          ['translation.created', { ...target, translation }, { details: { source: spaceId } }],
        ]
      },
    }
  }),
  recordCase('updateTranslation', 'the instructions', async tools => {
    const { params, subject } = await aTranslatedSpace(tools)
    const leaves = [{ object: 'leaf' as const, text: 'Secret', marks: [] }]
    const nodes = [{ object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves }] }]
    const instructions = { object: 'document', data: { schemaVersion: 8 }, nodes } as never
    const update = () => tools.admin.updateTranslation({ params, body: { instructions } })
    return {
      act: update,
      changes: [['translation.updated', subject, { details: { fields: ['instructions'] } }]],
      unchanged: update,
    }
  }),
  recordCase('deleteTranslation', 'a translation', async tools => {
    const { params, subject } = await aTranslatedSpace(tools)
    const remove = () => tools.admin.deleteTranslation({ params })
    return { act: remove, changes: [['translation.deleted', subject]], unchanged: remove }
  }),
  recordCase('runTranslation', 'a translation', async tools => {
    const { params, subject } = await aTranslatedSpace(tools)
    return {
      act: () => tools.admin.runTranslation({ params }),
      changes: async () => {
        const { id: translationRun } = await finishedRun(tools.admin, params)
        return [['translation.run.started', { ...subject, translationRun }]]
      },
    }
  }),
  recordCase('cancelTranslationRun', 'a run that works', async tools => {
    const { params, subject } = await aTranslatedSpace(tools)
    const { engine } = tools.translator
    let release = (): void => undefined
    engine.hold = new Promise(resolve => (release = resolve))
    await tools.admin.runTranslation({ params })
    const { items } = await tools.admin.listTranslationRuns({ params, query: {} })
    const translationRun = items[0]?.id ?? ''
    const cancel = () => tools.admin.cancelTranslationRun({ params: { ...params, runId: translationRun } })
    return {
      act: async () => {
        const reply = await cancel()
        release()
        engine.hold = undefined
        return reply
      },
      changes: [['translation.run.finished', { ...subject, translationRun }, { details: { status: 'cancelled' } }]],
      unchanged: cancel,
    }
  }),
  recordCase('importContent', 'a page', async tools => {
    const spaceId = await tools.aSpace()
    tools.web.set({ '/a.md': '# A\n' })
    const body = { url: url('/a.md?secret', tools), source: 'markdown' as const }
    return {
      act: () => tools.admin.importContent({ params: { spaceId }, body }),
      changes: [['import.started', { space: spaceId, importRun: anId }, started]],
    }
  }),
  recordCase('importContentInPageById', 'a page', async tools => {
    const { spaceId, a: page } = await tools.aTree()
    tools.web.set({ '/a.md': '# A\n' })
    const body = { url: url('/a.md?secret', tools), source: 'markdown' as const }
    return {
      act: () => tools.admin.importContentInPageById({ params: { spaceId, pageId: page }, body }),
      changes: [['import.started', { space: spaceId, page, importRun: anId }, started]],
    }
  }),
  recordCase('importContentInChangeRequest', 'a page', async tools => {
    const spaceId = await tools.aSpace()
    const { id: changeRequest } = await tools.propose(spaceId)
    tools.web.set({ '/a.md': '# A\n' })
    const body = { url: url('/a.md?secret', tools), source: 'markdown' as const }
    const params = { spaceId, changeRequestId: changeRequest }
    return {
      act: () => tools.admin.importContentInChangeRequest({ params, body }),
      changes: [['import.started', { space: spaceId, changeRequest, importRun: anId }, started]],
    }
  }),
  recordCase('importContentInChangeRequestPageById', 'a page', async tools => {
    const { spaceId, a: page } = await tools.aTree()
    const { id: changeRequest } = await tools.propose(spaceId)
    tools.web.set({ '/a.md': '# A\n' })
    const body = { url: url('/a.md?secret', tools), source: 'markdown' as const }
    const params = { spaceId, changeRequestId: changeRequest, pageId: page }
    return {
      act: () => tools.admin.importContentInChangeRequestPageById({ params, body }),
      changes: [['import.started', { space: spaceId, changeRequest, page, importRun: anId }, started]],
    }
  }),
  recordCase('startImportRun', 'a website', async tools => {
    const spaceId = await tools.aSpace()
    tools.web.set({ '/site/': '<html><body><h1>Home</h1></body></html>' })
    const source = { type: 'website' as const, url: url('/site/?secret', tools) }
    const body = { source, target: { space: spaceId } }
    return {
      act: () => tools.admin.startImportRun({ params: tools.params, body }),
      changes: ({ id }) => [['import.started', { space: spaceId, importRun: id }, { details: { source: 'website' } }]],
    }
  }),
  recordCase('cancelImportRun', 'an import that works', async tools => {
    const { params, subject } = await aLongImport(tools)
    await eventually(async () =>
      expect(await tools.admin.getImportRun({ params })).toMatchObject({ status: 'in-progress' }),
    )
    const cancel = () => tools.admin.cancelImportRun({ params })
    return {
      act: cancel,
      changes: [['import.finished', subject, { details: { status: 'cancelled' } }]],
      unchanged: cancel,
    }
  }),
]
