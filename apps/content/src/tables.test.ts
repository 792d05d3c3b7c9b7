import { join } from 'node:path'
import { serviceEntities } from '@recto/database'
import { EventReactionEntity } from '@recto/service'
import { tableFaults } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { contentDatabase } from './database.ts'

it('every table has one owning room, and no other room names it', () => {
  const own = contentDatabase('').entities.filter(entity => ![...serviceEntities, EventReactionEntity].includes(entity))
  const tables = own.map(({ options: { name, tableName } }) => tableName ?? name)
  expect(tableFaults({ root: join(import.meta.dirname, '..'), tables })).toEqual([])
})
