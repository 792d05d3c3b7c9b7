import { entrySettings, type ExportContent, ExportManifest } from '@recto/contracts-git-worker'
import type { Db } from '@recto/database'
import { Failure } from '@recto/operation'
import { isBelow } from '@recto/repository-format'
import type { z } from 'zod'
import * as changeRequests from '../change-requests/change-requests.repository.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { filePath, folderBelow, joined, pageFile, reusableFile } from '../pages/repository-files.ts'
import { loadFileIndex, loadPageIndex, loadReusableContents } from '../pages/revision-index.ts'
import type { Context } from '../shared/context.ts'
import { markGarbage } from '../garbage/garbage.repository.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import type { GitOperationRow } from './git-operation.entity.ts'
import * as operations from './git-operations.repository.ts'
import { editorAsAuthor } from './commit-author.ts'
import { baseCandidates, commitMessageOf, openPushes } from './git-operations.rules.ts'
import { syncMessage } from './git-sync.rules.ts'
import * as syncs from './git-syncs.repository.ts'

type Content = z.input<typeof ExportContent>
type State = Content['now']
type Pushed = NonNullable<Content['pushed']>[number]

/** Merges that the message of a commit names. */
const mostMerges = 50

/** Prepares an export for git-worker: main content as its first attempt found it, stored as a blob, and who writes the commit. */
export async function prepareExport(
  operation: GitOperationRow,
  context: Pick<Context, 'db' | 'blobs' | 'publicUrl' | 'transaction' | 'people'>,
) {
  const { db, blobs, publicUrl, transaction } = context
  const { exported } = operation.options
  const space = await spaces.find(db, operation.spaceId)
  const revision = exported === undefined ? undefined : await revisions.find(db, exported)
  if (!space || !revision) return {}
  const last = await operations.lastSynchronised(db, operation)
  const base = last?.revision ? await revisions.find(db, last.revision) : undefined
  const synchronised = await revisions.listSynchronised(db, space.id)
  const candidates = baseCandidates(synchronised, {
    ref: operation.ref,
    last: last && base && { ref: last.ref, revision: base },
  })
  const pushed = await pushedStates(operation, { last, db, blobs })
  const content: Content = {
    version: 1,
    now: await stateOf(db, revision),
    ...(base && { base: { ...(await stateOf(db, base)), ...(last?.commit && { commit: last.commit }) } }),
    isSameBranch: last?.ref === operation.ref,
    candidates,
    ...(pushed.length > 0 && { pushed }),
  }
  const { hash } = await blobs.put(Buffer.from(JSON.stringify(content)))
  await transaction(tx => markGarbage(tx, [{ kind: 'blob', hash }], new Date()))
  const committer = { name: 'Recto', email: `recto@${new URL(publicUrl).hostname}` }
  return {
    export: {
      ...{ revision: revision.id, content: hash, committer },
      ...(operation.syncId === null
        ? {
            message: commitMessageOf(operation.options.commitMessage ?? '', await mergedChangeRequest(db, revision)),
            author: operation.options.author ?? committer,
          }
        : await signatureOf(operation, { space, revision }, context)),
    },
  }
}

/** Stores the content of a revision of the space that an export builds on. Throws `not_found` for a revision that was no synchronisation. */
export async function storeBase(
  { spaceId }: GitOperationRow,
  revisionId: string,
  { db, blobs, transaction }: Pick<Context, 'db' | 'blobs' | 'transaction'>,
): Promise<string> {
  const revision = await revisions.find(db, revisionId)
  if (revision?.spaceId !== spaceId || !revision.git) throw new Failure('not_found', 'There is no such base')
  const state: State = { ...(await stateOf(db, revision)), commit: revision.git.oid }
  const { hash } = await blobs.put(Buffer.from(JSON.stringify(state)))
  await transaction(tx => markGarbage(tx, [{ kind: 'blob', hash }], new Date()))
  return hash
}

/** Message and author of a commit that nobody requests: those of the last merge that it has, else of the last change. */
async function signatureOf(
  operation: GitOperationRow,
  { space, revision }: { space: SpaceRow; revision: RevisionRow },
  context: Pick<Context, 'db' | 'publicUrl' | 'people'>,
): Promise<{ message: string; author: { name: string; email: string } }> {
  const { db } = context
  const synced = (await syncs.findOf(db, operation))?.syncedRevision
  const since = synced ? (await revisions.find(db, synced))?.mainNumber : undefined
  const upTo = revision.mainNumber ?? 1
  const merges = await revisions.listMerges(db, space.id, { after: since ?? upTo - 1, upTo, limit: mostMerges })
  const merged = await changeRequests.findByIds(
    db,
    merges.flatMap(({ mergedFrom }) => mergedFrom ?? []),
  )
  const changeRequestsOf = merges.flatMap(({ mergedFrom }) => merged.find(({ id }) => id === mergedFrom) ?? [])
  const author = (merges[0] ?? revision).createdBy ?? operation.createdBy
  return {
    message: syncMessage(operation.options.commitMessage, changeRequestsOf),
    author: await editorAsAuthor(author, space, context),
  }
}

