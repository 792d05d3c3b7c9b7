import { GitBookAPI, GitBookAPIError } from '@gitbook/api'
import * as today from 'gitbook-api-today'
import { testedClient } from './config.ts'

/** The published client of a test. */
export type PublishedClient = GitBookAPI

type Groups = Record<string, Record<string, unknown>>

/**
 * Creates the published client that this run tests, see `jest/e2e.config.mjs`: that of 0.143.2, or that of today with the operations that
 * it has dropped from the older one.
 */
export function publishedClient(endpoint: string, authToken?: string): PublishedClient {
  const options = { endpoint, ...(authToken !== undefined && { authToken }) }
  const older = new GitBookAPI(options)
  if (testedClient !== 'gitbook-api-today') return older
  const client = new today.GitBookAPI(options) as unknown as Groups
  for (const [name, group] of Object.entries(older as unknown as Groups))
    if (typeof group === 'object' && group !== null) client[name] = { ...group, ...client[name] }
  return client as unknown as PublishedClient
}

/** Whether an error is what a published client throws for a refusal. */
export const isClientError = (error: unknown): error is GitBookAPIError =>
  error instanceof GitBookAPIError || error instanceof today.GitBookAPIError
