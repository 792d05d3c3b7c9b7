import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `alter table spaces add merge_rules jsonb not null default '{"type": "inherit"}'`,
  `alter table revisions add merged_from text, add main_number int`,
  `with recursive main as (
    select r.id, r.parents, 0 as depth from spaces s join revisions r on r.id = s.revision
    union all
    select r.id, r.parents, main.depth - 1 from main join revisions r on r.id = main.parents[1]
  ), numbered as (
    select main.id, row_number() over (partition by r.space_id order by main.depth) as number
    from main join revisions r on r.id = main.id
  )
  update revisions set main_number = numbered.number from numbered where revisions.id = numbered.id`,
  `create unique index revisions_main on revisions (space_id, main_number) where main_number is not null`,
  `create table change_requests (
    id text primary key,
    space_id text not null references spaces (id) on delete cascade,
    number int not null,
    status text not null,
    subject text not null,
    description jsonb,
    revision text not null references revisions (id),
    revision_initial text not null,
    revision_merged_ancestor text,
    revision_merged text,
    comments int not null default 0,
    created_by text not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    unique (space_id, number)
  )`,
  `create index change_requests_space on change_requests (space_id, status, created_at desc, id desc)`,
  `create table change_request_contributors (
    change_request_id text not null references change_requests (id) on delete cascade,
    user_id text not null,
    action_type text not null,
    count int not null,
    updated_at timestamptz(3) not null,
    primary key (change_request_id, user_id, action_type)
  )`,
  `create index change_request_contributors_user on change_request_contributors (user_id, change_request_id)`,
  `create table change_request_reviews (
    id text primary key,
    change_request_id text not null references change_requests (id) on delete cascade,
    revision text not null,
    reviewer text not null,
    requested_by text,
    status text not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create index change_request_reviews_of on change_request_reviews (change_request_id, created_at desc, id desc)`,
  `create table requested_reviewers (
    change_request_id text not null references change_requests (id) on delete cascade,
    user_id text not null,
    revision text not null,
    requested_by text not null,
    created_at timestamptz(3) not null,
    primary key (change_request_id, user_id)
  )`,
]

export class ChangeRequests1764400000000 implements MigrationInterface {
  readonly name = 'ChangeRequests1764400000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop table requested_reviewers, change_request_reviews, change_request_contributors, change_requests',
    )
    await runner.query('drop index revisions_main')
    await runner.query('alter table revisions drop merged_from, drop main_number')
    await runner.query('alter table spaces drop merge_rules')
  }
}
