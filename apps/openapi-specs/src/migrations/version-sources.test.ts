import { migrate, openDatabase, query } from '@recto/database'
import { aDatabase } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { specificationDatabase } from '../database.ts'
import { VersionSources1765800000000 } from './1765800000000-version-sources.ts'

const versions: [string, string | null, string | null][] = [
  ['as set', 'https://a.test/x?k=1', 'https://a.test/x?k=1'],
  ['as a browser writes it', 'https://a.test/', 'https://A.test'],
  ['redirected', 'https://b.test/y?signature=s', 'https://b.test/y'],
  ['too long', `https://b.test/${'y'.repeat(2_048)}`, null],
  ['text', null, null],
]

it('an upgrade records the source of versions, without what redirects added', async () => {
  const { url, drop } = await aDatabase({
    template: 'openapi-specs-before-version-sources',
    migrate: async url => {
      const options = specificationDatabase(url)
      const before = options.migrations.filter(migration => migration !== VersionSources1765800000000)
      await migrate({ ...options, migrations: before })
    },
  })
  const database = await openDatabase(specificationDatabase(url, { poolSize: 1 }))
  const insertSpec = `insert into openapi_specs (id, organization_id, slug, source_url, visibility, state, attempts, failures,
    source_version, errors, created_at, updated_at) values ($1, 'o', $1, $2, 'private', 'complete', 0, 0, 0, '[]', now(), now())`
  const insertVersion = `insert into openapi_spec_versions (id, spec_id, hash, url, created_at) values ($1, $1, 'h', $2, now())`
  const sources: Record<string, string | null> = { 'as a browser writes it': 'https://A.test', text: null }
  for (const [id, address] of versions) {
    await query(database.manager, insertSpec, [id, id in sources ? sources[id] : 'https://a.test/x?k=1'])
    await query(database.manager, insertVersion, [id, address])
  }
  await migrate(specificationDatabase(url))
  const rows = await query<{ id: string; url: string | null; source_url: string | null }>(
    database.manager,
    'select id, url, source_url from openapi_spec_versions',
  )
  const byId = new Map(rows.map(row => [row.id, [row.url, row.source_url]]))
  expect(versions.map(([id]) => byId.get(id))).toEqual(versions.map(([, address, source]) => [address, source]))
  await database.destroy()
  await drop()
})
