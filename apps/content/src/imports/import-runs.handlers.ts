import { importRuns } from '@recto/contracts-content'
import { Failure, feature, toFailure } from '@recto/operation'
import { viewerIn } from '../access/access.policy.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import { requireWrite, spaceCan } from '../spaces/spaces.policy.ts'
import * as runs from './import-runs.repository.ts'
import type { BaseImportContext, ImportContext } from './imports.context.ts'
import * as repository from './imports.repository.ts'
import { recordImportCancelled } from './import-records.ts'
import { presentRuns, statesOf } from './present-run.ts'
import { startRun } from './start-run.ts'

interface RunParams {
  organizationId: string
  importRunId: string
}

export const importRunFeature = feature<BaseImportContext>()(importRuns, {
  async listImportRuns({ params: { organizationId: organization }, query }, context) {
    const { db, publicUrl } = context
    const viewer = viewerIn(context.actor, organization)
    const { status, ...filter } = query
    const states = status && statesOf(status)
    const request = { ...query, cursorKey: context.cursorKey() }
    const page = await runs.listOfOrganization(db, { ...filter, states, viewer, organization }, request)
    return { ...page, items: await presentRuns(page.items, { db, publicUrl }) }
  },

  async startImportRun(input, context) {
    const run = await startRun(input, context)
    const presentedRun = await presentRun(run, context)
    context.setLocation(presentedRun.urls.location)
    void context.importer.run(run.id)
    return presentedRun
  },

  getImportRun: async ({ params }, context) => presentRun((await readableRun(params, context)).run, context),

  async cancelImportRun({ params }, context) {
    const { run, readable } = await readableRun(params, context)
    requireWrite(readable, spaceCan.edit)
    const isCancelled = await context.transaction(async tx => {
      if (!(await runs.cancel(tx, run.id))) return false
      recordImportCancelled(tx, run)
      return true
    })
    const { run: latest } = await readableRun(params, context)
    if (!isCancelled && latest.state !== 'cancelled') throw new Failure('conflict', 'The import has ended')
    return presentRun(latest, context)
  },
})

/** An import with its space; throws `not_found`, whichever is missing, of another organization or not readable. */
async function readableRun({ organizationId, importRunId }: RunParams, context: ImportContext) {
  const row = await repository.find(context.db, importRunId)
  const readable = row && (await readableSpace(context, row.spaceId).catch(ifMissing))
  if (!row || readable?.space.organizationId !== organizationId)
    throw new Failure('not_found', 'There is no such import')
  return { run: { ...row, organizationId }, readable }
}

/** A space that the caller may not read hides its imports. */
function ifMissing(error: unknown): undefined {
  if (toFailure(error).code !== 'not_found') throw error
}

async function presentRun(run: runs.ImportOfOrganization, { db, publicUrl }: ImportContext) {
  const [presentedRun] = await presentRuns([run], { db, publicUrl }, { withPages: true })
  if (!presentedRun) throw new Error('An import was not presented')
  return presentedRun
}
