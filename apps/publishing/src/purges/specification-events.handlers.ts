import { openApiSpecEvents } from '@recto/contracts-openapi-specs-bus'
import { implementEvents, type EventContext } from '@recto/service'
import { specTag } from './purge.rules.ts'
import { requestPurge } from './purges.repository.ts'

/** Readers read a specification again that has a new version or is gone: pages name it, and it changes without them. */
export function specificationEventHandlers() {
  const readAgain = ({ organization, slug }: { organization: string; slug: string }, { tx }: EventContext) =>
    requestPurge(tx, [specTag(organization, slug)])
  return implementEvents<'publishing'>()(openApiSpecEvents, { versionAdded: readAgain, specDeleted: readAgain })
}
