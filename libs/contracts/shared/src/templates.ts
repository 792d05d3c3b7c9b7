import { z } from 'zod'
import { HttpUrl, Id, text } from './conventions.ts'

const inSpace = { space: Id.optional().describe('The space that the template is applied to unless given') }

/** Where a link of a template leads. */
export const TemplateReference = z
  .discriminatedUnion(
    'kind',
    [
      z.object({ kind: z.literal('url'), url: HttpUrl }),
      z.object({ kind: z.literal('page'), page: Id, ...inSpace }),
      z.object({ kind: z.literal('anchor'), anchor: text({ min: 1, max: 256 }), page: Id, ...inSpace }),
      z.object({ kind: z.literal('file'), file: Id, ...inSpace }),
      z.object({ kind: z.literal('reusable-content'), reusableContent: Id, ...inSpace }),
      z.object({ kind: z.literal('space'), space: Id }),
      z.object({ kind: z.literal('collection'), collection: Id }),
      z.object({ kind: z.literal('user'), user: Id }),
      z.object({ kind: z.literal('openapi'), spec: Id }),
    ],
    {
      error:
        'must be a reference of kind url, page, anchor, file, reusable-content, space, collection, user or openapi',
    },
  )
  .meta({ id: 'TemplateReference', description: 'Where a link of a template leads' })

/** A template and where its links lead. */
export const ApplySpaceTemplate = z
  .object({
    id: text({ min: 1, max: 100 }).describe('Id of a built-in template'),
    params: z
      .object({
        contentRefs: z
          .record(z.string(), TemplateReference)
          .default({})
          .describe(
            'Where the links of the template lead, by their names; a link that is not given becomes plain text',
          ),
      })
      .default({ contentRefs: {} }),
  })
  .meta({ id: 'ApplySpaceTemplate', description: 'A template to apply' })

/** Templates whose links lead to each kind of target that an id names. */
export const templateExamples = [
  { kind: 'space', space: '{spaceId}' },
  { kind: 'file', file: '{fileId}', space: '{spaceId}' },
  { kind: 'reusable-content', reusableContent: '{reusableContentId}', space: '{spaceId}' },
  { kind: 'collection', collection: '{collectionId}' },
  { kind: 'page', page: '{pageId}', space: '{spaceId}' },
  { kind: 'anchor', anchor: 'a', page: '{pageId}', space: '{spaceId}' },
  { kind: 'openapi', spec: '{specSlug}' },
  { kind: 'user', user: '{userId}' },
].map(reference => ({ id: 'guide', params: { contentRefs: { '<name>': reference } } }))
