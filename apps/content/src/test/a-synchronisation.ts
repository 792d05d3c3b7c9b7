import { createHmac } from 'node:crypto'
import { busClient } from '@recto/bus'
import type { gitPollCalls, gitSync } from '@recto/contracts-git-worker'
import { contentRpc } from '@recto/contracts-content-bus'
import type { Input, Output } from '@recto/operation'
import { eventually } from '@recto/testing'
import { expect } from '@jest/globals'
import type { z } from 'zod'
import { GitSyncEntity, type GitSyncRow } from '../git/git-sync.entity.ts'
import { aManifest, type ContentSetup, organization, type TestContent } from './content-setup.ts'
import { handledEvents } from './handled-events.ts'

type Settings = z.input<typeof gitSync.setGitSync.body>
type Operation = NonNullable<Output<typeof gitSync.getGitSync>['lastImport']>
type PollResult = Omit<Input<typeof gitPollCalls.finishGitPoll>['body'], 'syncId' | 'poll'>

export const branch = { url: 'https://git.example/docs.git', ref: 'refs/heads/main' }
export const secret = 'the-secret-of-a-webhook'
const configuration = { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: {} }

/** Synchronisations of spaces, with git-worker's part of them done by the test. */
export function aSynchronisation(setup: () => ContentSetup) {
  const rowOf = async (spaceId: string): Promise<GitSyncRow> =>
    setup().service.db.findOneByOrFail(GitSyncEntity, { spaceId })
  const operations = async (spaceId: string): Promise<Operation[]> =>
    (await setup().as('create').listGitOperations({ params: { spaceId } })).items
  const open = async (spaceId: string) =>
    (await operations(spaceId)).filter(({ state }) => ['queued', 'running'].includes(state))
  const start = async (spaceId: string, direction: 'import' | 'export') => {
    const operation = await eventually(async () => {
      const [found] = await open(spaceId)
      expect(found).toMatchObject({ direction, automatic: true })
      return found as Operation
    })
    const work = await setup().calls.startGitOperation({ body: { operationId: operation.id } })
    if (work.state !== 'run') throw new Error(`the operation is ${work.state}`)
    return { operationId: operation.id, work }
  }
  const stored = async (value: unknown) => (await setup().blobs.put(Buffer.from(JSON.stringify(value)))).hash
  const finishExport = async (
    { operationId, work }: Awaited<ReturnType<typeof start>>,
    oid: string,
    isPartial = false,
  ) => {
    const { revision = '' } = work.export ?? {}
    const manifest = await stored({ version: 1, configuration, records: [] })
    const commit = { oid, message: 'Export', createdByService: true }
    const body = { operationId, attempt: work.attempt, revision, commit, isPartial, manifest }
    await setup().calls.finishGitExport({ body })
  }
  const calling = () => busClient(setup().worker, contentRpc, { service: 'content' })
  const synchroniser = {
    ...{ rowOf, operations, open, start, finishExport },
    set: (spaceId: string, settings: Partial<Settings> = {}) =>
      setup()
        .as('create')
        .setGitSync({
          params: { spaceId },
          body: { ...branch, direction: 'both', webhookSecret: secret, pollInterval: 0, ...settings },
        }),
    get: (spaceId: string) => setup().as('create').getGitSync({ params: { spaceId } }),
    /** Does the import that waits; the branch has this content. */
    async import(spaceId: string, content: TestContent, oid: string): Promise<string> {
      const { operationId, work } = await start(spaceId, 'import')
      const manifest = await stored(await aManifest(setup().blobs, content))
      const commit = { oid, message: 'A commit', ref: branch.ref }
      const body = { operationId, attempt: work.attempt, commit, manifest }
      return (await setup().calls.finishGitImport({ body })).revision
    },
    /** Does the export that waits, as a commit; partial when the branch had something that the content lacks. */
    async export(spaceId: string, oid: string, isPartial = false) {
      const started = await start(spaceId, 'export')
      await finishExport(started, oid, isPartial)
      return started.work
    },
    async fail(spaceId: string, direction: 'import' | 'export', code: 'authentication_failed' | 'push_rejected') {
      const { operationId, work } = await start(spaceId, direction)
      const error = { code, message: 'The git server says no' }
      await setup().calls.failGitOperation({
        body: { operationId, attempt: work.attempt, error, retry: false, warnings: [] },
      })
    },
    /** The poll that is wanted now, and how a worker reports it. */
    async poll(spaceId: string) {
      const { id: syncId } = await rowOf(spaceId)
      const work = await calling().startGitPoll({ body: { syncId } })
      const poll = work.state === 'run' ? work.poll : ''
      return { work, finish: (result: PollResult) => calling().finishGitPoll({ body: { syncId, poll, ...result } }) }
    },
    /** Sends a push as GitHub does. */
    push(spaceId: string, commit: string, { ref = branch.ref, by = secret } = {}) {
      const raw = Buffer.from(JSON.stringify({ ref, after: commit }))
      const signature = `sha256=${createHmac('sha256', by).update(raw).digest('hex')}`
      const headers = { 'x-github-event': 'push', 'x-hub-signature-256': signature }
      return setup().as(undefined).receiveGitPush({ params: { spaceId }, headers, raw })
    },
    handled: (spaceId: string) => handledEvents(setup().service.db, spaceId),
    /** Whether a worker is asked to look at the branch. */
    isLookedAt: async (spaceId: string) => (await rowOf(spaceId)).pollId !== null,
    /** Makes what waits for its time due. */
    async makeDue(spaceId: string) {
      await setup().service.db.update(GitSyncEntity, { spaceId }, { dueAt: new Date(0) })
    },
  }
  return {
    ...synchroniser,
    /** A space that was synchronised with the branch: both have the page `a`, at the commit c1. */
    async synchronised(direction: Settings['direction'], settings: Partial<Settings> = {}): Promise<string> {
      const { id } = await setup()
        .as('create')
        .createSpace({ params: { organizationId: organization }, body: {} })
      await synchroniser.set(id, { direction, initial: 'import', ...settings })
      await synchroniser.import(id, { pages: { a: '# A\n' } }, 'c1')
      await handledEvents(setup().service.db, id)
      return id
    },
  }
}
