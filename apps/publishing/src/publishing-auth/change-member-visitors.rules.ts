import { createId, fieldFault } from '@recto/operation'
import { isDeepStrictEqual } from 'node:util'
import type { MemberClaimMapping } from './member-claims.rules.ts'
import type { MemberVisitorsRow } from './member-visitors.entity.ts'

/** A change of one of the ways to sign in: what is stored, and what a request sets, by null for nothing; left out, it stays. */
export interface WayChange {
  isStored: boolean
  change: object | null | undefined
}

const isAfter = ({ isStored, change }: WayChange) => (change === undefined ? isStored : change !== null)

/**
 * Throws `invalid_request`, naming the field, where a site would have two ways to sign in after a request: which one a visitor is sent to
 * would be nobody's decision.
 *
 * | `oidc` after | `members` after | set by the request | result                 |
 * | ------------ | --------------- | ------------------ | ---------------------- |
 * | yes          | yes             | `members`, or both | refused at `members`   |
 * | yes          | yes             | `oidc` alone       | refused at `oidc`      |
 * | at most one                    ||                    | accepted               |
 */
export function requireOneWay({ oidc, members }: { oidc: WayChange; members: WayChange }): void {
  if (!isAfter(oidc) || !isAfter(members)) return
  if (members.change)
    throw fieldFault(
      'body.members',
      'must not be set beside an OpenID provider: set `oidc` to null in the same request',
    )
  throw fieldFault('body.oidc', 'must not be set where members sign in: set `members` to null in the same request')
}

/** How members sign in on a site after a change. */
export interface ChangedMemberVisitors {
  /** Null where they do not any more. */
  row: MemberVisitorsRow | null
  isChanged: boolean
  /** Whether those who signed in before are signed out: they have other claims, or none. */
  endsSessions: boolean
}

/** How members sign in on a site after a request lets them, or ends it by `null`. */
export function changeMemberVisitors(
  siteId: string,
  before: MemberVisitorsRow | undefined,
  change: { claims?: MemberClaimMapping | undefined } | null,
): ChangedMemberVisitors {
  if (change === null) return { row: null, isChanged: before !== undefined, endsSessions: before !== undefined }
  const { claims = null } = change
  if (before && isDeepStrictEqual(claims, before.claims)) return { row: before, isChanged: false, endsSessions: false }
  return { row: { siteId, version: createId(), claims }, isChanged: true, endsSessions: before !== undefined }
}
