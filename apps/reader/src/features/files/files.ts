import { ApiFailure } from '../../api/api-client.ts'
import { isForEverybody, type SiteFeature, type SiteRequest, type SiteTools } from '../../frame/site-request.ts'
import type { Answer } from '../../shared/answer.ts'
import { filePolicy } from '../../shared/security.rules.ts'

/** Types that a browser may show; any other file is downloaded, so that nothing of an author runs at the site's address. */
const shown = /^(?:image\/[\w.+-]+|video\/[\w.+-]+|audio\/[\w.+-]+|application\/pdf|text\/plain)$/
const passedOn = [
  'content-type',
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'content-disposition',
] as const
const asked = ['range', 'if-none-match', 'if-range'] as const

/** Files of the current revision, below `~recto/files/<id>/<name>`: passed through, so that their addresses stay and nothing else is allowed. */
export const filesFeature: SiteFeature = (request, tools) => {
  const [, id] = /^~recto\/files\/([^/]+)(?:\/|$)/.exec(request.opened.path) ?? []
  return id === undefined ? undefined : answerFile(id, request, tools)
}

async function answerFile(id: string, { opened, headers }: SiteRequest, { api }: SiteTools): Promise<Answer> {
  const file = opened.tree.fileById.get(id)
  if (!file) throw new ApiFailure(404, 'There is no such file')
  const conditions = Object.fromEntries(
    asked.flatMap(name => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  )
  const response = await api.download(file.downloadURL, conditions)
  if (response.status >= 400 && response.status !== 416) {
    await response.body?.cancel()
    throw new ApiFailure(response.status >= 500 ? 503 : 404, 'The file cannot be read')
  }
  const kept = passedOn.flatMap(name => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  const audience = isForEverybody(opened) ? 'public, max-age=300, stale-while-revalidate=86400' : 'private, max-age=300'
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  return {
    status: response.status,
    headers: {
      ...Object.fromEntries(kept),
      // Without its type, no page can load it as a script or a style either.
      ...(!shown.test(type) && { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' }),
      'content-security-policy': filePolicy,
      'cross-origin-resource-policy': 'same-origin',
      // A part of a file is counted in its own bytes, so nothing on the way may compress it.
      'cache-control': response.status === 206 ? `${audience}, no-transform` : audience,
    },
    body: response.body,
  }
}
