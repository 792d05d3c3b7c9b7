import { gitCalls } from '@recto/contracts-git-worker'
import { Failure, feature } from '@recto/operation'
import type { z } from 'zod'
import type { GitRpc } from '../jobs/lease.ts'

type Work = Awaited<ReturnType<GitRpc['startGitOperation']>>
type Call<Name extends keyof typeof gitCalls> = z.output<(typeof gitCalls)[Name]['body']>

/** An implementation of content's operations that hands out work and records the calls. */
export interface Content {
  rpc: GitRpc
  /** The work that it hands out, unless a function makes it. */
  work: Work
  /** The work of an operation, where they differ. */
  workOf?: (operationId: string) => Work
  handlers: ReturnType<typeof featureOf>['handlers']
  reports: Call<'reportGitOperation'>[]
  finished: Call<'finishGitImport'>[]
  exported: Call<'finishGitExport'>[]
  failed: Call<'failGitOperation'>[]
  returned: Call<'returnGitOperation'>[]
  /** Value of `continue` in the next reply to a report. */
  continueReply: boolean
}

export function aContent(work: Work | (() => Promise<Work>)): Content {
  const content = {
    reports: [],
    finished: [],
    exported: [],
    failed: [],
    returned: [],
    continueReply: true,
  } as unknown as Content
  if (typeof work !== 'function') content.work = work
  content.handlers = featureOf(content, work).handlers
  const call = async (name: keyof typeof gitCalls, { body }: { body: unknown }) => {
    const row = gitCalls[name]
    const input = { params: {}, query: undefined, body: row.body.parse(JSON.parse(JSON.stringify(body))) }
    return row.reply.parse(await content.handlers[name](input as never, {}))
  }
  const names = Object.keys(gitCalls) as (keyof typeof gitCalls)[]
  content.rpc = Object.fromEntries(
    names.map(name => [name, (input: { body: unknown }) => call(name, input)]),
  ) as unknown as GitRpc
  return content
}

function featureOf(content: Content, work: Work | (() => Promise<Work>)) {
  return feature<object>()(gitCalls, {
    startGitOperation: async ({ body }) =>
      content.workOf?.(body.operationId) ?? (typeof work === 'function' ? work() : work),
    async returnGitOperation({ body }) {
      content.returned.push(body)
      return undefined
    },
    async reportGitOperation({ body }) {
      content.reports.push(body)
      return { continue: content.continueReply }
    },
    async finishGitImport({ body }) {
      content.finished.push(body)
      return { revision: 'revision' }
    },
    async bundleGitDocuments() {
      throw new Failure('not_found', 'There are no documents')
    },
    async describeGitBase() {
      throw new Failure('not_found', 'There is no such base')
    },
    async finishGitExport({ body }) {
      content.exported.push(body)
      return { revision: 'revision' }
    },
    async failGitOperation({ body }) {
      content.failed.push(body)
      return { retry: body.retry }
    },
  })
}
