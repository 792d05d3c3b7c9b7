import { failure } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aContent, type ContentSetup } from '../test/content-setup.ts'
import * as memory from './translation-memory.repository.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

it('A run of a translation that is deleted meanwhile fails nowhere', async () => {
  const { db } = content.service
  expect(await failure(memory.saveTexts(db, 'deleted', new Map([['hash', 'text']])))).toBe('not_found')
})
