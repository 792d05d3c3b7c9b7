import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `alter table users add column email_asserted_by text`,
  // A first sign-in creates the user and the token with one time.
  `update users u set email_asserted_by = t.sso_organization from tokens t
     where t.user_id = u.id and t.sso_organization is not null and t.created_at = u.created_at`,
]

/** Whose single sign-on asserted the email of a user. */
export class AssertedEmails1765650000000 implements MigrationInterface {
  readonly name = 'AssertedEmails1765650000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table users drop column email_asserted_by')
  }
}
