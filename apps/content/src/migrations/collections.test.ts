import { migrate, openDatabase, query } from '@recto/database'
import { createId } from '@recto/operation'
import { aDatabase } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { contentDatabase } from '../database.ts'
import { positionAtEnd } from '../resources/ordering.repository.ts'

it('The migration assigns existing spaces positions in the order of creation, also those created by the previous version', async () => {
  const before = (url: string) => ({
    ...contentDatabase(url, { poolSize: 2 }),
    migrations: contentDatabase(url).migrations.slice(0, 2),
  })
  const database = await aDatabase({
    template: 'content_before',
    migrate: async url => void (await migrate(before(url))),
  })
  const now = contentDatabase(database.url, { poolSize: 2 })
  const source = await openDatabase(now)
  const db = source.manager
  const organization = createId()
  const insert = async (from: number, to: number) => {
    const values = [createId(), organization, from, to]
    await query(
      db,
      `insert into revisions (id, space_id, type, parents, pages_root, files_root, reusable_root, variables, created_at) values ($1, '', '', '{}', '', '', '', '{}', now())`,
      [values[0]],
    )
    await query(
      db,
      `insert into spaces (id, organization_id, title, emoji, edit_mode, default_level, revision, created_by, created_at, updated_at)
       select $2 || n, $2, n::text, '', 'live', 'inherit', $1, '', now() + make_interval(secs => n), now() from generate_series($3::int, $4::int) as n`,
      values,
    )
  }
  await insert(1, 4000)
  await migrate(now)
  await insert(4001, 4001)
  const spaces = await query<{ title: string; position: string }>(
    db,
    'select title, position from spaces order by position, id',
  )
  expect(spaces.map(({ title }) => Number(title))).toEqual(Array.from({ length: 4001 }, (_, at) => at + 1))
  expect(new Set(spaces.map(({ position }) => position)).size).toBe(4001)
  const next = await positionAtEnd(db, { organization, parent: null })
  expect(next > (spaces.at(-1)?.position ?? '')).toBe(true)
  await source.destroy()
  await database.drop()
})
