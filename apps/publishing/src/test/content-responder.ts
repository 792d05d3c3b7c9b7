import { serve, type Bus } from '@recto/bus'
import { accessCalls, askCalls, siteContentCalls } from '@recto/contracts-content-bus'
import { membershipIn, type Role } from '@recto/actor'
import { createId, Failure, feature } from '@recto/operation'
import { createLog } from '@recto/telemetry'
import { describedSpace } from '@recto/testing'

interface TestSpace {
  organization: string
  title: string
  /** Roles by user id; a user without one has their role in the organization. */
  roles: Map<string, Role | null>
  /** Ids of its pages and files. */
  contents: Set<string>
  isDeleted: boolean
  /** Its change requests, by id with their number, and its revisions. */
  changeRequests: Map<string, string>
  revisions: Set<string>
  /** Paths with the page that each leads to, by content alone; the first of a page is the one it has now. */
  paths: Map<string, string>
}

type Described = Pick<TestSpace, 'organization' | 'title'>

/** A responder on the bus in place of content: it answers the calls of publishing by the contract, from memory. */
export interface ContentResponder {
  /** Creates a space and returns its id. */
  aSpace(title: string, organization?: string): string
  /** Sets the role of a user on a space; null closes it to them. */
  setRole(space: string, user: string, role: Role | null): void
  remove(space: string): void
  /** Puts a space into the trash, or restores it. */
  setDeleted(space: string, isDeleted: boolean): void
  /** Adds a page or file to a space and returns its id. */
  add(space: string, kind: 'page' | 'file'): string
  /** Adds a page with its path and former ones to a space, and returns its id. */
  aPage(space: string, ...paths: string[]): string
  /** Adds a change request with a number to a space, and returns its id. */
  aChangeRequest(space: string, number: number): string
  /** Adds a revision to a space and returns its id. */
  aRevision(space: string): string
  /** The ids of fonts of the organization. */
  fonts: Set<string>
  /** Number of calls answered. */
  answered(): number
  stop(): Promise<void>
}

const { countSpaces } = accessCalls

const counting = feature<unknown>()(
  { countSpaces },
  {
    countSpaces: async ({ body: { teams } }) => ({ members: {}, teams: Object.fromEntries(teams.map(id => [id, 2])) }),
  },
)

/** Answers with the question and what it is about, as JSON. */
const asking = feature<unknown>()(askCalls, {
  askSpaces: async ({ body: { actor: _actor, ...question } }) => eventsOf(answerEvent(JSON.stringify(question))),
  recommendQuestions: async ({ body: { spaces } }) => eventsOf(...spaces.map(question => ({ question }))),
})

function answerEvent(markdown: string) {
  return { type: 'answer' as const, answer: { answer: { markdown }, followupQuestions: [], sources: [] } }
}

async function* eventsOf<Event>(...events: Event[]): AsyncGenerator<Event> {
  yield* events
}

/** Starts the responder on a connection of content. */
export async function aContentResponder(bus: Bus, organization: string): Promise<ContentResponder> {
  const spaces = new Map<string, TestSpace>()
  const fonts = new Set(['a-font'])
  const count = { answered: 0 }
  const add = (space: Described): string => {
    const id = createId()
    const empty = { roles: new Map(), contents: new Set<string>(), paths: new Map(), changeRequests: new Map() }
    spaces.set(id, { ...space, ...empty, isDeleted: false, revisions: new Set() })
    return id
  }
  const serving = serve(bus, {
    prefix: 'rpc',
    operations: { ...siteContentCalls, ...askCalls, countSpaces },
    handlers: { ...answers({ spaces, fonts }, add).handlers, ...counting.handlers, ...asking.handlers },
    context: () => void (count.answered += 1),
    log: createLog({ service: 'content', level: 'silent' }),
    strict: true,
  })
  await bus.connection.flush()
  return {
    aSpace: (title, of = organization) => add({ title, organization: of }),
    setRole: (space, user, role) => void spaces.get(space)?.roles.set(user, role),
    add: (space, kind) => {
      const id = createId()
      spaces.get(space)?.contents.add(`${kind} ${id}`)
      return id
    },
    aPage: (space, ...paths) => {
      const id = createId()
      spaces.get(space)?.contents.add(`page ${id}`)
      for (const path of paths) spaces.get(space)?.paths.set(path, id)
      return id
    },
    aChangeRequest: (space, number) => {
      const id = createId()
      spaces.get(space)?.changeRequests.set(id, String(number))
      return id
    },
    aRevision: space => {
      const id = createId()
      spaces.get(space)?.revisions.add(id)
      return id
    },
    remove: space => void spaces.delete(space),
    setDeleted: (space, isDeleted) => {
      const existingSpace = spaces.get(space)
      if (existingSpace) existingSpace.isDeleted = isDeleted
    },
    fonts,
    answered: () => count.answered,
    stop: () => serving.stop(),
  }
}

