import type { Role } from '@recto/actor'
import type { Access, Method, Operation } from '@recto/operation'
import type { RecordTypeName } from './record-types.ts'
import type { ScopeName } from './scopes.ts'

/**
 * Who may use an operation: anyone; the sender of what is signed; every user; platform administrators; the user of the path; whoever belongs
 * to the organization, guests too; owners of the team; or whoever has a role, on the resource or in the organization.
 */
export type Who = 'anyone' | 'signer' | 'user' | 'platform' | 'self' | 'guest' | 'teamOwner' | Role

/** Who may use an operation, and what others get: 401 without a token, 403 if they see the resource, 404 if they do not. */
export interface EndpointAccess extends Access {
  may: Who
  /** Who sees the resource that the operation is about. */
  sees: 'user' | 'guest' | Role
  /** To delete what one does not see succeeds without effect; unless given it is answered with 404. */
  unseen?: 'unaffected'
  /**
   * Which resources visitors read, where it is not all that their site shows: only what their address names, only what a page of the site
   * is made from, or also what is public in the organization.
   */
  visitors?: 'named' | 'onPage' | 'public'
}

/** Requests without a token, and all others. */
export const anyone = { public: true, may: 'anyone', sees: 'user' } as const
/** Requests that are signed with a secret of the resource; all others get 401. */
export const signer = { public: true, may: 'signer', sees: 'user' } as const
/** Everybody with a token. */
export const anyUser = { may: 'user', sees: 'user' } as const
/** Administrators of the platform. */
export const platform = { may: 'platform', sees: 'user' } as const
/** The user of the path; members see each other. */
export const self = { may: 'self', sees: 'read' } as const
/** Whoever belongs to the organization, guests too. */
export const guests = { may: 'guest', sees: 'guest' } as const
/** Owners of the team, and admins of its organization. */
export const teamOwners = { may: 'teamOwner', sees: 'guest' } as const
/** Whoever may restore a deleted resource; nobody else sees it. */
export const restorers = { may: 'create', sees: 'create' } as const
/** Whoever may delete the resource; what the caller does not see is left as it is. */
export const deleters = { may: 'create', sees: 'read', unseen: 'unaffected' } as const

/** Whoever has the role on the resource; others who can read it get 403, and who cannot read it does not see it. */
export const onResource = <const Level extends Role>(may: Level) => ({ may, sees: 'read' }) as const
/** Whoever has the role in the organization; guests, who see it, get 403. */
export const inOrganization = <const Level extends Role>(may: Level) => ({ may, sees: 'guest' }) as const

/** Readers of the resource, and visitors of published sites with their token. */
export const readersAndVisitors = { ...onResource('read'), callers: ['visitor'] } as const

/** The record of an operation that reads though it is no GET: the scope `read` is enough for it. */
export const reads = { nothing: 'It reads, and changes nothing', reads: true } as const

/** A request that shows how an operation is called, and by which tests call it: `{spaceId}` stands for a resource of a kind. */
export interface Example {
  /** The kind of resource of a path parameter, where it is not that of its name. */
  params?: Readonly<Record<string, `{${string}}`>>
  query?: Readonly<Record<string, string>>
  body?: unknown
  form?: Readonly<Record<string, string>>
  /** Kinds of resources of which an unknown one leaves nothing to do or to list, instead of being answered with 404. */
  ignores?: readonly string[]
  /** The status of the answer, where the example names something that is missing or is in conflict. */
  answers?: 401 | 404 | 409
}

/** A row of the API: it says who may use it, and which scope a token needs. */
export interface Endpoint extends Operation {
  route: `${Method} /${string}`
  access: EndpointAccess
  scope?: ScopeName
  records?: readonly [RecordTypeName, ...RecordTypeName[]] | { nothing: string; reads?: true }
  /** Requests of operations that require input, or accept ids in it; the first succeeds for whoever may use the operation. */
  examples?: readonly Example[]
}

/** A row with its scope, or one that needs no token. */
export type ScopedEndpoint = Endpoint & ({ scope: ScopeName } | { access: { public: true } })

/** Declares a table of rows of the API; a row that does not say who may use it, or which scope it needs, does not compile. */
export function endpoints<const Rows extends Record<string, ScopedEndpoint>>(rows: Rows): Rows {
  return Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, withLimited(row)])) as Rows
}

/** Path parameters of the resources that tokens may be limited to. */
const limitingParameters = ['{spaceId}', '{collectionId}', '{siteId}']

/** Whether a row is about a resource that tokens may be limited to: one of the path. */
export function isAboutResource({ route }: Pick<Endpoint, 'route'>): boolean {
  return limitingParameters.some(parameter => route.includes(parameter))
}

/** Lets tokens that are limited to resources use a row that is about one of them. */
function withLimited<Row extends ScopedEndpoint>(row: Row): Row {
  return isAboutResource(row) ? { ...row, access: { ...row.access, limited: 'checked' } } : row
}
