import { changeRequestImports, imports } from '@recto/contracts-content'
import { Failure, feature } from '@recto/operation'
import { addContent } from '../editing/add-content.ts'
import { templateLinks } from '../templates/template-links.ts'
import { readTemplate } from '../templates/templates.ts'
import { changeRequestWriter, writableChangeRequest } from '../editing/change-request-writer.ts'
import { mainContentWriter, writableSpace } from '../editing/content-writer.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import type { Context } from '../shared/context.ts'
import type { BaseImportContext } from './imports.context.ts'
import * as repository from './imports.repository.ts'
import { presentImport } from './present-import.ts'
import { intoChangeRequest, intoMain, startImport } from './start-import.ts'

export const importFeature = feature<BaseImportContext>()(imports, {
  importContent: ({ params, body }, context) => startImport(intoMain, { params, body }, context),
  importContentInPageById: ({ params, body }, context) => startImport(intoMain, { params, body }, context),

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

  async applyTemplateToSpace({ params: { spaceId }, body }, context) {
    const { changeRequestId } = body
    const organization = await organizationToFill({ spaceId, changeRequestId }, context)
    const field = 'body.params.contentRefs'
    const links = await templateLinks(body.params.contentRefs, context, { organization, spaceId, field })
    const set = await readTemplate(context, { id: body.id, field }, links)
    const createdBy = context.actor.userId
    const addition = { page: null, set, createdBy }
    await context.transaction(tx =>
      changeRequestId === undefined
        ? addContent(tx, { writer: mainContentWriter, params: { spaceId } }, addition)
        : addContent(tx, { writer: changeRequestWriter, params: { spaceId, changeRequestId } }, addition),
    )
    const place = changeRequestId === undefined ? '' : `/change-requests/${encodeURIComponent(changeRequestId)}`
    context.setLocation(`${context.publicUrl}/v1/spaces/${spaceId}${place}/content`)
    return undefined
  },
})

/** The organization of the space whose content the caller may change now: main content, or that of a change request. */
async function organizationToFill(
  { spaceId, changeRequestId }: { spaceId: string; changeRequestId: string | undefined },
  context: Context,
): Promise<string> {
  if (changeRequestId === undefined) return (await writableSpace(spaceId, context)).organizationId
  return (await writableChangeRequest({ spaceId, changeRequestId }, context)).space.organizationId
}

export const changeRequestImportFeature = feature<BaseImportContext>()(changeRequestImports, {
  importContentInChangeRequest: ({ params, body }, context) =>
    startImport(intoChangeRequest, { params, body }, context),
  importContentInChangeRequestPageById: ({ params, body }, context) =>
    startImport(intoChangeRequest, { params, body }, context),
})
