import { type BlobStore, packBundle } from '@recto/blobs'
import { type Bus, publishStored, serve } from '@recto/bus'
import { type Actor, atLeast, roleForbids } from '@recto/actor'
import { contentEvents, lifecycleEvents } from '@recto/contracts-content-bus'
import { gitContentCalls, type RevisionSnapshot } from '@recto/contracts-git-worker-bus'
import { createId, type Event, Failure, feature, type Input, operations, type Output } from '@recto/operation'
import { createLog } from '@recto/telemetry'
import { eventually } from '@recto/testing'
import { expect } from '@jest/globals'
import { z } from 'zod'
import { changeRequestOf, isBesideMain, refusalOf, requirePush } from './content-pushes.ts'

export const organization = 'anOrganization'

type Outcome = Output<typeof gitContentCalls.applyGitOperation>['outcome']
type ApplyBody = Input<typeof gitContentCalls.applyGitOperation>['body']
type Snapshot = z.input<typeof RevisionSnapshot>

/** A revision of a space; its pages are names. */
interface Revision {
  id: string
  pages: string[]
  createdAt: Date
  editor: string
  merged?: { number: number; subject: string }
  git?: { oid: string; ref: string; isPartial: boolean; createdByService: boolean }
  isMain: boolean
}

/** A space of content. */
interface Space {
  id: string
  organizationId: string
  isDeleted: boolean
  repository?: Output<typeof gitContentCalls.findGitSpace>['repository']
  /** Id of the revision that is main content. */
  revision: string
  revisions: Revision[]
  /** The state of each operation: the lease of its last attempt, and the outcome. */
  works: Map<string, { lease: number; outcome?: Outcome }>
}

/** A responder on the bus in place of content, which answers the calls of git-worker from memory. */
export interface Content {
  /** Creates a space and resolves to its id. */
  aSpace(organizationId?: string): Promise<string>
  space(id: string): Space
  /** The pages of main content. */
  pages(id: string): string[]
  /** Adds a page to main content. */
  edit(id: string, page: string, more?: Partial<Revision>): Promise<void>
  remove(id: string): void
  restore(id: string): Promise<void>
  purge(id: string): Promise<void>
  /** Waits until git-worker has handled all events. */
  waitUntilHandled(): Promise<void>
  /** Complete uploads by key. */
  uploads: Map<string, { createdBy: string; hash: string }>
  /** Requests to apply an operation, in order. */
  applied: ApplyBody[]
  /** Called after an operation is applied, before the reply. */
  beforeReply(body: ApplyBody): void
  /** The rows of the version before, by table. */
  former: Record<'git_operations' | 'git_syncs', Output<typeof gitContentCalls.handOverGit>['rows']>
  stop(): Promise<void>
  start(): Promise<void>
}

const acknowledging = operations({
  acknowledgeEvents: {
    summary: 'Acknowledge events',
    body: z.object({ ids: z.array(z.string()), consumer: z.string() }),
    reply: z.object({}),
  },
})

/** Starts the responder on a connection of content. */
export async function aContentResponder(bus: Bus, blobs: BlobStore): Promise<Content> {
  const spaces = new Map<string, Space>()
  const events = new Set<string>()
  const publish = async (event: Event, payload: unknown) => {
    const id = createId()
    events.add(id)
    await publishStored(bus, { stream: 'EVENTS', subject: event.subject, id, payload: payload as object })
  }
  const publishMove = (space: string, from: string, to: string) =>
    publish(contentEvents.mainContentChanged, { space, from, to })
  const content: Content = {
    applied: [],
    uploads: new Map(),
    former: { git_operations: [], git_syncs: [] },
    beforeReply: () => undefined,
    async aSpace(organizationId = organization) {
      const id = createId()
      const first = aRevision([], { isMain: true })
      const space = { id, organizationId, isDeleted: false, revision: first.id, revisions: [first], works: new Map() }
      spaces.set(id, space)
      return id
    },
    space(id) {
      const space = spaces.get(id)
      if (!space) throw new Failure('not_found', 'There is no such space')
      return space
    },
    pages: id => mainOf(content.space(id)).pages.toSorted(),
    async edit(id, page, more = {}) {
      const space = content.space(id)
      const from = space.revision
      const next = aRevision([...mainOf(space).pages, page], { isMain: true, ...more })
      space.revisions.push(next)
      space.revision = next.id
      await publishMove(id, from, next.id)
    },
    remove: id => void (content.space(id).isDeleted = true),
    async restore(id) {
      const { organizationId } = content.space(id)
      content.space(id).isDeleted = false
      await publish(lifecycleEvents.spaceRestored, { ...change, organization: organizationId, space: id })
    },
    async purge(id) {
      const { organizationId } = content.space(id)
      spaces.delete(id)
      await publish(lifecycleEvents.spacePurged, { organization: organizationId, space: id, at: change.at })
    },
    waitUntilHandled: () => eventually(() => expect([...events]).toEqual([])),
    stop: () => serving.stop(),
    start: async () => void (serving = await answer()),
  }
  const log = createLog({ service: 'content', level: 'silent' })
  const answer = async () => {
    const git = gitHandlers(content, { blobs, publishMove })
    const acknowledged = feature<unknown>()(acknowledging, {
      async acknowledgeEvents({ body }) {
        for (const id of body.ids) events.delete(id)
        return {}
      },
    })
    const server = serve(bus, {
      prefix: 'rpc',
      operations: { ...gitContentCalls, ...acknowledging },
      context: () => ({}),
      log,
      strict: true,
      handlers: { ...git.handlers, ...acknowledged.handlers },
    })
    await bus.connection.flush()
    return server
  }
  let serving = await answer()
  return content
}

