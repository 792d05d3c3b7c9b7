import { expect } from '@jest/globals'
import { aContent, aSpace, type ContentSetup } from './content-setup.ts'
import { aWebServer, type WebServer } from '@recto/testing'

const megabyte = 1024 * 1024
/** Milliseconds for an import; a task of a thread has less. */
const timeLimit = 30_000
/** Pages and files of an import. */
export const fileLimit = 60

/** The kind of source that a URL names. */
export type Source = 'markdown' | 'html' | 'zip' | 'docx' | 'website'
/** The answer of the web server at a path. */
export type Body = Parameters<WebServer['set']>[0][string]
/** The outcome of an import. */
export type Ending = 'too_large' | 'timeout' | 'invalid_request' | 'unavailable' | 'imported'

/** A service with small limits, and a web server that is hostile to it. */
export interface HostileSetup {
  content: ContentSetup
  web: WebServer
  ends(source: Source, path: string): Promise<{ ending: Ending; spaceId: string; warnings: string[] }>
  stop(): Promise<void>
}

/** Starts both. */
export async function aHostileWeb(): Promise<HostileSetup> {
  const [content, web] = await Promise.all([
    aContent({
      IMPORT_MAX_BYTES: String(20 * megabyte),
      IMPORT_MAX_FILES: String(fileLimit),
      IMPORT_TIMEOUT: String(timeLimit),
    }),
    aWebServer(),
  ])
  return {
    content,
    web,
    ends: (source, path) => importOutcome({ content, web }, source, path),
    stop: async () => {
      await web.stop()
      await content.stop()
    },
  }
}

/** Imports the content of a path and resolves to the outcome; small requests are answered meanwhile and afterwards. */
async function importOutcome(
  { content, web }: Pick<HostileSetup, 'content' | 'web'>,
  source: Source,
  path: string,
): Promise<{ ending: Ending; spaceId: string; warnings: string[] }> {
  const spaceId = await aSpace(content)
  const body = { url: `${web.url}${path}`, source }
  let isOver = false
  const ended = content
    .as('edit')
    .importContent({ params: { spaceId }, body })
    .then(
      () => 'imported' as const,
      (error: { code: Ending }) => error.code,
    )
    .finally(() => (isOver = true))
  while (!isOver) {
    // A request without a reply in time throws.
    await content.as('read').getSpaceById({ params: { spaceId } })
    await Promise.race([ended, new Promise(resolve => setTimeout(resolve, 20))])
  }
  const ending = await ended
  const { pages } = await content.as('read').listPages({ params: { spaceId } })
  expect(pages.length > 0).toBe(ending === 'imported')
  const { items } = await content.as('read').listContentImports({ params: { spaceId } })
  expect(items).toMatchObject([{ state: ending === 'imported' ? 'success' : 'failure' }])
  return { ending, spaceId, warnings: (items[0]?.warnings ?? []).map(({ path: at, message }) => `${at}: ${message}`) }
}
