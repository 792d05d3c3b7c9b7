import { isDeepStrictEqual } from 'node:util'
import { translations as rows } from '@recto/contracts-content'
import { completeDocument } from '@recto/markdown'
import { Failure, feature } from '@recto/operation'
import { requireMember, roleForbids } from '@recto/actor'
import { resolveAccess, viewerIn } from '../access/access.policy.ts'
import type { Context } from '../shared/context.ts'
import { createTranslation } from './create-translation.ts'
import { editableTranslation, readableTranslation, requireRunnable } from './find-translation.ts'
import { locationOf, presentRun, presentTranslation } from './present-translation.ts'
import { cancelRun, requestRun } from './request-run.ts'
import type { BaseTranslationContext } from './translations.context.ts'
import { translationCan } from './translations.policy.ts'
import * as runs from './translation-runs.repository.ts'
import { recordTranslation } from './translation-records.ts'
import * as translations from './translations.repository.ts'

export const translationFeature = feature<BaseTranslationContext>()(rows, {
  async listTranslations({ params, query }, context) {
    const { db, publicUrl, actor } = context
    const viewer = viewerIn(actor, params.organizationId)
    const page = await translations.listReadable(db, viewer, { ...query, cursorKey: context.cursorKey() })
    const items = page.items.map(row =>
      presentTranslation(row, { role: row.role, revision: row.targetRevision, publicUrl }),
    )
    return { ...page, items }
  },

  async createTranslation({ params, body }, context) {
    const { actor, publicUrl } = context
    requireMember(actor, params.organizationId)
    const { translation, target } = await context.transaction(tx => createTranslation(tx, context, { params, body }))
    const { role } = resolveAccess(actor, target)
    context.setLocation(locationOf(translation, publicUrl))
    return presentTranslation(translation, { role: role ?? 'read', revision: target.revision, publicUrl })
  },

  async getTranslation({ params }, context) {
    const { translation, target, role } = await readableTranslation(params, context)
    return presentTranslation(translation, { role, revision: target.revision, publicUrl: context.publicUrl })
  },

  async updateTranslation({ params, body: { instructions } }, context) {
    const { translation, target, role } = await editableTranslation(params, context)
    const { publicUrl, transaction } = context
    const presentation = { role, revision: target.revision, publicUrl }
    const changes = { instructions: completeDocument(instructions), updatedAt: new Date() }
    if (isDeepStrictEqual(changes.instructions, translation.instructions))
      return presentTranslation(translation, presentation)
    await transaction(async tx => {
      await translations.update(tx, translation.id, changes)
      recordTranslation(tx, 'updated', { ...translation, details: { fields: ['instructions'] } })
    })
    return presentTranslation({ ...translation, ...changes }, presentation)
  },

  async deleteTranslation({ params }, context) {
    requireMember(context.actor, params.organizationId)
    const readable = await readableTranslation(params, context).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'not_found') return undefined
      throw error
    })
    // A deletion of a translation that is gone, or that the caller cannot see, succeeds, as for other objects.
    if (!readable) return undefined
    const { translation, role } = readable
    if (!translationCan.edit(role)) throw roleForbids(role)
    await context.transaction(async tx => {
      if (await translations.remove(tx, translation.id)) recordTranslation(tx, 'deleted', translation)
    })
    return undefined
  },

  async runTranslation({ params }, context) {
    const editable = await editableTranslation(params, context)
    requireRunnable(editable)
    const { translator } = context
    if (!translator)
      throw new Failure('conflict', 'There is no translation engine: the setting TRANSLATION_ENGINE is not set')
    const { translation } = editable
    const run = await context.transaction(tx => requestRun(tx, translation, context.actor.userId))
    context.setLocation(`${locationOf(translation, context.publicUrl)}/runs/${run.id}`)
    void translator.run(run.id)
    return undefined
  },

  async listTranslationRuns({ params, query }, context) {
    const { translation } = await readableTranslation(params, context)
    const page = await runs.listOf(context.db, translation.id, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(presentRun) }
  },

  async getTranslationRun({ params }, context) {
    const { translation } = await readableTranslation(params, context)
    return presentRun(await runOf(translation.id, params.runId, context))
  },

  async cancelTranslationRun({ params }, context) {
    const { translation } = await editableTranslation(params, context)
    const run = await runOf(translation.id, params.runId, context)
    await context.transaction(tx => cancelRun(tx, run))
    return undefined
  },
})

async function runOf(translationId: string, runId: string, { db }: Context) {
  const run = await runs.find(db, runId)
  if (run?.translationId !== translationId) throw new Failure('not_found', 'There is no such run')
  return run
}
