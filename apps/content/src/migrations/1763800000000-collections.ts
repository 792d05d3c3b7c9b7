import type { MigrationInterface, QueryRunner } from 'typeorm'

/** A key of four digits in base 62, as fractional indexing writes them, for the nth row. */
const nth = (n: string): string => {
  const digits = `'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'`
  return `'d' || ${[238_328, 3844, 62, 1].map(weight => `substr(${digits}, (${n} / ${weight} % 62 + 1)::int, 1)`).join(' || ')}`
}

/** A key from the current time that sorts after all generated ones, for spaces created by the previous version during an update. */
const now = `'k' || lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 11, '0')`

const statements = [
  `create table collections (
    id text primary key,
    organization_id text not null,
    title text not null,
    description text,
    parent text,
    default_level text,
    position text collate "C" not null,
    created_by text not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    constraint collections_in_organization unique (organization_id, id),
    constraint collections_parent foreign key (organization_id, parent) references collections (organization_id, id) deferrable
  )`,
  `create index collections_siblings on collections (organization_id, parent, position)`,
  `create index collections_organization on collections (organization_id, created_at desc, id desc)`,
  `create index collections_deleted on collections (deleted_at) where deleted_at is not null`,
  `alter table spaces add column parent text, add column icon text, add column position text collate "C"`,
  `update spaces set position = ${nth('ordered.n')} from (
    select id, row_number() over (partition by organization_id order by created_at, id) as n from spaces
  ) as ordered where ordered.id = spaces.id`,
  `alter table spaces alter column position set default ${now}, alter column position set not null`,
  `alter table spaces
    add constraint spaces_in_organization unique (organization_id, id),
    add constraint spaces_parent foreign key (organization_id, parent) references collections (organization_id, id) deferrable`,
  `create index spaces_siblings on spaces (organization_id, parent, position)`,
  `create index spaces_deleted on spaces (deleted_at) where deleted_at is not null`,
]

export class Collections1763800000000 implements MigrationInterface {
  readonly name = 'Collections1763800000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index spaces_deleted, spaces_siblings')
    await runner.query(
      'alter table spaces drop constraint spaces_parent, drop constraint spaces_in_organization, drop column parent, drop column icon, drop column position',
    )
    await runner.query('drop table collections')
  }
}