const change = { by: 'somebody', at: new Date(0).toISOString() }

function aRevision(pages: string[], more: Partial<Revision> = {}): Revision {
  return { id: createId(), pages, createdAt: new Date(), editor: 'user-edit', isMain: false, ...more }
}

function mainOf({ revision, revisions }: Space): Revision {
  const main = revisions.find(({ id }) => id === revision)
  if (!main) throw new Error('there is no main content')
  return main
}

function revisionOf(space: Space, id: string): Revision {
  const revision = space.revisions.find(each => each.id === id)
  if (!revision) throw new Failure('not_found', 'There is no such revision of the space')
  return revision
}

const presentSpace = ({ organizationId, revision, isDeleted, repository }: Space) => ({
  organizationId,
  revision,
  isDeleted,
  ...(repository && { repository }),
})

function requireUse(space: Space, actor: Actor, use: 'read' | 'edit' | 'manage' | 'change'): void {
  const membership = actor.memberships.find(({ organization: id }) => id === space.organizationId)
  if (!membership || membership.role === null) throw new Failure('not_found', 'There is no such space')
  const { role } = membership
  if (use !== 'read' && !atLeast(role, use === 'edit' ? 'edit' : 'create')) throw roleForbids(role)
  if ((use === 'change' || use === 'edit') && space.isDeleted) throw new Failure('conflict', 'The space is deleted')
}

function hold(space: Space, { operationId, lease }: { operationId: string; lease: number }) {
  const work = space.works.get(operationId) ?? { lease }
  if (work.lease > lease) throw new Failure('conflict', 'Another attempt holds the lease of this operation')
  work.lease = lease
  space.works.set(operationId, work)
  return work
}

function gitHandlers(
  content: Content,
  { blobs, publishMove }: { blobs: BlobStore; publishMove(space: string, from: string, to: string): Promise<void> },
) {
  return feature<unknown>()(gitContentCalls, {
    async findGitSpace({ body }) {
      const space = content.space(body.spaceId)
      if (body.actor) requireUse(space, body.actor, body.use)
      return presentSpace(space)
    },
    async showGitRepository({ body: { spaceId, repository } }) {
      const space = content.space(spaceId)
      delete space.repository
      if (repository) space.repository = repository
      return {}
    },
    async listKnownGitBlobs({ body }) {
      const space = content.space(body.spaceId)
      const { outcome } = hold(space, body)
      return { space: presentSpace(space), known: [], ...(outcome && { applied: outcome }) }
    },
    async acceptPush({ body }) {
      const space = content.space(body.spaceId)
      requireUse(space, body.actor, 'edit')
      requirePush(space, content.uploads.get(body.upload), body)
      const { organizationId } = space
      return { organizationId, ...(body.changeRequest !== undefined && { changeRequest: body.changeRequest }) }
    },
    async openPush({ body }) {
      const space = content.space(body.spaceId)
      const { outcome } = hold(space, body)
      const pack = content.uploads.get(body.upload)?.hash
      return { space: presentSpace(space), known: [], ...(pack && { pack }), ...(outcome && { applied: outcome }) }
    },
    async snapshotRevision({ body }) {
      const space = content.space(body.spaceId)
      const { outcome } = hold(space, body)
      const revision = revisionOf(space, body.revision ?? space.revision)
      const bytes = body.documents
        ? packBundle(body.documents.map(document => Buffer.from(`# ${document}\n`)))
        : Buffer.from(JSON.stringify(snapshotOf(space, revision, body.since)))
      const { hash: blob } = await blobs.put(bytes)
      const count = body.documents?.length ?? 0
      return { space: presentSpace(space), revision: revision.id, blob, count, ...(outcome && { applied: outcome }) }
    },
    async applyGitOperation({ body }) {
      content.applied.push(body)
      const space = content.space(body.spaceId)
      const work = hold(space, body)
      const from = space.revision
      const outcome = work.outcome ?? (await apply(space, body, blobs))
      if (outcome.state !== 'failure') work.outcome = outcome
      if (space.revision !== from) await publishMove(space.id, from, space.revision)
      content.beforeReply(body)
      return { space: presentSpace(space), outcome }
    },
    async handOverGit({ body: { table, after } }) {
      return { rows: content.former[table].filter(({ id }) => String(id) > after).slice(0, 2) }
    },
  })
}

