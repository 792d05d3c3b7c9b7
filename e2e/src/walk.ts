import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { routeOf, type Operation } from '@recto/operation'
import { eventually, pauseAfter, replySchemas, waitLimit } from '@recto/testing'
import { expect } from '@jest/globals'
import { isClientError } from './published-client.ts'
import type { Installation } from './stack.ts'

const run = promisify(execFile)
const schemas = replySchemas()

/** Returns the data of a reply; throws when it does not match the published specification. */
export function validReply<T extends { status: number; data: unknown }>(operation: string, reply: T): T['data'] {
  expect({ operation, faults: schemas.validateReply(operation, reply.status, reply.data) }).toEqual({
    operation,
    faults: [],
  })
  return reply.data
}

/** Checks replies by the method and path of their operations, and records which operations were used. */
export function checkedReplies() {
  const seen = new Set<string>()
  return {
    checked<T extends { status: number; data: unknown }>(operation: string, reply: T): T['data'] {
      seen.add(operation)
      return validReply(operation, reply)
    },
    /** The published operations among the rows, and those of them that were not used. */
    publishedOf(rows: Record<string, Operation>): { published: string[]; unused: string[] } {
      const ours = Object.values(rows)
        .map(routeOf)
        .map(route => `${route?.method} ${route?.path}`)
      const published = ours.filter(
        operation =>
          !schemas
            .validateReply(operation, 200, undefined)
            .some(fault => fault.endsWith('is not an operation of the specification')),
      )
      return { published, unused: published.filter(operation => !seen.has(operation)) }
    },
  }
}

export interface GitOperation {
  id: string
  state: string
  attempts: number
  stage?: string
  revision?: string
  commit?: string
  error?: { code: string; message: string; path?: string }
  warnings: { path: string; message: string; line?: number }[]
}

/** Sends any request under `/v1` with the public method of the client. */
export async function request<T>(
  stack: Pick<Installation, 'client'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const reply = await stack.client.request<T, unknown>({
    method,
    path,
    body,
    type: 'application/json' as never,
    secure: true,
    format: 'json',
  })
  return reply.data
}

/** Creates an organization with one space. */
export async function aSpace(stack: Installation): Promise<{ organizationId: string; spaceId: string }> {
  const organization = await request<{ id: string }>(stack, 'POST', '/orgs', { title: 'Docs' })
  const space = await stack.client.orgs.createSpace(organization.id, { title: 'Manual' } as never)
  return { organizationId: organization.id, spaceId: space.data.id }
}

/** Comments on main content, or on a change request, and replies to it. */
export async function aComment(
  { client: { spaces } }: Pick<Installation, 'client'>,
  spaceId: string,
  changeRequestId?: string,
): Promise<{ commentId: string; commentReplyId: string }> {
  const sent = { body: { markdown: 'Well done' } }
  if (changeRequestId === undefined) {
    const { id: commentId } = (await spaces.postCommentInSpace(spaceId, sent)).data
    return { commentId, commentReplyId: (await spaces.postCommentReplyInSpace(spaceId, commentId, sent)).data.id }
  }
  const { id: commentId } = (await spaces.postCommentInChangeRequest(spaceId, changeRequestId, sent)).data
  const reply = await spaces.postCommentReplyInChangeRequest(spaceId, changeRequestId, commentId, sent)
  return { commentId, commentReplyId: reply.data.id }
}

/** Starts an import and returns its operation when it has ended. */
export async function importRepository(
  stack: Pick<Installation, 'client'>,
  spaceId: string,
  url: string,
  options: { ref?: string; body?: Record<string, unknown> } = {},
): Promise<GitOperation> {
  const { ref = 'refs/heads/main', body = {} } = options
  await stack.client.spaces.importGitRepository(spaceId, { url, ref, ...body })
  const { items } = await request<{ items: GitOperation[] }>(stack, 'GET', `/spaces/${spaceId}/git/operations?limit=1`)
  return waitForEnd(stack, spaceId, items[0]?.id ?? '')
}

/** Polls an operation until it has ended. */
export async function waitForEnd(
  stack: Pick<Installation, 'client'>,
  spaceId: string,
  operationId: string,
): Promise<GitOperation> {
  for (const started = Date.now(); ; await sleep(pauseAfter(started))) {
    const operation = await request<GitOperation>(
      stack,
      'GET',
      `/spaces/${spaceId}/git/operations/${operationId}`,
    ).catch(ignoreUnavailable)
    if (operation && !['queued', 'running'].includes(operation.state)) return operation
    if (Date.now() > started + waitLimit) throw new Error(`still ${JSON.stringify(operation)}`)
  }
}

