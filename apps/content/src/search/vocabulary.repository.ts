import { query, type Db } from '@recto/database'
import { Any, LessThanOrEqual } from 'typeorm'
import { SearchWordEntity } from './search-word.entity.ts'
import { type WordMatch, isVocabulary } from './vocabulary.rules.ts'
import { deletionNeighbours } from './spelling.ts'

/** Takes the words of pages, as they are indexed now, out of the count; returns those that no page has any more. */
export async function removeUses(db: Db, spaceId: string, pages: string[]): Promise<string[]> {
  const counts = await changeUses(db, spaceId, { pages, by: -1 })
  return counts.filter(({ uses }) => uses <= 0).map(({ word }) => word)
}

/** Adds the words of pages, as they are indexed now, to the count. */
export async function addUses(db: Db, spaceId: string, pages: string[]): Promise<void> {
  await changeUses(db, spaceId, { pages, by: 1 })
}

interface CountedWord {
  word: string
  uses: number
}

async function changeUses(
  db: Db,
  spaceId: string,
  { pages, by }: { pages: string[]; by: 1 | -1 },
): Promise<CountedWord[]> {
  const uses = await query<CountedWord>(
    db,
    `select word, count(*)::int as uses from search_pages page, unnest(tsvector_to_array(page.tokens)) as word
     where page.space_id = $1 and page.page_id = any($2) group by word`,
    [spaceId, pages],
  )
  return addToUses(
    db,
    spaceId,
    uses.filter(({ word }) => isVocabulary(word)).map(({ word, uses }) => ({ word, uses: by * uses })),
  )
}

/** An upsert finds each word by the index, whatever the planner knows of a table that is being filled. */
async function addToUses(db: Db, spaceId: string, counts: CountedWord[]): Promise<CountedWord[]> {
  const words = counts.map(({ word }) => word)
  return query<CountedWord>(
    db,
    `insert into search_words (space_id, word, reversed, uses, variants)
     select $1, word, reversed, uses, variants::int[] from unnest($2::text[], $3::text[], $4::int[], $5::text[]) as given (word, reversed, uses, variants)
     on conflict (space_id, word) do update set uses = search_words.uses + excluded.uses returning word, uses`,
    [
      spaceId,
      words,
      words.map(reverse),
      counts.map(({ uses }) => uses),
      words.map(word => `{${deletionNeighbours(word).join(',')}}`),
    ],
  )
}

/** Deletes those of the words that no page has. */
export async function deleteUnused(db: Db, spaceId: string, words: string[]): Promise<void> {
  if (words.length === 0) return
  await db.delete(SearchWordEntity, { spaceId, word: Any(words), uses: LessThanOrEqual(0) })
}

const reverse = (word: string): string => [...word].reverse().join('')

/** Characters after all that words have, for ranges. */
const last = '\u{10ffff}'

/** Words of a vocabulary that is read to find what a misspelt word may mean; in a larger one they are looked up. */
const maxReadWords = 2_000

/** Looks up words in the vocabulary of the spaces that the expression `searched (id)` selects; one statement. */
export async function findWords(
  db: Db,
  { cte, values }: { cte: string; values: unknown[] },
  words: string[],
): Promise<WordMatch[]> {
  const $ = (at: number) => `$${values.length + at}`
  // An array is a condition of the index; with a join, the planner reads all words of the spaces.
  const within = `known.space_id = any(array(select id from searched))`
  const queryWords = `asked as (select * from unnest(${$(1)}::text[], ${$(2)}::text[]) as asked (word, reversed))`
  // Words that are known, or begin a known one, are not checked for misspellings: that reads far more words than all else.
  const unknown = `unknown as materialized (
    select word from asked where (select true from search_words known
      where ${within} and known.word >= asked.word and known.word < asked.word || '${last}' limit 1) is null)`
  const variants = `variant as materialized (
    select asked, hash from unnest(${$(3)}::text[], ${$(4)}::int[]) as variant (asked, hash) where asked in (select word from unknown))`
  // The index of variants has the words of all organizations, so it is for vocabularies that take longer to read than those of all others.
  const small = `small as materialized (
    select count(*) <= ${maxReadWords} as is_small
    from (select from search_words known where exists (select from variant) and ${within} limit ${maxReadWords + 1}) as known)`
  const near = `near as materialized (
    select word, uses, variants from search_words known
    where (select is_small from small) and ${within} and exists (select from variant where hash = any(known.variants))
    union all select word, uses, variants from search_words known
    where not (select is_small from small) and ${within} and known.variants && array(select hash from variant))`
  return query<WordMatch>(
    db,
    `with recursive ${cte}, ${queryWords}, ${unknown}, ${variants}, ${small}, ${near}
    select 'same' as how, asked.word as asked, asked.word as word, found.uses from asked cross join lateral (
      select sum(known.uses)::int as uses from search_words known where ${within} and known.word = asked.word) as found where found.uses is not null
    union all select 'longer', asked.word, found.word, 1 from asked cross join lateral (
      select known.word from search_words known where ${within}
      and known.word > asked.word and known.word < asked.word || '${last}' limit 1) as found
    union all select 'ending', asked.word, found.word, found.uses from asked cross join lateral (
      select known.word, sum(known.uses)::int as uses from search_words known where ${within} and char_length(asked.word) >= 4
      and known.reversed > asked.reversed and known.reversed < asked.reversed || '${last}' group by 1 order by 2 desc, 1 limit 20) as found
    union all select 'similar', found.asked, found.word, found.uses from (
      select variant.asked, near.word, max(near.uses) as uses from variant join near on near.variants @> array[variant.hash]
      group by 1, 2 order by 3 desc, 2 limit 400) as found`,
    [...values, words, words.map(reverse), ...variantValues(words)],
  )
}

function variantValues(words: string[]): [string[], number[]] {
  const pairs = words.flatMap(word => deletionNeighbours(word).map((hash): [string, number] => [word, hash]))
  return [pairs.map(([word]) => word), pairs.map(([, hash]) => hash)]
}
