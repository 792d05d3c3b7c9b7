import type { translations as rows } from '@recto/contracts-content'
import type { Transaction } from '@recto/database'
import { completeDocument } from '@recto/markdown'
import { createId, fieldFault, type Input } from '@recto/operation'
import { emptyDocument } from '../documents/documents.ts'
import { copyBeside, type MakeCopy } from '../spaces/copy-beside.ts'
import { copySpace, suffixedTitle } from '../spaces/duplicate.rules.ts'
import type { SpaceWithAcl } from '../resources/space.entity.ts'
import { emptyRevision } from '../revisions/revisions.rules.ts'
import type { Context } from '../shared/context.ts'
import type { TranslationRow } from './translation.entity.ts'
import { recordTranslation } from './translation-records.ts'
import * as translations from './translations.repository.ts'

type Request = Input<typeof rows.createTranslation>

/** Adds a translation, and beside its source the empty space that it is written to: as closed as the source is, and in its language. */
export async function createTranslation(
  tx: Transaction,
  { actor }: Pick<Context, 'actor'>,
  { params: { organizationId }, body }: { params: { organizationId: string }; body: Request['body'] },
): Promise<{ translation: TranslationRow; target: SpaceWithAcl }> {
  const make: MakeCopy = (source, place) => {
    if (source.organizationId !== organizationId)
      throw fieldFault('body.source.space', 'must be a space of the organization', 'not_found')
    const { space } = copySpace(source, place)
    const revision = emptyRevision({ id: space.revision, spaceId: space.id, createdBy: actor.userId })
    const title = suffixedTitle(source.title, body.language)
    return { space: { ...space, title, language: body.language, editMode: 'live' }, revision }
  }
  const target = await copyBeside(tx, actor, { id: body.source.space, make })
  const translation = newTranslation({ organizationId, body, target, createdBy: actor.userId })
  await translations.insert(tx, translation)
  recordTranslation(tx, 'created', { ...translation, details: { source: translation.sourceSpaceId } })
  return { translation, target }
}

function newTranslation({
  organizationId,
  body,
  target,
  createdBy,
}: {
  organizationId: string
  body: Request['body']
  target: SpaceWithAcl
  createdBy: string
}): TranslationRow {
  const now = new Date()
  return {
    id: createId(),
    organizationId,
    status: 'pending',
    createdBy,
    createdAt: now,
    updatedAt: now,
    sourceSpaceId: body.source.space,
    sourceLanguage: body.source.language,
    targetSpaceId: target.id,
    language: body.language,
    machineRevision: target.revision,
    instructions: body.instructions ? completeDocument(body.instructions) : emptyDocument(),
    sourceRevision: null,
    sourceChangedAt: null,
    settings: '',
    unfinished: [],
    runs: 0,
    totalWords: 0,
    totalPages: 0,
    totalDuration: 0,
    latestDuration: 0,
    latestPages: 0,
    latestWords: 0,
  }
}