/** The states of the branch that are possible if its server took pushes whose answers were lost. */
async function pushedStates(
  operation: GitOperationRow,
  { last, db, blobs }: { last: GitOperationRow | undefined } & Pick<Context, 'db' | 'blobs'>,
): Promise<Pushed[]> {
  const synchronised = last?.ref === operation.ref ? last.completedAt : null
  const states: Pushed[] = []
  for (const push of openPushes(await operations.pushesOf(db, operation), synchronised)) {
    const revision = await revisions.find(db, push.revision)
    const manifest = await blobs.bytes(push.manifest).catch(() => undefined)
    if (!revision || !manifest) continue
    const written = ExportManifest.parse(JSON.parse(manifest.toString()))
    // A commit that has more than the content is not one that the content is synchronised with.
    states.push({
      ...asWritten(await stateOf(db, revision), written),
      settings: written.hasAllSettings ? 'all' : 'some',
      pushed: push.commit,
      ...(!push.isPartial && { commit: push.commit }),
    })
  }
  return states
}

/** The content of a revision with the places and the objects that an export gave it. */
function asWritten(state: State, { records, configuration: { root } }: z.output<typeof ExportManifest>): State {
  const places = new Map(records.map(({ id, path, oid }) => [id, { path: belowRoot(path, root), oid }]))
  const placed = <T extends { id: string }>(record: T) => ({ ...record, ...places.get(record.id) })
  return {
    ...state,
    pages: state.pages.map(placed),
    files: state.files.map(placed),
    reusableContents: state.reusableContents.map(placed),
  }
}

function belowRoot(path: string, root: string): string {
  return root !== '' && isBelow(path, root) ? path.slice(root.length + 1) : path
}

async function mergedChangeRequest(db: Db, { mergedFrom }: RevisionRow) {
  const [changeRequest] = mergedFrom === null ? [] : await changeRequests.findByIds(db, [mergedFrom])
  return changeRequest && { number: changeRequest.number, subject: changeRequest.subject }
}

/** The content of a revision with paths below its root. */
async function stateOf(db: Db, revision: RevisionRow): Promise<State> {
  const root = revision.configuration?.root ?? ''
  const below = (path: string) => belowRoot(path, root)
  const pages = await loadPageIndex(db, revision)
  const files = await loadFileIndex(db, revision.filesRoot)
  const reusable = await loadReusableContents(db, revision.reusableRoot)
  return {
    wasInRepository: revision.configuration !== null,
    pages: pages.inOrder().map(page => exportedPage(page, { below, get: id => pages.get(id), root })),
    files: files.inOrder.map(file => ({
      ...{ id: file.id, hash: file.hash, path: below(filePath(file)), name: file.name },
      ...(file.git && { oid: file.git.oid }),
    })),
    reusableContents: reusable.map(record => ({
      ...{ id: record.id, hash: record.document, path: below(reusableFile(record)) },
      ...(record.git && { oid: record.git.oid }),
    })),
    variables: revision.variables,
    redirects: revision.configuration?.redirects ?? {},
    settings: revision.git?.hasAllSettings ? 'all' : 'some',
  }
}

interface Place {
  below(path: string): string
  get(id: string): PageRecord | undefined
  root: string
}

function exportedPage(page: PageRecord, { below, get, root }: Place): State['pages'][number] {
  const { id, parent, type, title, document, git, href, computed } = page
  const file = pageFile(page)
  const wanted = joined(folderBelow(parent === null ? undefined : get(parent), root), `${page.slug ?? 'page'}.md`)
  return {
    ...{ id, parent, type, title },
    ...(file === undefined ? { wantedPath: below(wanted) } : { path: below(file) }),
    ...(document !== undefined && { hash: document }),
    ...(git && { oid: git.oid }),
    ...(href !== undefined && { href }),
    ...(computed && { computed: computed as NonNullable<State['pages'][number]['computed']> }),
    settings: settingsWithoutPlace(page),
  }
}

/** The settings of a page that Markdown has no place for: of one with a file its slug and emoji, of any other all that are set. */
function settingsWithoutPlace(page: PageRecord): Record<string, string | boolean> {
  const hasFile = page.type === 'document' && (pageFile(page) !== undefined || page.document !== undefined)
  const names = Object.keys(hasFile ? { slug: true, emoji: true } : entrySettings)
  const values = names.filter(name => name !== 'title').map(name => [name, page[name as keyof PageRecord]] as const)
  // A flag that is not set is none.
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== false)) as Record<
    string,
    string | boolean
  >
}
