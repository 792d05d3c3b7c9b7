import type { ImportRun } from '@recto/contracts-shared'
import type { z } from 'zod'
import type { SpaceRow } from '../resources/space.entity.ts'
import { requireRead } from '../spaces/spaces.policy.ts'
import type { Context } from '../shared/context.ts'
import * as repository from './import-runs.repository.ts'
import { presentRuns } from './present-run.ts'

/** Imports that the reply of a space or change request shows at most. */
const limit = 20

/** A space that the caller can read, and whether it has imports that replies show: without them, nobody asks for them. */
export async function readableSpaceWithImports({ db, actor }: Context, spaceId: string) {
  const space = await repository.findSpaceWithImports(db, spaceId, actor)
  return { ...requireRead(actor, space), hasCurrentImports: space?.hasCurrentImports ?? false }
}

/** The imports into a space, or into a change request of it, that are open or ended within a day, as a field of its reply; none without them. */
export async function currentImports(
  { space, hasCurrentImports }: { space: SpaceRow; hasCurrentImports: boolean },
  changeRequestId: string | undefined,
  { db, publicUrl }: Pick<Context, 'db' | 'publicUrl'>,
): Promise<{ imports?: z.input<typeof ImportRun>[] }> {
  if (!hasCurrentImports) return {}
  const of = { organizationId: space.organizationId, spaceId: space.id, changeRequestId }
  const rows = await repository.listCurrent(db, { ...of, limit })
  return rows.length === 0 ? {} : { imports: await presentRuns(rows, { db, publicUrl }) }
}
