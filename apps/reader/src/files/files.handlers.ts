import { type ApiClient, ApiFailure } from '../api/api-client.ts'
import { isForEverybody, type SiteFeature, type SiteRequest, type SiteTools } from '../layout/site-request.ts'
import type { PageResponse } from '../responses/page-response.ts'
import { siteAt } from '../loaders/read-differences.ts'
import { ownFontAt } from '../theme/fonts.ts'
import { fileHeaders, fontHeaders } from './file-headers.rules.ts'

const forwardedHeaders = ['range', 'if-none-match', 'if-range'] as const

/**
 * Files of the current revision, below `~recto/files/<id>/<name>`: passed through, so that their addresses stay and nothing else is allowed.
 * Those of what it is compared with are below `~recto/revisions/<revision>/files/`.
 */
export const filesFeature: SiteFeature = (request, tools) => {
  const [, revision, id] = /^~recto\/(?:revisions\/([^/]+)\/)?files\/([^/]+)(?:\/|$)/.exec(request.site.path) ?? []
  return id === undefined ? undefined : answerFile({ id, revision }, request, tools)
}

async function answerFile(
  { id, revision }: { id: string; revision: string | undefined },
  request: SiteRequest,
  { api, reads }: SiteTools,
): Promise<PageResponse> {
  const { site } = request
  const { tree } =
    revision === undefined ? site : await siteAt(site, { side: { space: site.space.id, revision }, reads })
  const file = tree.fileById.get(id)
  if (!file) throw new ApiFailure(404, 'There is no such file')
  const key = revision === undefined ? `${site.space.id}/${id}` : undefined
  const response = await readFile({ url: file.downloadURL, key }, request, api)
  const { status, body } = response
  return { status, headers: fileHeaders(response, isForEverybody(request.site)), body }
}

/** Files of the fonts that the organization of a site has, below `~recto/fonts/`: no page of the site loads anything from elsewhere. */
export const fontsFeature: SiteFeature = (request, tools) => {
  const font = ownFontAt(request.view.customization.styling, request.site.path)
  return font && answerFont(font, request, tools)
}

async function answerFont(
  { url, format }: NonNullable<ReturnType<typeof ownFontAt>>,
  request: SiteRequest,
  { api }: SiteTools,
): Promise<PageResponse> {
  const response = await readFile({ url, key: url }, request, api)
  const { status, body } = response
  return { status, headers: fontHeaders(response, { format, isForEverybody: isForEverybody(request.site) }), body }
}

/** Reads a file of the API, or the part of it that a browser asks for. */
async function readFile(
  { url, key }: { url: string; key: string | undefined },
  { headers, site }: SiteRequest,
  api: ApiClient,
): Promise<Response> {
  const conditions = Object.fromEntries(
    forwardedHeaders.flatMap(name => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  )
  const token = site.lookup.apiToken
  const response = await api.download(url, conditions, key === undefined ? {} : { name: { token, key } })
  if (response.status < 400 || response.status === 416) return response
  await response.body?.cancel()
  throw new ApiFailure(response.status >= 500 ? 503 : 404, 'The file cannot be read')
}
