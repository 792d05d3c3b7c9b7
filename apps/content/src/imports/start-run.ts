import { coversResource } from '@recto/actor'
import type { importRuns } from '@recto/contracts-content'
import { Failure, fieldFault, type Input } from '@recto/operation'
import { readableSpace } from '../spaces/readable-space.ts'
import * as uploads from '../uploads/uploads.repository.ts'
import { uploadFault } from '../uploads/uploads.rules.ts'
import { fileFault, type SourceFile } from './convert-files.ts'
import { recordImportStart } from './import-records.ts'
import type { ImportOfOrganization } from './import-runs.repository.ts'
import type { ImportContext } from './imports.context.ts'
import * as repository from './imports.repository.ts'
import {
  type ImportTarget,
  importedBy,
  intoChangeRequest,
  intoMain,
  newImport,
  requireNoCredentials,
  requireParentId,
} from './start-import.ts'

type Request = Input<typeof importRuns.startImportRun>
type Body = Request['body']

/** Accepts an import, which the importer starts at once or when there is room. */
export async function startRun({ params, body }: Request, context: ImportContext): Promise<ImportOfOrganization> {
  const { organizationId } = params
  const { source, target, site } = body
  const { changeRequestId, page } = await requireTarget(organizationId, target, context)
  if (site !== undefined) await requireSite(organizationId, site, context)
  if (source.type === 'website') requireNoCredentials(source.url, 'body.source.url')
  const files = source.type === 'file' ? await requireUploads(organizationId, source.files, context) : []
  const row = newImport({
    spaceId: target.space,
    changeRequestId,
    page,
    source: source.type,
    url: source.type === 'website' ? source.url : '',
    files,
    siteId: site ?? null,
    ...importedBy(context.actor, organizationId),
  })
  const run = { ...row, organizationId }
  await context.transaction(async tx => {
    await repository.insert(tx, row)
    recordImportStart(tx, run)
  })
  return run
}

/** The place of an import. Throws `not_found` for a space of another organization, and as a change of the content does. */
async function requireTarget(organizationId: string, target: Body['target'], context: ImportContext) {
  const { space: spaceId, changeRequest } = target
  const { space } = await readableSpace(context, spaceId)
  if (space.organizationId !== organizationId) throw new Failure('not_found', 'There is no such space')
  const { changeRequestId, revision } =
    changeRequest === undefined
      ? await openTarget(intoMain, { spaceId }, context)
      : await openTarget(intoChangeRequest, { spaceId, changeRequestId: changeRequest }, context)
  return {
    changeRequestId,
    page: target.page === undefined ? null : await requireParentId(revision, target.page, context),
  }
}

async function openTarget<Params extends { spaceId: string }>(
  { writer, current }: ImportTarget<Params>,
  params: Params,
  context: ImportContext,
) {
  await writer.requireWritable(params, context)
  return current(params, context)
}

async function requireSite(organization: string, site: string, { actor, publishing }: ImportContext): Promise<void> {
  const { exists } = await publishing.findSite({ body: { organization, site } })
  if (!exists || !coversResource(actor, [site]))
    throw fieldFault('body.site', 'is no site of the organization', 'not_found')
}

/** The uploads of files, with their blobs. Throws `conflict` for one that cannot be used, `invalid_request` for one that cannot be imported. */
async function requireUploads(
  organizationId: string,
  ids: readonly string[],
  { actor, db }: ImportContext,
): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  for (const [at, id] of ids.entries()) {
    const field = `body.source.files.${at}`
    const upload = await uploads.find(db, id)
    const fault = uploadFault(upload, { userId: actor.userId, organizationId, now: new Date() })
    if (fault !== undefined || !upload?.hash) throw fieldFault(field, fault ?? 'is not complete', 'conflict')
    const unusable = fileFault(upload.name)
    if (unusable !== undefined) throw fieldFault(field, unusable)
    files.push({ upload: id, name: upload.name, hash: upload.hash })
  }
  return files
}
