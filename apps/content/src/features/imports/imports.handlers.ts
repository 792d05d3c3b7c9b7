import { setTimeout as sleep } from 'node:timers/promises'
import { imports, isImportable } from '@recto/contracts'
import { createId, Failure, feature, fieldFault, type Input, type Output } from '@recto/operation'
import { addToMain, requireParent } from '../../branches/add-content.ts'
import { writableSpace } from '../../branches/writable-branch.ts'
import { templateLinks } from '../../branches/template-links.ts'
import { readTemplate } from '../../branches/templates.ts'
import { readableSpace } from '../../hierarchy/spaces/readable-space.ts'
import type { SpaceRow } from '../../hierarchy/spaces/space.entity.ts'
import * as spaces from '../../hierarchy/spaces/spaces.repository.ts'
import { loadPageIndex } from '../../pages/revision-index.ts'
import type { BaseContext, Context } from '../../shared/context.ts'
import * as revisions from '../../store/revisions/revisions.repository.ts'
import type { ContentImportRow } from './content-import.entity.ts'
import * as repository from './imports.repository.ts'
import { presentImport } from './present-import.ts'

/** Milliseconds between two looks at an import on which another process works. */
const pause = 500

export const importFeature = feature<BaseContext>()(imports, {
  async importContent({ params, body }, context) {
    const space = await writableSpace(params.spaceId, context)
    return startImport(space, { body, page: null }, context)
  },

  async importContentInPageById({ params, body }, context) {
    const space = await writableSpace(params.spaceId, context)
    const revision = await revisions.find(context.db, space.revision)
    const index = revision && (await loadPageIndex(context.db, revision))
    const page = requireParent(index?.get(params.pageId)).id
    return startImport(space, { body, page }, context)
  },

  async listContentImports({ params, query }, context) {
    const { space } = await readableSpace(context, params.spaceId)
    const page = await repository.listOf(context.db, space.id, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(presentImport) }
  },

  async getContentImport({ params }, context) {
    const { space } = await readableSpace(context, params.spaceId)
    const row = await repository.find(context.db, params.importId)
    if (row?.spaceId !== space.id) throw new Failure('not_found', 'There is no such import')
    return presentImport(row)
  },

  async applyTemplateToSpace({ params, body }, context) {
    const { id: spaceId } = await writableSpace(params.spaceId, context)
    const field = 'body.params.contentRefs'
    const links = await templateLinks(body.params.contentRefs, context, { spaceId, field })
    const set = await readTemplate(context, { id: body.id, field }, links)
    const createdBy = context.actor.userId
    await context.transaction(tx => addToMain(tx, { spaceId, page: null, set, createdBy }))
    context.setLocation(`${context.publicUrl}/v1/spaces/${spaceId}/content`)
    return undefined
  },
})

type ImportRequest = Input<typeof imports.importContent>['body']

/** Accepts an import and waits for it, but not for ever. */
async function startImport(
  space: SpaceRow,
  { body: { url, source }, page }: { body: ImportRequest; page: string | null },
  context: Context,
): Promise<Output<typeof imports.importContent>> {
  if (!isImportable(source)) throw fieldFault('body.source', 'is not available')
  if (new URL(url).username !== '' || new URL(url).password !== '')
    throw fieldFault('body.url', 'must not contain credentials')
  const row: ContentImportRow = {
    ...{ id: createId(), spaceId: space.id, page, source, url, state: 'queued', attempts: 0, heartbeatAt: null },
    ...{
      done: 0,
      total: 0,
      createdBy: context.actor.userId,
      createdAt: new Date(),
      startedAt: null,
      completedAt: null,
    },
    ...{ revision: null, error: null, warnings: [] },
  }
  // In the transaction of the request, so that one that is repeated with its key imports once.
  await context.transaction(tx => repository.insert(tx, row))
  const now = await waitFor(row, context)
  if (now?.state === 'failure' && now.error) {
    // The row was committed, and nothing else: the request may be repeated with its key, and imports anew.
    await context.releaseKey()
    throw new Failure(now.error.code, now.error.message)
  }
  context.setLocation(`${context.publicUrl}/v1/spaces/${space.id}/content/imports/${row.id}`)
  const revision = now?.revision ?? (await spaces.find(context.db, space.id))?.revision ?? space.revision
  return { revision, importedResources: now?.done ?? 0, totalResources: now?.total ?? 0 }
}

/** The import when it has ended, or as it is after some time. */
async function waitFor(
  { id }: ContentImportRow,
  { db, runImport, importWait }: Context,
): Promise<ContentImportRow | undefined> {
  const until = Date.now() + importWait
  const enough = new AbortController()
  const limit = sleep(importWait, undefined, { signal: enough.signal }).catch(() => undefined)
  await Promise.race([runImport(id), limit])
  enough.abort()
  for (;;) {
    const row = await repository.find(db, id)
    const isOpen = row?.state === 'running' && row.heartbeatAt !== null
    if (!isOpen || Date.now() > until) return row
    await sleep(pause)
  }
}
