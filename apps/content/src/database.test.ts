import { migrate, openDatabase, query, schemaDifferences } from '@recto/database'
import { aDatabase } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { contentDatabase } from './database.ts'

/** Tables with rows for each page, and the column by which they can be divided between servers (docs/operations/capacity.md). */
const divisible = {
  documents: 'hash',
  tree_nodes: 'hash',
  search_pages: 'space_id',
  search_sections: 'space_id',
  search_words: 'space_id',
  content_references: 'space_id',
  content_anchors: 'space_id',
  former_paths: 'space_id',
  main_projections: 'space_id',
}

it('Primary keys of tables with rows for each page begin with a space or a hash', async () => {
  const { url, drop } = await aDatabase({
    template: 'content',
    migrate: async url => void (await migrate(contentDatabase(url))),
  })
  const database = await openDatabase(contentDatabase(url, { poolSize: 1 }))
  const rows = await query<{ name: string; first: string }>(
    database.manager,
    `select indrelid::regclass::text as name, attname as first from pg_index
     join pg_attribute on attrelid = indrelid and attnum = indkey[0]
     where indisprimary and indrelid = any($1::regclass[])`,
    [Object.keys(divisible)],
  )
  expect(Object.fromEntries(rows.map(({ name, first }) => [name, first]))).toEqual(divisible)
  await database.destroy()
  await drop()
})

it('has an entity for each table, with exactly the columns that the migrations create', async () => {
  const { url, drop } = await aDatabase({
    template: 'content',
    migrate: async url => void (await migrate(contentDatabase(url))),
  })
  const database = await openDatabase(contentDatabase(url, { poolSize: 1 }))
  expect(await schemaDifferences(database)).toEqual([])
  await database.destroy()
  await drop()
})
