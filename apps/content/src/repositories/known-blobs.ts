import type { gitContentCalls } from '@recto/contracts-git-worker-bus'
import type { Db } from '@recto/database'
import type { Output } from '@recto/operation'
import { loadFileIndex, loadPageIndex, loadReusableContents } from '../pages/revision-index.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'

/** The files and documents of a revision that have a git object. */
export async function knownBlobs(
  db: Db,
  revision: RevisionRow,
): Promise<Output<typeof gitContentCalls.listKnownGitBlobs>['known']> {
  const [pages, files, reusable] = await Promise.all([
    loadPageIndex(db, revision),
    loadFileIndex(db, revision.filesRoot),
    loadReusableContents(db, revision.reusableRoot),
  ])
  const documents = [...pages.inOrder(), ...reusable].flatMap(({ git, document }) =>
    git && document ? [{ oid: git.oid, hash: document, size: 0, isDocument: true }] : [],
  )
  const stored = files.inOrder.flatMap(({ git, hash, size }) =>
    git ? [{ oid: git.oid, hash, size, isDocument: false }] : [],
  )
  return [...documents, ...stored]
}
