import { Failure } from '@recto/operation'
import { filePath } from '../pages/repository-files.ts'
import type { FileRecord } from '../revisions/records.ts'
import type { ChangeOf, Outcome, StoredFile, Step } from './batch.ts'
import { changeConflict } from './change-fault.ts'

/** Inserts files among the assets of the content; a name that is taken gets a number. */
export function insertFiles({ files, operation }: ChangeOf<'insert_files'>, { batch, at }: Step): Outcome {
  const ids = files.map(({ ref }, number) => {
    const stored = requireStoredFile(batch.uploads.get(at)?.[number])
    const id = batch.newId()
    batch.files.set({ id, ...stored, file: batch.files.newPath(stored.name, batch.root) })
    if (ref !== undefined) batch.refs.set(ref, { kind: 'file', id })
    return id
  })
  return { operation, files: ids }
}

/** Replaces the bytes of a file; it keeps its id and its path, so that links to it stay right. */
export function replaceFile({ file, name, operation }: ChangeOf<'replace_file'>, { batch, at }: Step): Outcome {
  const before = requireFile(batch.files.get(file), at)
  const { name: _uploaded, ...bytes } = requireStoredFile(batch.uploads.get(at)?.[0])
  const { dimensions: _dimensions, git: _git, ...fields } = before
  batch.files.set({ ...fields, ...bytes, file: filePath(before), name: name ?? before.name })
  return { operation, files: [file] }
}

export function deleteFile({ file, operation }: ChangeOf<'delete_file'>, { batch, at }: Step): Outcome {
  requireFile(batch.files.get(file), at)
  batch.files.delete(file)
  return { operation, files: [file] }
}

function requireFile(record: FileRecord | undefined, at: number): FileRecord {
  if (record) return record
  throw changeConflict(at, 'file', 'is not a file of the content')
}

function requireStoredFile(stored: StoredFile | undefined): StoredFile {
  if (stored) return stored
  throw new Failure('internal', 'The bytes of a file were not stored')
}
