import { markPublished, type Transaction } from '@recto/database'
import { findOpenJobs } from './git-operations.repository.ts'

/** Withdraws the jobs of spaces, whose operations are about to be deleted with them. */
export async function withdrawJobs(tx: Transaction, spaces: string[]): Promise<void> {
  for (const job of await findOpenJobs(tx, spaces)) await markPublished(tx, job)
}
