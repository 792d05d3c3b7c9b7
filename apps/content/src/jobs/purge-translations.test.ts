import { query, transact } from '@recto/database'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aTranslation } from '../test/a-translator.ts'
import { aContent, aSpace, type ContentSetup } from '../test/content-setup.ts'
import { purge } from './purge.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const db = () => content.service.db
const purgeNow = () => purge({ transaction: work => transact(db(), () => undefined, work), now: new Date() })
const count = async (sql: string, id: string) => (await query(db(), sql, [id])).length

it.each(['source', 'target'] as const)(
  'The translation of a purged %s is deleted, the other space stays, and a running run ends first',
  async name => {
    const client = () => content.as('create')
    const translation = await aTranslation({ content, client }, { source: await aSpace(content) })
    const run = `insert into translation_runs (id, translation_id, state, attempts, done, total, segments, characters, words, is_repeated, created_by, created_at, failures, kept, notes)
      values ($1 || ' run', $1, 'running', 1, 0, 0, 0, 0, 0, false, 'x', now(), '[]', '[]', 0)`
    await query(db(), run, [translation.id])
    await content.as('admin').deleteSpaceById({ params: { spaceId: translation[name] } })
    await query(db(), `update spaces set deleted_at = now() - interval '8 days' where id = $1`, [translation[name]])
    expect(await purgeNow()).toBe(0)
    await query(db(), `update translation_runs set state = 'failure' where translation_id = $1`, [translation.id])
    expect(await purgeNow()).toBe(1)
    expect(await count('select from translations where id = $1', translation.id)).toBe(0)
    expect(await count('select from translation_runs where translation_id = $1', translation.id)).toBe(0)
    const other = name === 'source' ? translation.target : translation.source
    expect(await count('select from spaces where id = $1', other)).toBe(1)
  },
)
