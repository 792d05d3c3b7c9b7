import { migrate, openDatabase, query } from '@recto/database'
import { aDatabase } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { identityDatabase } from '../database.ts'
import { AssertedEmails1765650000000 } from './1765650000000-asserted-emails.ts'
import { SignInOrigins1765700000000 } from './1765700000000-sign-in-origins.ts'

const organizations = ['one', 'two', 'none']
const statements = [
  ...[
    ['u', '2025-01-01'],
    ['made by its first sign-in', '2026-02-02T10:00:00.123Z'],
    ['made before', '2026-02-02T10:00:00.122Z'],
  ].map(
    ([id, at]) =>
      `insert into users (id, email, display_name, created_at) values ('${id}', '${id}@recto.test', 'Ada', '${at}')`,
  ),
  ...organizations.map(
    id =>
      `insert into organizations (id, title, type, email_domains, invite_links, created_at) values ('${id}', '${id}', 'business', '{}', true, now())`,
  ),
  ...[
    ['okta', 'one', '2026-01-01'],
    ['later', 'one', '2026-03-01'],
    ['entra', 'two', '2026-01-01'],
    ['keycloak', 'two', '2026-01-01'],
  ].map(
    ([id, organization, at]) =>
      `insert into saml_providers (id, organization_id, label, created_at) values ('${id}', '${organization}', '${id}', '${at}')`,
  ),
  ...[
    ['of the only provider', `'one'`, '2026-02-01'],
    ['of one of two', `'two'`, '2026-02-01'],
    ['of a deleted one', `'none'`, '2026-02-01'],
    ['from before all providers', `'one'`, '2025-12-01'],
    ['of no sign-in', 'null', '2026-02-01'],
    ['first', `'one'`, '2026-02-02T10:00:00.123Z', 'made by its first sign-in'],
    ['later', `'one'`, '2026-02-02T10:00:00.123Z', 'made before'],
  ].map(
    ([id, organization, at, user = 'u']) =>
      `insert into tokens (id, user_id, name, hash, scopes, hint, created_at, sso_organization) values ('${id}', '${user}', 't', '${id}', '{}', 'abcd', '${at}', ${organization})`,
  ),
]

const migrations: unknown[] = [AssertedEmails1765650000000, SignInOrigins1765700000000]

it('an upgrade records whose sign-in issued a token and asserted an email, and revokes what a deleted provider issued', async () => {
  const isBefore = (migration: unknown) => !migrations.includes(migration)
  const { url, drop } = await aDatabase({
    template: 'identity-before-sign-in-origins',
    migrate: async url => {
      const options = identityDatabase(url)
      await migrate({ ...options, migrations: options.migrations.filter(isBefore) })
    },
  })
  const before = await openDatabase(identityDatabase(url, { poolSize: 1 }))
  for (const statement of statements) await query(before.manager, statement)
  await before.destroy()
  await migrate(identityDatabase(url))
  const after = await openDatabase(identityDatabase(url, { poolSize: 1 }))
  expect(await query(after.manager, 'select id, sso_provider from tokens order by id')).toEqual([
    { id: 'first', sso_provider: 'okta' },
    { id: 'later', sso_provider: 'okta' },
    { id: 'of no sign-in', sso_provider: null },
    { id: 'of one of two', sso_provider: null },
    { id: 'of the only provider', sso_provider: 'okta' },
  ])
  expect(await query(after.manager, 'select id, email_asserted_by from users order by id')).toEqual([
    { id: 'made before', email_asserted_by: null },
    { id: 'made by its first sign-in', email_asserted_by: 'one' },
    { id: 'u', email_asserted_by: null },
  ])
  await after.destroy()
  await drop()
})