type Asking = Parameters<typeof membershipIn>[0] & { visitor?: { spaces: string[] } | undefined; userId: string }

/** The role of an actor on a space of an organization; null for none. */
function roleIn(
  spaces: Map<string, TestSpace>,
  id: string,
  { actor, organization }: { actor: Asking; organization: string },
) {
  const space = spaces.get(id)
  if (space?.organization !== organization || space.isDeleted) return null
  if (actor.visitor) return actor.visitor.spaces.includes(id) ? 'read' : null
  if (actor.limitedTo?.spaces.includes(id) === false) return null
  const own = space.roles.get(actor.userId)
  return own === undefined ? (membershipIn(actor, organization)?.role ?? null) : own
}

function answers(
  { spaces, fonts }: { spaces: Map<string, TestSpace>; fonts: ReadonlySet<string> },
  add: (space: Described) => string,
) {
  return feature<unknown>()(siteContentCalls, {
    async describeSpaces({ body: { spaces: ids, onSite, ...asking } }) {
      const { limitedTo: _limits, ...owner } = asking.actor
      const by = onSite ? { ...asking, actor: owner } : asking
      const described = ids.flatMap(id => {
        const space = spaces.get(id)
        const role = roleIn(spaces, id, by)
        return role === null || !space ? [] : [{ space: describedSpace({ id, ...space }), role }]
      })
      return { spaces: described }
    },
    async checkReferences({ body: { references, ...asking } }) {
      const isThere = ({ space, kind, id }: (typeof references)[number]) =>
        roleIn(spaces, space, asking) !== null && spaces.get(space)?.contents.has(`${kind} ${id}`) === true
      return { missing: references.flatMap((reference, at) => (isThere(reference) ? [] : [at])) }
    },
    async checkTargets({ body: { targets } }) {
      const isThere = (target: (typeof targets)[number]) =>
        (target.kind === 'user' && target.user === 'a-member') ||
        (target.kind === 'reusable-content' && target.space !== undefined)
      return { missing: targets.flatMap((target, at) => (isThere(target) ? [] : [at])) }
    },
    async describeFonts({ body: { fonts: ids } }) {
      const sources = [{ url: 'https://recto.test/files/now/400.woff2', format: 'woff2' as const }]
      const faces = [{ weight: 400, sources }]
      return { fonts: ids.flatMap(id => (fonts.has(id) ? [{ id, fontFamily: 'Ours', fontFaces: faces }] : [])) }
    },
    async findPages({ body: { places, ...asking } }) {
      const pageAt = (place: (typeof places)[number]) => {
        const { contents, paths } = spaces.get(place.space) ?? { contents: new Set(), paths: new Map<string, string>() }
        const id = 'page' in place ? place.page : paths.get(place.path)
        if (!contents.has(`page ${id}`) || roleIn(spaces, place.space, asking) === null) return null
        return { id: id ?? '', path: [...paths].find(([, page]) => page === id)?.[0] ?? 'page' }
      }
      return { pages: places.map(pageAt) }
    },
    async searchSpaces({ body: { spaces: ids, query, ...asking } }) {
      const readableIds = ids.filter(id => roleIn(spaces, id, asking) !== null)
      const items = readableIds.map(id => ({ id, title: `${spaces.get(id)?.title} with ${query}`, pages: [] }))
      return { items, count: items.length }
    },
    async resolvePreview({ body: { organization, space: id, reader, changeRequest = '', revision = '' } }) {
      const space = spaces.get(id)
      if (space?.organization !== organization) return {}
      const isMember = reader?.memberships.some(membership => membership.organization === organization) === true
      const isSomebody = isMember || reader?.visitor?.previews === true
      const isReader = reader && isSomebody && roleIn(spaces, id, { actor: reader, organization }) !== null
      const [numbered] = isReader
        ? ([...space.changeRequests].find(([, number]) => number === changeRequest) ?? [])
        : []
      const changeRequestId = space.changeRequests.has(changeRequest) ? changeRequest : numbered
      if (changeRequestId !== undefined) return { changeRequest: changeRequestId }
      return isReader && space.revisions.has(revision) ? { revision } : {}
    },
    async createSpaceOfSite({ body: { organization, title, sample, template } }) {
      if (organization === 'nothing') throw new Failure('not_found', 'There is no such organization')
      const suffix = sample ? ' (sample)' : template ? ` (${template.id})` : ''
      const fields = { title: `${title}${suffix}`, organization }
      return { space: describedSpace({ id: add(fields), ...fields }) }
    },
    async duplicateSpaceOfSite({ body: { space, ...asking } }) {
      const source = spaces.get(space)
      if (!source || roleIn(spaces, space, asking) === null) throw new Failure('not_found', 'There is no such space')
      const fields = { title: `${source.title} (copy)`, organization: source.organization }
      return { space: describedSpace({ id: add(fields), ...fields }) }
    },
  })
}
