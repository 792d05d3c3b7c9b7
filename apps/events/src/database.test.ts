import { migrate, openDatabase, schemaDifferences } from '@recto/database'
import { aDatabase } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { eventsDatabase } from './database.ts'

it('has an entity for each table, with exactly the columns that the migrations create', async () => {
  const { url, drop } = await aDatabase({
    template: 'events',
    migrate: async url => void (await migrate(eventsDatabase(url))),
  })
  const database = await openDatabase(eventsDatabase(url, { poolSize: 1 }))
  expect(await schemaDifferences(database)).toEqual([])
  await database.destroy()
  await drop()
})
