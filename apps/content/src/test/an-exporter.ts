import { ExportContent, type gitCalls } from '@recto/contracts-git-worker'
import type { Input } from '@recto/operation'
import type { ContentSetup } from './content-setup.ts'

const repository = { url: 'https://git.example/docs.git', ref: 'refs/heads/main' }
const configuration = { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: {} }

/** The branch that exports of tests are to, unless they say otherwise, and how its content is laid out. */
export const exportedRepository = { repository, configuration }

type Finish = Partial<Input<typeof gitCalls.finishGitExport>['body']> & {
  revision: string
  records: { id: string; path: string; oid: string }[]
}

/** Somebody who asks for exports, and the worker that runs them. */
export type Exporter = ReturnType<typeof anExporter>

export function anExporter(content: ContentSetup) {
  return {
    /** Asks for an export and resolves to its operation. */
    async ask(spaceId: string, body = {}): Promise<string> {
      await content
        .as('create')
        .exportToGitRepository({ params: { spaceId }, body: { ...repository, commitMessage: 'Export', ...body } })
      const { items } = await content.as('create').listGitOperations({ params: { spaceId }, query: { limit: 1 } })
      return items[0]?.id ?? ''
    },

    /** The work of an export, and the content that it has. */
    async start(operationId: string) {
      const work = await content.calls.startGitOperation({ body: { operationId } })
      if (work.state !== 'run' || !work.export) throw new Error(`the operation is ${work.state}`)
      const bytes = await content.blobs.bytes(work.export.content)
      return { work, export: work.export, given: ExportContent.parse(JSON.parse(bytes.toString())) }
    },

    async finish(operationId: string, { records, ...more }: Finish) {
      const { hash: manifest } = await content.blobs.put(
        Buffer.from(JSON.stringify({ version: 1, configuration, records })),
      )
      const commit = { oid: 'c0ffee', message: 'Export', createdByService: true }
      return content.calls.finishGitExport({
        body: { operationId, attempt: 1, commit, isPartial: false, manifest, ...more },
      })
    },
  }
}
