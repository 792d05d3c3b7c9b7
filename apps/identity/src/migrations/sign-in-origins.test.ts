import { migrate, openDatabase, query } from '@recto/database'
import { aDatabase } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { identityDatabase } from '../database.ts'
import { SignInOrigins1765700000000 } from './1765700000000-sign-in-origins.ts'

const organizations = ['one', 'two', 'none']
const statements = [
  `insert into users (id, email, display_name, created_at) values ('u', 'u@recto.test', 'Ada', now())`,
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
  ].map(
    ([id, organization, at]) =>
      `insert into tokens (id, user_id, name, hash, scopes, hint, created_at, sso_organization) values ('${id}', 'u', 't', '${id}', '{}', 'abcd', '${at}', ${organization})`,
  ),
]

it('records the provider of tokens that can be of one only, and revokes those whose provider is gone', async () => {
  const isBefore = (migration: unknown) => migration !== SignInOrigins1765700000000
  const { url, drop } = await aDatabase({
    template: 'identity-before-sign-in-origins',
    migrate: async url => {
      const options = identityDatabase(url)
      await migrate({ ...options, migrations: options.migrations.filter(isBefore) })
    },
  })
  const before = await openDatabase(identityDatabase(url, 1))
  for (const statement of statements) await query(before.manager, statement)
  await before.destroy()
  await migrate(identityDatabase(url))
  const after = await openDatabase(identityDatabase(url, 1))
  expect(await query(after.manager, 'select id, sso_provider from tokens order by id')).toEqual([
    { id: 'of no sign-in', sso_provider: null },
    { id: 'of one of two', sso_provider: null },
    { id: 'of the only provider', sso_provider: 'okta' },
  ])
  await after.destroy()
  await drop()
})
