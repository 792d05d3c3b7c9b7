import { changeRequestImports, imports } from '@recto/contracts-content'
import { Failure, feature } from '@recto/operation'
import { addContent } from '../editing/add-content.ts'
import { templateLinks } from '../templates/template-links.ts'
import { readTemplate } from '../templates/templates.ts'
import { mainContentWriter, writableSpace } from '../editing/content-writer.ts'
import { readableSpace } from '../spaces/readable-space.ts'
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
    const { organizationId: organization } = await writableSpace(spaceId, context)
    const field = 'body.params.contentRefs'
    const links = await templateLinks(body.params.contentRefs, context, { organization, spaceId, field })
    const set = await readTemplate(context, { id: body.id, field }, links)
    const createdBy = context.actor.userId
    const target = { writer: mainContentWriter, params: { spaceId } }
    await context.transaction(tx => addContent(tx, target, { page: null, set, createdBy }))
    context.setLocation(`${context.publicUrl}/v1/spaces/${spaceId}/content`)
    return undefined
  },
})

export const changeRequestImportFeature = feature<BaseImportContext>()(changeRequestImports, {
  importContentInChangeRequest: ({ params, body }, context) =>
    startImport(intoChangeRequest, { params, body }, context),
  importContentInChangeRequestPageById: ({ params, body }, context) =>
    startImport(intoChangeRequest, { params, body }, context),
})
