import { packBundle } from '@recto/blobs'
import { ExportManifest, type gitCalls } from '@recto/contracts-git-worker'
import type { Db } from '@recto/database'
import { Failure, type Input } from '@recto/operation'
import { advanceMain } from '../editing/write-revision.ts'
import type { GitOperationRow } from './git-operation.entity.ts'
import * as operations from './git-operations.repository.ts'
import { commitUrlOf, gitSyncOf, requireLease } from './git-operations.rules.ts'
import { endOperation } from './queue.ts'
import { storeBase } from './export-content.ts'
import { recordExport } from './record-export.ts'
import * as spaces from '../resources/spaces.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import { documentBytes } from '../content-store/content.repository.ts'
import { markGarbage } from '../garbage/garbage.repository.ts'
import * as revisions from '../revisions/revisions.repository.ts'

/** Size at which a bundle is full, in bytes. */
const bundleBytes = 4 * 1024 * 1024

/** Stores the first documents of a list as a bundle, up to a size; one at least. */
export async function bundleGitDocuments(
  { operationId, attempt, documents }: Input<typeof gitCalls.bundleGitDocuments>['body'],
  { db, blobs }: Pick<BaseContext, 'db' | 'blobs'>,
): Promise<{ bundle: string; count: number }> {
  requireLease(await operations.find(db, operationId), attempt)
  const packed: Buffer[] = []
  for (let size = 0; packed.length < documents.length && size < bundleBytes;) {
    const bytes = await documentBytes(db, documents[packed.length] ?? '')
    if (!bytes) throw new Failure('not_found', 'There is no such document')
    packed.push(bytes)
    size += bytes.length
  }
  const { hash } = await blobs.put(packBundle(packed))
  return { bundle: hash, count: packed.length }
}

/** Stores the content of a revision that an export builds on, for the attempt that holds its lease. */
export async function describeGitBase(
  { operationId, attempt, revision }: Input<typeof gitCalls.describeGitBase>['body'],
  context: Pick<BaseContext, 'db' | 'blobs' | 'transaction'>,
): Promise<{ content: string }> {
  const operation = requireLease(await operations.find(context.db, operationId), attempt)
  return { content: await storeBase(operation, revision, context) }
}

/** Whether the commit that an export was based on has changes of the branch that the content lacks. */
async function isBasePartial(db: Db, operation: GitOperationRow, base: string | undefined): Promise<boolean> {
  if (base !== undefined) return (await revisions.find(db, base))?.git?.isPartial ?? false
  return (await operations.lastSynchronised(db, operation))?.isPartial ?? false
}

/** Ends an export: main content becomes the revision that knows the commit, unless it has moved on meanwhile. */
export async function finishGitExport(
  body: Input<typeof gitCalls.finishGitExport>['body'],
  context: Pick<BaseContext, 'db' | 'blobs' | 'transaction'>,
): Promise<{ revision: string }> {
  const operation = await operations.find(context.db, body.operationId)
  if (operation?.state === 'success' && operation.revision !== null) return { revision: operation.revision }
  requireLease(operation, body.attempt)
  const manifest = ExportManifest.parse(JSON.parse((await context.blobs.bytes(body.manifest)).toString()))
  const revision = await context.transaction(async tx => {
    const held = requireLease(await operations.lock(tx, body.operationId), body.attempt)
    const space = await spaces.lock(tx, held.spaceId)
    const exported = await revisions.find(tx, body.revision)
    if (!space || exported?.spaceId !== space.id)
      throw new Failure('internal', `The content of operation ${held.id} is gone`)
    // Changes that an export met on the branch stay there for the next one, whose commit follows its own.
    const isPartial = body.isPartial || (await isBasePartial(tx, held, body.base))
    const url = commitUrlOf(held.options, body.commit.oid)
    const git = {
      ...{ ...body.commit, ref: held.ref },
      ...(url !== undefined && { url }),
      ...(isPartial && { isPartial }),
      ...(manifest.hasAllSettings && { hasAllSettings: true }),
      ...(space.revision !== exported.id && { isBase: true }),
    }
    const to = await recordExport(tx, exported, { manifest, git, createdBy: held.createdBy })
    const from = space.revision
    await advanceMain(tx, space.id, {
      ...{ from, to: from === exported.id ? to : from },
      gitSync: gitSyncOf(held, new Date()),
    })
    await endOperation(tx, held, {
      ...{ state: 'success', revision: to, commit: body.commit.oid, stage: 'finalize' },
      ...{ progress: null, warnings: body.warnings, error: null, isPartial },
      synchronised: { main: from === exported.id ? to : exported.id, isPartial },
    })
    const manifests = [body.manifest, ...(held.options.pushed ?? []).map(({ manifest }) => manifest)]
    await markGarbage(
      tx,
      manifests.map(hash => ({ kind: 'blob' as const, hash })),
      new Date(),
    )
    return to
  })
  return { revision }
}
