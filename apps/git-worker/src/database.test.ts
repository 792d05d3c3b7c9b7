import { migrate, openDatabase, schemaDifferences } from '@recto/database'
import { aDatabase } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { gitDatabase } from './database.ts'

it('The database has an entity for each table, with exactly the columns that the migrations create', async () => {
  const { url, drop } = await aDatabase({
    template: 'git-worker',
    migrate: async url => void (await migrate(gitDatabase(url))),
  })
  const database = await openDatabase(gitDatabase(url, { poolSize: 1 }))
  expect(await schemaDifferences(database)).toEqual([])
  await database.destroy()
  await drop()
})
