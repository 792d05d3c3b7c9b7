import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The providers of a token's organization that there were when it was issued: one of them issued it. */
const candidates = `saml_providers p where p.organization_id = t.sso_organization and p.created_at <= t.created_at`

const statements = [
  `alter table tokens add column sso_provider text references saml_providers (id) on delete cascade`,
  `create index tokens_sso_provider on tokens (sso_provider) where sso_provider is not null`,
  // Where there are several, none is recorded, and the token ends with any of them.
  `update tokens t set sso_provider = (select min(p.id) from ${candidates} having count(*) = 1) where t.sso_organization is not null`,
  // The provider was deleted, and its tokens were not.
  `delete from tokens t where t.sso_organization is not null and not exists (select from ${candidates})`,
]

/** With which SAML provider a token was issued. */
export class SignInOrigins1765700000000 implements MigrationInterface {
  readonly name = 'SignInOrigins1765700000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tokens drop column sso_provider')
  }
}
