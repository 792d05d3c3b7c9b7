import { z } from 'zod'
import { JSONDocument } from '@recto/markdown/schema'
import { HttpUrl, Id, text, Timestamp, Url, User } from './conventions.ts'
import { importsOf } from './import-run.ts'
import { boundedDocument } from './written-document.ts'

/** Characters of a change request's subject. */
export const subjectLength = 100
/** Characters of a change request's description as JSON: lists show it of a thousand at once. */
const descriptionLength = 50_000
/** Statuses of a change request; `merged` is reached only by merging. */
export const changeRequestStatuses = ['draft', 'open', 'archived', 'merged'] as const

/** The subject of a change request, in a line. */
export const Subject = text({ max: subjectLength })

/** The description of a change request, as a document. */
export const Description = boundedDocument(descriptionLength)

/** Links of one change request, and characters of the title of one. */
const linkLimits = { links: 10, title: 128 }

const linked = {
  ref: z.object({ kind: z.literal('url'), url: HttpUrl }),
  title: text({ max: linkLimits.title }).optional(),
}

/** Links of a change request as callers give them. */
export const ChangeRequestLinksInput = z
  .array(
    z.object({
      id: text({ min: 1, max: 100 })
        .optional()
        .describe('Of a link that it has, which is changed; a new one without it'),
      ...linked,
    }),
  )
  .max(linkLimits.links)
  .meta({ id: 'ChangeRequestLinksInput', description: 'All links that a change request has from now on' })

const ChangeRequestLink = z
  .object({ id: Id, ...linked })
  .meta({ id: 'ChangeRequestLink', description: 'A place outside that a change request is about, such as a ticket' })

/** A change request as replies show it. */
export const ChangeRequest = z
  .object({
    object: z.literal('change-request'),
    id: Id,
    number: z.number().int().describe('Counts the change requests of the space, from 1'),
    status: z.enum(changeRequestStatuses),
    subject: z.string(),
    description: JSONDocument.optional(),
    createdBy: User,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    mergedBy: User.optional().describe('Who merged it'),
    mergedAt: Timestamp.optional(),
    links: z.array(ChangeRequestLink).default([]),
    imports: importsOf.describe('Imports into it that are open or ended within a day, where it is read by itself'),
    space: Id,
    revision: Id.describe('Revision of the content of the change request'),
    revisionInitial: Id.describe('Revision of main content that it started from'),
    revisionMergedAncestor: Id.optional().describe('Revision of main content that it was updated from last'),
    revisionMerged: Id.optional().describe('Revision of main content that its merge made'),
    comments: z.number().int().describe('Open comments; 0 for those who may not see comments'),
    outdated: z.boolean().describe('Main content has changed since it started or was updated last'),
    urls: z.object({ app: Url, location: Url }),
  })
  .meta({ id: 'ChangeRequest', description: 'Proposed changes to the content of a space' })
