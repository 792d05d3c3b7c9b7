import { JSONDocument } from '@recto/markdown/schema'
import { z } from 'zod'
import { Id } from './conventions.ts'

/** Milliseconds for a question, from its search to the end of its answer. */
export const askTimeout = 120_000
/** The answer where nothing was found, whatever the engine says; a program that shows answers can say it in another language. */
export const unknownAnswer = 'I do not know: no page matches the question.'

/** The text of an answer in one of its formats; the published clients take any object. */
const AnswerText = z.union([z.object({ markdown: z.string() }), z.object({ document: JSONDocument })])

/** A page that an answer refers to. */
export const AnswerSource = z
  .object({
    type: z.literal('page'),
    page: Id,
    revision: Id.describe('The revision whose text was read'),
    space: Id,
    sections: z.array(Id).describe('The sections that were read, by the ids that a search gives them'),
  })
  .meta({ id: 'AnswerSource', description: 'A page that an answer refers to: it was found for the question' })

/** An answer to a question. */
export const Answer = z
  .object({
    answer: AnswerText.optional().describe('Without links and pictures: an engine may name anything'),
    followupQuestions: z.array(z.string()).describe('At the end of the answer'),
    sources: z.array(AnswerSource).describe('At the end of the answer; none where it refers to nothing that was found'),
  })
  .meta({ id: 'Answer', description: 'An answer to a question, with the pages that it refers to' })

/** An answer as far as it has come. */
export const AnswerEvent = z
  .object({ type: z.literal('answer'), answer: Answer })
  .meta({ id: 'AnswerEvent', description: 'An answer as far as it has come; the last one is whole' })

/** A question that the content answers. */
export const RecommendedQuestion = z
  .object({ question: z.string().describe('The question, as a reader would ask it') })
  .meta({ id: 'RecommendedQuestion', description: 'A question that the content answers' })

/** The format of an answer. */
export const answerFormat = {
  format: z
    .enum(['document', 'markdown'])
    .default('document')
    .describe('The format of the answer: a document, or Markdown'),
}