/** Waits until search and links follow an import of content that has links. */
export function linksOf({ client }: Pick<Installation, 'client'>, spaceId: string) {
  return eventually(async () => {
    const reply = await client.spaces.listSpaceLinks(spaceId)
    expect(reply.data.stats.total).toBeGreaterThan(0)
    return reply
  })
}

/** Ids of what an import made; the path and the document are those of the page. */
type ImportedIds = Record<
  'operationId' | 'revisionId' | 'pageId' | 'fileId' | 'pagePath' | 'documentId' | 'reusableContentId',
  string
>

/** The ids of imported pages and files, once search and links follow the import. */
export async function importedIds(
  { client }: Pick<Installation, 'client'>,
  spaceId: string,
  operation: GitOperation,
): Promise<ImportedIds> {
  await linksOf({ client }, spaceId)
  const [
    {
      data: { pages },
    },
    { data: files },
  ] = await Promise.all([client.spaces.listPages(spaceId), client.spaces.listFiles(spaceId)])
  const { data: revision } = await client.spaces.getCurrentRevision(spaceId)
  const [page] = pages as { id: string; path: string; documentId: string }[]
  return {
    operationId: operation.id,
    revisionId: operation.revision ?? '',
    pageId: page?.id ?? '',
    pagePath: page?.path ?? '',
    documentId: page?.documentId ?? '',
    reusableContentId: revision.reusableContents[0]?.id ?? '',
    fileId: files.items[0]?.id ?? '',
  }
}

/** Imports a Markdown file into a space and returns the id of the import. */
export async function contentImport(
  { client }: Pick<Installation, 'client'>,
  spaceId: string,
  url: string,
): Promise<string> {
  await client.spaces.importContent(spaceId, { url, source: 'markdown' as never })
  const path = `/spaces/${spaceId}/content/imports?limit=1`
  const { items } = await request<{ items: { id: string }[] }>({ client }, 'GET', path)
  return items[0]?.id ?? ''
}

/** Ignores that a service is unavailable, or ended without an answer, so that the caller polls again; rethrows other errors. */
function ignoreUnavailable(error: unknown): undefined {
  if (!(isClientError(error) && [503, 504].includes(error.code))) throw error
}

/** An entry of a page tree: its depth, its title, and its file if it has one. */
export type Outline = [depth: number, title: string, path: string | undefined]

interface TreePage {
  type: string
  title: string
  git?: { path: string }
  pages?: TreePage[]
}

/** The entries of a page tree in reading order. */
export function outlineOf(pages: TreePage[], depth = 0): Outline[] {
  return pages.flatMap(page => [
    [depth, page.title, page.git?.path] as Outline,
    ...outlineOf(page.pages ?? [], depth + 1),
  ])
}

/** The entries of a SUMMARY.md of plain list items; independent of the product's parser. */
export function outlineOfSummary(summary: string): Outline[] {
  let group = false
  return summary.split('\n').flatMap((line): Outline[] => {
    const heading = /^## (.+)$/.exec(line)
    if (heading) {
      group = true
      return [[0, heading[1] ?? '', undefined]]
    }
    const item = /^( *)\* (?:\[(.+)\]\((.+)\)|(.+))$/.exec(line)
    if (!item) return []
    const title = (item[2] ?? item[4] ?? '').replaceAll('\\', '')
    return [[(item[1]?.length ?? 0) / 2 + (group ? 1 : 0), title, item[3]]]
  })
}

/** A file's content in a bare repository, by native git. */
export async function readRepositoryFile(repository: string, path: string): Promise<Buffer> {
  const { stdout } = await run('git', ['-C', repository, 'show', `main:${path}`], {
    encoding: 'buffer',
    maxBuffer: 256 * 1024 * 1024,
  })
  return stdout
}

/** Paths of all files of a bare repository. */
export async function listRepositoryPaths(repository: string): Promise<string[]> {
  const { stdout } = await run('git', ['-C', repository, 'ls-tree', '-r', '-z', '--name-only', 'main'])
  return stdout.split('\0').filter(Boolean)
}
