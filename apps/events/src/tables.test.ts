import { join } from 'node:path'
import { serviceEntities } from '@recto/database'
import { tableFaults } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { eventsDatabase } from './database.ts'

it('every table has one owning room, and no other room names it', () => {
  const own = eventsDatabase('').entities.filter(entity => !serviceEntities.includes(entity))
  const tables = own.map(({ options: { name, tableName } }) => tableName ?? name)
  expect(tableFaults({ root: join(import.meta.dirname, '..'), tables })).toEqual([])
})
