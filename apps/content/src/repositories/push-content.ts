import type { Db } from '@recto/database'
import type { SpaceRow } from '../resources/space.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import type { ReplacedContent } from './push-base.rules.ts'

/** The reason why a push is refused whose folder was read from other content. */
export const contentMoved = 'The content has changed since the folder was read from it'

/** The content that a push into a new change request replaces. */
export async function newChangeRequestContent(
  db: Db,
  { id: spaceId, revision: main }: Pick<SpaceRow, 'id' | 'revision'>,
  base: string | undefined,
): Promise<ReplacedContent> {
  const row = base === undefined ? undefined : await revisions.find(db, base)
  return { kind: 'new-change-request', main, isFormerMain: row?.spaceId === spaceId && row.mainNumber !== null }
}
