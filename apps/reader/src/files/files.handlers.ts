import { ApiFailure } from '../api/api-client.ts'
import { isForEverybody, type SiteFeature, type SiteRequest, type SiteTools } from '../layout/site-request.ts'
import type { PageResponse } from '../responses/page-response.ts'
import { fileHeaders } from './file-headers.rules.ts'

const forwardedHeaders = ['range', 'if-none-match', 'if-range'] as const

/** Files of the current revision, below `~recto/files/<id>/<name>`: passed through, so that their addresses stay and nothing else is allowed. */
export const filesFeature: SiteFeature = (request, tools) => {
  const [, id] = /^~recto\/files\/([^/]+)(?:\/|$)/.exec(request.site.path) ?? []
  return id === undefined ? undefined : answerFile(id, request, tools)
}

async function answerFile(id: string, { site, headers }: SiteRequest, { api }: SiteTools): Promise<PageResponse> {
  const file = site.tree.fileById.get(id)
  if (!file) throw new ApiFailure(404, 'There is no such file')
  const conditions = Object.fromEntries(
    forwardedHeaders.flatMap(name => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  )
  const response = await api.download(file.downloadURL, conditions)
  if (response.status >= 400 && response.status !== 416) {
    await response.body?.cancel()
    throw new ApiFailure(response.status >= 500 ? 503 : 404, 'The file cannot be read')
  }
  const { status, body } = response
  return { status, headers: fileHeaders(response, isForEverybody(site)), body }
}
