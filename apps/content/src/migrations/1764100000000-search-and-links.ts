import type { MigrationInterface, QueryRunner } from 'typeorm'

/** No foreign keys to spaces: their checks would lock the space while it is projected, and keep writers waiting. */
const projections = `create table main_projections (
  space_id text primary key,
  revision text
)`

/** `tokens` has the words of name and text with their weights; the lexeme of its space is one of them. */
const pages = `create table search_pages (
  space_id text not null,
  page_id text not null,
  type text not null,
  title text not null,
  path text not null,
  no_index boolean not null,
  title_words int not null,
  name_tokens tsvector not null,
  text_tokens tsvector not null,
  tokens tsvector not null generated always as (name_tokens || text_tokens) stored,
  primary key (space_id, page_id)
)`

const sections = `create table search_sections (
  space_id text not null,
  page_id text not null,
  position int not null,
  anchor text,
  title text not null,
  body text not null,
  tokens tsvector not null,
  primary key (space_id, page_id, position),
  foreign key (space_id, page_id) references search_pages (space_id, page_id) on delete cascade
)`

/** `variants` are hashes of the word and of the word without one of its letters, by which misspelt words find it. */
const words = `create table search_words (
  space_id text not null,
  word text collate "C" not null,
  reversed text collate "C" not null,
  uses int not null,
  variants int[] not null,
  primary key (space_id, word)
)`

const references = `create table content_references (
  space_id text not null,
  page_id text not null,
  position int not null,
  target text not null,
  kind text not null,
  status text not null,
  reference jsonb,
  target_kind text,
  target_id text,
  target_anchor text,
  locations jsonb not null,
  primary key (space_id, page_id, position)
)`

const anchors = `create table page_anchors (
  space_id text not null,
  page_id text not null,
  anchors text[] not null,
  primary key (space_id, page_id)
)`

const statements = [
  projections,
  pages,
  `create index search_pages_tokens on search_pages using gin (tokens)`,
  sections,
  words,
  `create index search_words_reversed on search_words (space_id, reversed)`,
  `create index search_words_variants on search_words using gin (variants)`,
  references,
  `create index content_references_target on content_references (space_id, target_kind, target_id)`,
  `create index content_references_status on content_references (space_id, status)`,
  anchors,
]

export class SearchAndLinks1764100000000 implements MigrationInterface {
  readonly name = 'SearchAndLinks1764100000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop table page_anchors, content_references, search_words, search_sections, search_pages, main_projections',
    )
  }
}
