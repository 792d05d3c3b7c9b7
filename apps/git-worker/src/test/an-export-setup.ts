import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { packBundle } from '@recto/blobs'
import { ExportState } from '@recto/contracts-git-worker-bus'
import type { z } from 'zod'
import { ExportContent } from '@recto/repository-export'
import { exportRepository, type ExportRequest } from '../exports/export-repository.ts'
import { aSetup, type Setup } from './worker-setup.ts'

type State = z.input<typeof ExportContent>['now']
type Content = z.input<typeof ExportContent>
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const people = { author: { name: 'Ada', email: 'ada@example.com' }, committer: { name: 'Recto', email: 'recto@x' } }

/** The state that content sends for pages by path. */
function state(pages: Record<string, string>, more: Partial<State> = {}): State {
  return {
    wasInRepository: true,
    pages: Object.entries(pages).map(([path, text]) => ({
      id: path,
      parent: null,
      type: 'document' as const,
      title: path,
      path,
      hash: hashOf(text),
    })),
    files: [],
    reusableContents: [],
    variables: {},
    redirects: {},
    ...more,
  }
}

/** A repository on a git server, and exports of pages to it; content responds from memory. */
export async function anExportSetup(options: Parameters<typeof aSetup>[0]) {
  const setup: Setup = await aSetup(options)
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', setup.repository.path, ...args])
      .toString()
      .trim()
  const texts = new Map<string, string>()
  const bases = new Map<string, State>()
  const pushes: { commit: string; isPartial: boolean; tip: string }[] = []
  const run = async (
    content: Partial<Content> & Pick<Content, 'now'>,
    { onFinalize, ...request }: Partial<ExportRequest> & { onFinalize?: () => void } = {},
  ) => {
    const exportContent = { version: 1, isSameBranch: content.base !== undefined, ...content }
    return exportRepository(
      {
        organizationId: 'organization',
        spaceId: 'space',
        url: setup.server.url('docs'),
        ref: 'refs/heads/main',
        force: false,
        export: { revision: 'r', content: ExportContent.parse(exportContent), message: 'Export', ...people },
        ...request,
      },
      {
        ...setup.tools,
        onProgress: stage => stage === 'finalize' && onFinalize?.(),
        recordPush: async push =>
          void pushes.push({ ...push, tip: git('for-each-ref', '--format=%(objectname)', 'refs/heads/main') }),
        describeBase: async revision => ExportState.parse(bases.get(revision)),
        bundle: async documents => {
          const bundle = await setup.blobs.put(
            packBundle(documents.slice(0, 2).map(each => Buffer.from(texts.get(each) ?? ''))),
          )
          return { bundle: bundle.hash, count: Math.min(2, documents.length) }
        },
      },
    )
  }
  const storePages = (pages: Record<string, string>, more: Partial<State> = {}) => {
    for (const text of Object.values(pages)) texts.set(hashOf(text), text)
    return state(pages, more)
  }
  return { setup, git, run, storePages, pushes, bases }
}
