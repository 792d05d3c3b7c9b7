import { createHmac } from 'node:crypto'
import type { gitSync } from '@recto/contracts-git-worker'
import type { Output } from '@recto/operation'
import { eventually } from '@recto/testing'
import { expect } from '@jest/globals'
import type { z } from 'zod'
import { type Branch, type PollResult } from '../polls/polls.ts'
import { GitSyncEntity, type GitSyncRow } from '../syncs/git-sync.entity.ts'
import { aWorker, type Work } from './a-worker.ts'
import type { GitSetup } from './git-setup.ts'

type Settings = z.input<typeof gitSync.setGitSync.body>
type Operation = NonNullable<Output<typeof gitSync.getGitSync>['lastImport']>

export const branch = { url: 'https://git.example/docs.git', ref: 'refs/heads/main' }
export const secret = 'the-secret-of-a-webhook'

/** Synchronisations of spaces; the test does the work of the worker. */
export function aSynchronisation(setup: () => GitSetup) {
  const worker = aWorker(setup)
  const rowOf = async (spaceId: string): Promise<GitSyncRow> => setup().db.findOneByOrFail(GitSyncEntity, { spaceId })
  const operations = async (spaceId: string): Promise<Operation[]> =>
    (await setup().as('create').listGitOperations({ params: { spaceId } })).items
  const open = async (spaceId: string) =>
    (await operations(spaceId)).filter(({ state }) => ['queued', 'running'].includes(state))
  const start = async (spaceId: string, direction: 'import' | 'export'): Promise<Work> => {
    const operation = await eventually(async () => {
      const [openOperation] = await open(spaceId)
      expect(openOperation).toMatchObject({ direction, automatic: true })
      return openOperation as Operation
    })
    return worker.work(operation.id)
  }
  const polls = () => setup().service.jobs.polls
  const synchroniser = {
    worker,
    rowOf,
    operations,
    open,
    start,
    set: (spaceId: string, settings: Partial<Settings> = {}) =>
      setup()
        .as('create')
        .setGitSync({
          params: { spaceId },
          body: { ...branch, direction: 'both', webhookSecret: secret, pollInterval: 0, ...settings },
        }),
    get: (spaceId: string) => setup().as('create').getGitSync({ params: { spaceId } }),
    /** Runs the waiting import; the branch has these pages. */
    import: async (spaceId: string, pages: string[], oid: string): Promise<string> =>
      worker.finishImport(await start(spaceId, 'import'), pages, oid),
    /** Runs the waiting export, as a commit; partial when the branch has changes that the content lacks. */
    async export(spaceId: string, oid: string, isPartial = false): Promise<Work> {
      const work = await start(spaceId, 'export')
      await worker.finishExport(work, { oid, isPartial })
      return work
    },
    async fail(spaceId: string, direction: 'import' | 'export', code: 'authentication_failed' | 'push_rejected') {
      await worker.fail(await start(spaceId, direction), { error: { code, message: 'The git server says no' } })
    },
    /** Starts the requested poll; `finish` reports its result. */
    async poll(spaceId: string) {
      const { id: syncId } = await rowOf(spaceId)
      const work = await polls().start(syncId)
      const branchOf: Pick<Branch, 'syncId' | 'spaceId' | 'poll'> = work ?? { syncId, spaceId, poll: '' }
      return { work, finish: (result: PollResult) => polls().finish(branchOf, result) }
    },
    /** Sends a push as GitHub does. */
    push(spaceId: string, commit: string, { ref = branch.ref, by = secret } = {}) {
      const raw = Buffer.from(JSON.stringify({ ref, after: commit }))
      const signature = `sha256=${createHmac('sha256', by).update(raw).digest('hex')}`
      const headers = { 'x-github-event': 'push', 'x-hub-signature-256': signature }
      return setup().as(undefined).receiveGitPush({ params: { spaceId }, headers, raw })
    },
    /** Waits until all requested decisions on a synchronisation are made, or wait for the end of an operation. */
    async waitUntilDecided(spaceId: string) {
      await setup().content.waitUntilHandled()
      await eventually(async () => {
        const { askId } = await rowOf(spaceId)
        expect(askId === null || (await open(spaceId)).length > 0).toBe(true)
      })
    },
    /** Whether a poll of the branch is running. */
    isPolled: async (spaceId: string) => (await rowOf(spaceId)).pollId !== null,
    /** Makes the next poll or retry due. */
    async makeDue(spaceId: string) {
      await setup().db.update(GitSyncEntity, { spaceId }, { dueAt: new Date(0) })
    },
  }
  return {
    ...synchroniser,
    /** Creates a space that is synchronised with the branch: both have the page `a`, at the commit c1. */
    async synchronised(direction: Settings['direction'], settings: Partial<Settings> = {}): Promise<string> {
      const id = await setup().content.aSpace()
      await synchroniser.set(id, { direction, initial: 'import', ...settings })
      await synchroniser.import(id, ['a'], 'c1')
      await synchroniser.waitUntilDecided(id)
      return id
    },
  }
}