async function apply(space: Space, body: ApplyBody, blobs: BlobStore): Promise<Outcome> {
  const { work, commit } = body
  const { oid, ref, createdByService } = commit
  const manifest = JSON.parse((await blobs.bytes(body.manifest)).toString()) as { pages?: string[] }
  const before = mainOf(space)
  if (work.kind === 'import' && work.onlyFrom !== undefined && work.onlyFrom !== before.id)
    return { state: 'skipped', revision: before.id, isPartial: false, warnings: [] }
  const refusal = work.kind === 'push' ? refusalOf(space, work) : undefined
  if (refusal) return { state: 'failure', revision: before.id, error: refusal, isPartial: false, warnings: [] }
  const isPartial = work.kind === 'export' && work.isPartial
  const isMain = work.kind === 'export' ? work.revision === before.id : !isBesideMain(work)
  const pages = work.kind === 'export' ? revisionOf(space, work.revision).pages : (manifest.pages ?? [])
  const git = { oid, ref, isPartial, createdByService }
  const next = aRevision(pages, { isMain, editor: body.createdBy, ...(work.kind !== 'push' && { git }) })
  space.revisions.push(next)
  if (isMain) space.revision = next.id
  if (body.repository && (work.kind === 'export' || isMain)) space.repository = body.repository
  const main = work.kind === 'export' && !isMain ? work.revision : next.id
  const hasMain = work.kind === 'export' || (work.kind === 'import' && isMain)
  const warnings = work.kind === 'export' ? work.warnings : []
  const target = work.kind === 'push' ? { changeRequest: changeRequestOf(work) } : {}
  return { state: 'success', revision: next.id, commit: oid, ...target, ...(hasMain && { main }), isPartial, warnings }
}

function snapshotOf(space: Space, revision: Revision, since: string | undefined): Snapshot {
  const after = space.revisions.findIndex(({ id }) => id === since)
  const merges = space.revisions.slice(since === undefined ? -1 : after + 1).filter(({ merged }) => merged)
  const last = merges.at(-1) ?? revision
  return {
    version: 1,
    state: {
      wasInRepository: revision.git !== undefined,
      pages: revision.pages.map(page => ({
        id: page,
        parent: null,
        type: 'document' as const,
        title: page,
        path: `${page}.md`,
      })),
      files: [],
      reusableContents: [],
      variables: {},
      redirects: {},
      settings: 'some' as const,
    },
    createdAt: revision.createdAt.toISOString(),
    ...(revision.git && { commit: revision.git.oid }),
    synchronised: space.revisions
      .flatMap(({ id, git, isMain, createdAt }) =>
        git && isMain
          ? [{ revision: id, commit: git.oid, ref: git.ref, root: '', isPartial: git.isPartial, createdAt }]
          : [],
      )
      .map(each => ({ ...each, createdAt: each.createdAt.toISOString() }))
      .toReversed(),
    ...(revision.merged && { merged: revision.merged }),
    merges: merges.flatMap(({ merged }) => merged ?? []).toReversed(),
    editor: last.editor,
  }
}
