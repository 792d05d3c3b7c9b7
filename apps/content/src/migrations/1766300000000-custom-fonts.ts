import type { MigrationInterface, QueryRunner } from 'typeorm'

const up = [
  `create table custom_fonts (
    id text primary key,
    organization_id text not null,
    family text not null,
    faces jsonb not null,
    created_at timestamptz(3) not null
  )`,
  `create index custom_fonts_organization on custom_fonts (organization_id, family, id)`,
  `create index custom_fonts_faces on custom_fonts using gin (faces jsonb_path_ops)`,
]

/** Fonts of organizations. */
export class CustomFonts1766300000000 implements MigrationInterface {
  readonly name = 'CustomFonts1766300000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table custom_fonts')
  }
}
