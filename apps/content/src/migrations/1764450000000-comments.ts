import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `create table comments (
    id text primary key,
    space_id text not null references spaces (id) on delete cascade,
    change_request_id text references change_requests (id) on delete cascade,
    review_id text references change_request_reviews (id) on delete cascade,
    revision text not null,
    page_id text,
    target jsonb not null,
    body jsonb not null,
    status text not null,
    resolved_at timestamptz(3),
    resolved_by text,
    replies int not null default 0,
    posted_by text not null,
    created_at timestamptz(3) not null,
    edited_at timestamptz(3)
  )`,
  `create index comments_on_main on comments (space_id, created_at desc, id desc) where change_request_id is null`,
  `create index comments_on_change_request on comments (change_request_id, created_at desc, id desc)`,
  `create index comments_review on comments (review_id)`,
  `create table comment_replies (
    id text primary key,
    comment_id text not null references comments (id) on delete cascade,
    body jsonb not null,
    posted_by text not null,
    created_at timestamptz(3) not null,
    edited_at timestamptz(3)
  )`,
  `create index comment_replies_of on comment_replies (comment_id, created_at, id)`,
  // The reaction is to a reply if there is one, else to the comment; "symbol" identifies an emoji, "emoji" is how it was given.
  `create table comment_reactions (
    comment_id text not null references comments (id) on delete cascade,
    reply_id text references comment_replies (id) on delete cascade,
    subject_id text not null,
    symbol text not null,
    emoji text not null,
    user_id text not null,
    created_at timestamptz(3) not null,
    primary key (subject_id, symbol, user_id)
  )`,
  `create index comment_reactions_comment on comment_reactions (comment_id)`,
  `create index comment_reactions_reply on comment_reactions (reply_id)`,
]

export class Comments1764450000000 implements MigrationInterface {
  readonly name = 'Comments1764450000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table comment_reactions, comment_replies, comments')
  }
}
