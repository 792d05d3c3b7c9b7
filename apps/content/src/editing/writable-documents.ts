import type { Change } from './batch.ts'
import { changeFault } from './change-fault.ts'
import { type MarkdownPool, orFallback } from '../documents/parse-once.ts'

/**
 * Refuses a document that would read back as another one, since pages are stored as Markdown. It is checked in a worker thread, before
 * anything is locked; a document that takes too long could not be read back either, and is refused, too.
 */
export async function requireWritableDocuments(changes: readonly Change[], pool: MarkdownPool): Promise<void> {
  for (const [at, change] of changes.entries()) {
    const isPage = change.operation === 'insert_page' || change.operation === 'update_page'
    const document = isPage ? change.document?.document : undefined
    if (!document) continue
    const place = await orFallback(pool.run('unwritable', { document }), () => 'nodes')
    if (place !== undefined)
      throw changeFault(at, `document.document.${place}`, 'cannot be kept, since Markdown has no place for it')
  }
}
