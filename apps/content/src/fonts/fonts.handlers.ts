import { atLeast, roleBeyondResources, requireRole, type RoleCheck } from '@recto/actor'
import { fontLimits, fonts } from '@recto/contracts-content'
import { recorded } from '@recto/contracts-shared'
import { pageInMemory } from '@recto/database'
import { changedFields, createId, Failure, feature } from '@recto/operation'
import { lockContent } from '../content-store/content-lock.repository.ts'
import { markGarbage } from '../garbage/garbage.repository.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import type { FontRow } from './font.entity.ts'
import { readFaces, requireFiles } from './font-files.ts'
import * as repository from './fonts.repository.ts'
import { changeFaces, droppedHashes } from './fonts.rules.ts'
import { presentFont } from './present-font.ts'

const canRead: RoleCheck = role => atLeast(role, 'read')
const canEdit: RoleCheck = role => atLeast(role, 'create')

export const fontFeature = feature<BaseContext>()(fonts, {
  async listCustomFonts({ params: { organizationId }, query }, context) {
    requireRole(context.actor, organizationId, canRead)
    const all = await repository.list(context.db, organizationId)
    const page = pageInMemory(all, ({ family, id }) => [family, id], { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(font => present(font, context)) }
  },

  async createCustomFont({ params: { organizationId }, body }, context) {
    requireRole(context.actor, organizationId, canEdit)
    const changes = await readFaces(organizationId, body.fontFaces, context)
    const faces = changeFaces([], changes, { max: fontLimits.faces })
    const font = { id: createId(), organizationId, family: body.fontFamily, faces, createdAt: new Date() }
    await context.transaction(async tx => {
      await lockContent(tx)
      await requireFiles(faces, context)
      if ((await repository.count(tx, organizationId)) >= fontLimits.fonts)
        throw new Failure('conflict', `An organization has at most ${fontLimits.fonts} fonts`)
      await repository.save(tx, font)
      tx.record(recorded('font.created', { organization: organizationId, font: font.id }))
    })
    return created(font, context)
  },

  async getCustomFont({ params: { organizationId, fontId } }, context) {
    requireRole(context.actor, organizationId, canRead)
    const [font] = await repository.list(context.db, organizationId, [fontId])
    return present(required(font), context)
  },

  async updateCustomFont({ params: { organizationId, fontId }, body }, context) {
    requireRole(context.actor, organizationId, canEdit)
    const changes = await readFaces(organizationId, body.fontFaces ?? [], context)
    const changed = await context.transaction(async tx => {
      await lockContent(tx)
      const font = required(await repository.lock(tx, organizationId, fontId))
      const faces = changeFaces(font.faces, changes, { max: fontLimits.faces })
      await requireFiles(faces, context)
      const next = { ...font, faces, family: body.fontFamily ?? font.family }
      const fields = changedFields(apiFields(font), apiFields(next))
      if (fields.length === 0) return font
      await repository.save(tx, next)
      await markGarbage(tx, blobsOf(droppedHashes(font.faces, faces)), new Date())
      tx.record(recorded('font.updated', { organization: organizationId, font: font.id, details: { fields } }))
      return next
    })
    return created(changed, context)
  },

  async deleteCustomFont({ params: { organizationId, fontId } }, context) {
    requireRole(context.actor, organizationId, canEdit)
    await context.transaction(async tx => {
      await lockContent(tx)
      const font = await repository.lock(tx, organizationId, fontId)
      if (!font) return
      await repository.remove(tx, font.id)
      tx.record(recorded('font.deleted', { organization: organizationId, font: font.id }))
      await markGarbage(tx, blobsOf(droppedHashes(font.faces, [])), new Date())
    })
    return undefined
  },
})

/** The fields of a font that are updated, by their names in the API. */
const apiFields = ({ family: fontFamily, faces: fontFaces }: FontRow) => ({ fontFamily, fontFaces })

const blobsOf = (hashes: readonly string[]) => hashes.map(hash => ({ kind: 'blob' as const, hash }))

function required(font: FontRow | undefined): FontRow {
  if (!font) throw new Failure('not_found', 'There is no such font')
  return font
}

function present(font: FontRow, context: Context) {
  const role = roleBeyondResources(context.actor, font.organizationId)
  return presentFont(font, { canEdit: canEdit(role) }, context)
}

function created(font: FontRow, context: Context) {
  context.setLocation(`${context.publicUrl}/v1/orgs/${font.organizationId}/fonts/${font.id}`)
  return present(font, context)
}
