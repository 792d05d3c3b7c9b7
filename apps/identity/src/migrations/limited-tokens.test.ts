import { migrate, openDatabase, query } from '@recto/database'
import { aDatabase } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { identityDatabase } from '../database.ts'
import { LimitedTokens1767200000000 } from './1767200000000-limited-tokens.ts'

it('on the way back, limited tokens are revoked: they would be as those that are not limited', async () => {
  const { url, drop } = await aDatabase({
    template: 'identity',
    migrate: async url => void (await migrate(identityDatabase(url))),
  })
  const database = await openDatabase(identityDatabase(url, { poolSize: 2 }))
  const run = (sql: string) => query(database.manager, sql)
  await run(`insert into users (id, email, display_name, created_at) values ('u', 'u@recto.test', 'Ada', now())`)
  for (const [id, limits] of [
    ['limited', `'{"spaces": [], "collections": [], "sites": []}'`],
    ['not limited', 'null'],
  ])
    await run(
      `insert into tokens (id, user_id, name, hash, scopes, hint, created_at, limited_to) values ('${id}', 'u', 't', '${id}', '{}', 'abcd', now(), ${limits})`,
    )
  const runner = database.createQueryRunner()
  await new LimitedTokens1767200000000().down(runner)
  expect(await run('select id from tokens')).toEqual([{ id: 'not limited' }])
  await runner.release()
  await database.destroy()
  await drop()
})
