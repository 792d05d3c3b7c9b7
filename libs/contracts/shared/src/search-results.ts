import { z } from 'zod'
import { Id, Url } from './conventions.ts'

/** Characters of a search query. */
export const maxSearchQuery = 512

const urls = z.object({ app: Url })

/** Relevance of a hit. Content of the version before sends none, nor the other fields that have a default. */
const score = z
  .number()
  .min(0)
  .default(0)
  .describe('The relevance: higher is better, without a limit; 0 beyond the best 200 pages')
const resultType = z.enum(['page', 'section'])

/** A part of a page that matches a search. */
export const SearchSection = z
  .object({
    id: Id,
    title: z.string(),
    path: z.string().describe('Path of the page, with the anchor of the section'),
    score,
    resultType: resultType.default('section').describe('Always `section`: a section is shown where its text matches'),
    body: z.string().describe('The text around the match'),
    urls,
  })
  .meta({ id: 'SearchSection', description: 'A section of a page that matches a search' })

/** A page that matches a search. */
export const SearchPage = z
  .object({
    id: Id,
    title: z.string(),
    description: z.string().default('').describe('The description of the page; empty where it has none'),
    path: z.string(),
    score,
    rank: z.int().min(1).default(1).describe('The place of the page among all hits, from 1'),
    resultType: resultType
      .default('section')
      .describe('Whether its title, path and description match the whole query, or the text of a section'),
    ancestors: z
      .array(z.object({ title: z.string() }))
      .default([])
      .describe('The pages above it that the caller sees, from the root'),
    sections: z.array(SearchSection).describe('The best matching sections, in the order of the page'),
    urls,
  })
  .meta({ id: 'SearchPage', description: 'A page that matches a search' })

/** A space with pages that match a search. */
export const SearchSpace = z
  .object({
    type: z.literal('space').default('space'),
    id: Id,
    title: z.string(),
    score: score.describe('The score of its best page'),
    pages: z.array(SearchPage).describe('The best matching pages'),
  })
  .meta({ id: 'SearchSpace', description: 'A space with pages that match a search' })
