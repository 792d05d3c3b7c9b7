import { migrate, openDatabase, schemaDifferences } from '@recto/database'
import { aDatabase } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { specificationDatabase } from './database.ts'

it('has an entity for each table, with exactly the columns that the migrations create', async () => {
  const { url, drop } = await aDatabase({
    template: 'openapi-specs',
    migrate: async url => void (await migrate(specificationDatabase(url))),
  })
  const database = await openDatabase(specificationDatabase(url, { poolSize: 1 }))
  expect(await schemaDifferences(database)).toEqual([])
  await database.destroy()
  await drop()
})
