import { Failure } from '@recto/operation'
import type { Role } from '@recto/actor'
import { roleForbids } from '@recto/actor'
import { readableSpace } from '../spaces/readable-space.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import type { Context } from '../shared/context.ts'
import type { TranslationRow } from './translation.entity.ts'
import { translationCan } from './translations.policy.ts'
import * as translations from './translations.repository.ts'

/** A translation with its spaces, and the caller's role on its target. */
export interface TranslationWithSpaces {
  translation: TranslationRow
  source: SpaceRow
  target: SpaceRow
  role: Role
}

interface Params {
  organizationId: string
  translationId: string
}

/** A translation of an organization; throws `not_found` when there is none, or when the caller may not read both its spaces. */
export async function readableTranslation(params: Params, context: Context): Promise<TranslationWithSpaces> {
  const translation = await translations.find(context.db, params.translationId)
  if (translation?.organizationId !== params.organizationId) throw noSuchTranslation()
  const [from, to] = await Promise.all(
    [translation.sourceSpaceId, translation.targetSpaceId].map(id =>
      readableSpace(context, id).catch((error: unknown) => {
        throw error instanceof Failure && error.code === 'not_found' ? noSuchTranslation() : error
      }),
    ),
  )
  if (!from || !to) throw noSuchTranslation()
  return { translation, source: from.space, target: to.space, role: to.role }
}

/** A translation that the caller may change and run; throws as `readableTranslation`, and `forbidden`. */
export async function editableTranslation(params: Params, context: Context): Promise<TranslationWithSpaces> {
  const readable = await readableTranslation(params, context)
  if (!translationCan.edit(readable.role)) throw roleForbids(readable.role)
  return readable
}

/** Throws `conflict` when the spaces of a translation are not as it needs them. */
export function requireRunnable({
  translation,
  source,
  target,
}: {
  translation: TranslationRow
  source: SpaceRow | undefined
  target: SpaceRow | undefined
}): void {
  for (const [name, space] of Object.entries({ source, target })) {
    if (!space || space.deletedAt) throw new Failure('conflict', `The ${name} space of the translation is deleted`)
    if (space.organizationId !== translation.organizationId)
      throw new Failure('conflict', `The ${name} space of the translation is in another organization`)
  }
}

function noSuchTranslation(): Failure {
  return new Failure('not_found', 'There is no such translation')
}
