import type { MigrationInterface, QueryRunner } from 'typeorm'

const indexes = ['search_pages_tokens', 'search_words_variants']

/**
 * Bounds the lists of entries that a GIN index has not sorted in yet: each search reads them from end to end, which were up to 4 MB, and are
 * 128 KB.
 */
export class PendingLists1767400000000 implements MigrationInterface {
  readonly name = 'PendingLists1767400000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const index of indexes) await runner.query(`alter index ${index} set (gin_pending_list_limit = 128)`)
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of indexes) await runner.query(`alter index ${index} reset (gin_pending_list_limit)`)
  }
}
