import { lockRow } from '@recto/testing'
import { databaseUrl, untilAwaited } from './databases.ts'
import type { GitProxy, Hold } from './git-proxy.ts'
import type { BusMessage, NatsProxy } from './nats-proxy.ts'

/** Where an operation is kept back. */
export interface Held {
  operationId: string
  spaceId: string
  repository: string
  git: GitProxy
  nats: NatsProxy
  dataDir: string
}

/** A stage of an operation, at which a fault finds it. */
export interface Stage {
  direction: 'import' | 'export'
  name: string
  /** Whether the worker waits for the git server then, so that it fails without one. */
  needsGit: boolean
  /** Whether the operation is known by its messages only, which do not name its space. */
  needsOperation?: boolean
  hold(held: Held): Hold | Promise<Hold>
}

const fetchesPack = 'POST /git-upload-pack'
const pushesPack = 'POST /git-receive-pack'
const readsRefs = 'GET /info/refs?service=git-upload-pack'
const readsRefsToPush = 'GET /info/refs?service=git-receive-pack'

const onGit =
  (request: string, when: 'before' | 'after', nth = 1): Stage['hold'] =>
  ({ git, repository }) =>
    git.hold({ repository, request, when, nth })

const onBus =
  (matches: (message: BusMessage) => boolean): Stage['hold'] =>
  ({ nats, operationId }) =>
    nats.hold(message => {
      const { client, request, body } = message
      return client === 'git-worker' && matches(message) && (request?.body ?? body).includes(operationId)
    })

const handsOver = /^rpc\.content\.applyGitOperation$/

/** The hand-over waits in a transaction of content, for the row of the space. */
async function insideHandOver({ spaceId, dataDir }: Held): Promise<Hold> {
  const row = await lockRow(databaseUrl(dataDir, 'content'), { table: 'spaces', id: spaceId })
  return { reached: untilAwaited(row), release: () => void row.release() }
}

const handOver: Omit<Stage, 'direction'>[] = [
  {
    name: 'before its hand-over',
    needsGit: false,
    needsOperation: true,
    hold: onBus(({ to, subject }) => to === 'server' && handsOver.test(subject)),
  },
  { name: 'inside its hand-over', needsGit: false, hold: insideHandOver },
  {
    name: 'after its hand-over',
    needsGit: false,
    needsOperation: true,
    hold: onBus(({ to, request }) => to === 'client' && handsOver.test(request?.subject ?? '')),
  },
  {
    name: 'before its acknowledgement',
    needsGit: false,
    needsOperation: true,
    hold: onBus(
      ({ to, request, body }) =>
        to === 'server' && (request?.subject.startsWith('jobs.git.') ?? false) && body.toString() === '+ACK',
    ),
  },
]

const importing: Omit<Stage, 'direction'>[] = [
  { name: 'before it fetches', needsGit: true, hold: onGit(fetchesPack, 'before') },
  { name: 'while a pack arrives', needsGit: true, hold: onGit(fetchesPack, 'after') },
  // The trees are there, and the second pack brings the files.
  { name: 'after it fetched the commit', needsGit: true, hold: onGit(fetchesPack, 'before', 2) },
  ...handOver,
]

const exporting: Omit<Stage, 'direction'>[] = [
  { name: 'before it fetches', needsGit: true, hold: onGit(readsRefs, 'before') },
  { name: 'after it fetched', needsGit: true, hold: onGit(readsRefsToPush, 'before') },
  { name: 'before it pushes', needsGit: true, hold: onGit(pushesPack, 'before') },
  { name: 'after it pushed', needsGit: true, hold: onGit(pushesPack, 'after') },
  ...handOver,
]

/** Keeps an operation back before it asks its git server anything. */
export const beforeGit = onGit(readsRefs, 'before')

/** All stages of imports and exports. */
export const stages: Stage[] = [
  ...importing.map(stage => ({ ...stage, direction: 'import' as const })),
  ...exporting.map(stage => ({ ...stage, direction: 'export' as const })),
]
