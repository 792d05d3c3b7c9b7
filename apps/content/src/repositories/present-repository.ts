import type { repositories } from '@recto/contracts-content'
import type { Db } from '@recto/database'
import type { Output } from '@recto/operation'
import { presentFile, type Presentation } from '../pages/present-page.ts'
import { loadFileIndex } from '../pages/revision-index.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import { stateOf } from './revision-state.ts'

/** A revision as the files of a repository have it, with addresses of its files. */
export async function presentRepository(
  db: Db,
  revision: RevisionRow,
  presentation: Presentation,
): Promise<Output<typeof repositories.getRevisionRepository>> {
  const { files, ...state } = await stateOf(db, revision)
  const index = await loadFileIndex(db, revision.filesRoot)
  return {
    object: 'revision-repository',
    revision: revision.id,
    ...state,
    ...(revision.git && { commit: revision.git.oid }),
    files: files.flatMap(file => {
      const record = index.get(file.id)
      if (!record) return []
      const { size, downloadURL } = presentFile(record, presentation)
      return [{ ...file, size, downloadURL }]
    }),
  }
}
