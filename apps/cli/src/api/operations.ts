import { contentApi } from '@recto/contracts-content'
import { gitWorkerApi } from '@recto/contracts-git-worker'
import { z } from 'zod'

/** The operations of the API that commands call. There is no other way to call one: a login asks for the scopes of these. */
export const operations = {
  getUser: {
    route: 'GET /user',
    summary: 'Get the caller',
    reply: z.object({ id: z.string(), displayName: z.string() }),
    scope: 'user:read',
  },
  getSpaceById: contentApi.getSpaceById,
  getChangeRequestById: contentApi.getChangeRequestById,
  getRevisionRepository: contentApi.getRevisionRepository,
  listRevisionDocuments: contentApi.listRevisionDocuments,
  generateStorageUploadURL: contentApi.generateStorageUploadURL,
  pushToSpace: gitWorkerApi.pushToSpace,
  getGitOperation: gitWorkerApi.getGitOperation,
} as const

/** An operation of the API that commands call. */
export type CalledOperation = (typeof operations)[keyof typeof operations]

/** The scopes that commands need. */
export const neededScopes: readonly string[] = [...new Set(Object.values(operations).map(({ scope }) => scope))].sort()
