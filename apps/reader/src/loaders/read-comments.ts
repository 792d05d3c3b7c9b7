import { ApiFailure, type ApiClient } from '../api/api-client.ts'
import type { ChangeComments } from '../api/types.ts'
import type { OpenedSite } from './open-site.ts'

/** Comments that a page of changes shows. */
const maxComments = '200'

/**
 * Reads the comments of the change request that a site previews, of a page or all; undefined where there are none for this visitor. They
 * are read each time: rights on them are those of this moment.
 */
export async function readComments(
  { lookup, space }: Pick<OpenedSite, 'lookup' | 'space'>,
  { api, targetPage }: { api: Pick<ApiClient, 'read'>; targetPage?: string | undefined },
): Promise<ChangeComments | undefined> {
  if (lookup.changeRequest === undefined || lookup.comments !== true) return undefined
  const path = `/spaces/${space.id}/change-requests/${lookup.changeRequest}/changes/comments`
  const query = { limit: maxComments, ...(targetPage !== undefined && { targetPage }) }
  try {
    return JSON.parse((await api.read({ path, query, token: lookup.apiToken })).text) as ChangeComments
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return undefined
    throw error
  }
}
