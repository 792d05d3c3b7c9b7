import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The source from which a version was read, as it was set. */
export class VersionSources1765800000000 implements MigrationInterface {
  readonly name = 'VersionSources1765800000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table openapi_spec_versions add column source_url text')
    const specs = (await runner.query('select id, source_url from openapi_specs where source_url is not null')) as {
      id: string
      source_url: string
    }[]
    const setSource = 'update openapi_spec_versions set source_url = $2 where spec_id = $1 and url = any($3)'
    for (const { id, source_url: source } of specs)
      await runner.query(setSource, [id, source, [source, new URL(source).href]])
    // Redirects led to the others, or their source was changed since; queries may be signatures.
    await runner.query(
      `update openapi_spec_versions set source_url = regexp_replace(url, '[?#].*$', '')
       where source_url is null and length(regexp_replace(url, '[?#].*$', '')) <= 2048`,
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table openapi_spec_versions drop column source_url')
  }
}
