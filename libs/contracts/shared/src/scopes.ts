import { includesGroup, scopeGroups, type ScopeGroup } from '@recto/operation'
import { z } from 'zod'

/** A scope: what a token that holds it may do, as its owner may, and the smallest group of scopes that includes it. */
export interface ScopeInformation {
  group: ScopeGroup
  summary: string
}

const read = (summary: string) => ({ group: 'read', summary }) as const
const write = (summary: string) => ({ group: 'write', summary }) as const
const admin = (summary: string) => ({ group: 'admin', summary }) as const

/** The scopes of tokens by name: those of the published API that fit, and those of our own operations. */
export const scopeTable = {
  'user:read': read('Read your profile, and those of people in your organizations'),
  'user:write': write('Change your profile, and join organizations'),
  'user:tokens:read': read('List your access tokens, without their secrets'),
  'user:tokens:write': admin('Issue and revoke access tokens'),
  'platform:users:write': admin('Create users and tokens for them, as an administrator of the platform'),
  'organization:read': read('Read your organizations and their settings'),
  'organization:write': write('Create organizations, and change their settings'),
  'organization:members:read': read('Read members, teams and invites'),
  'organization:members:write': write('Manage members, teams and invites'),
  'organization:sso:read': read('Read identity providers'),
  'organization:sso:write': write('Manage identity providers'),
  'organization:service-accounts:read': read('Read service accounts and their tokens, without their secrets'),
  'organization:service-accounts:write': admin('Manage service accounts, and issue and revoke their tokens'),
  'organization:oauth:read': read('Read programs of an organization, and what members have allowed programs'),
  'organization:oauth:write': write(
    'Register programs for an organization, and end what members have allowed programs',
  ),
  'organization:events:read': read('Read what happened in an organization'),
  'organization:audit:read': read('Read the audit log'),
  'organization:webhooks:read': read('Read webhooks and their deliveries'),
  'organization:webhooks:write': write('Manage webhooks, and send deliveries again'),
  scim: admin('Provision users and groups of an organization by SCIM'),
  'organization:ask': read('Ask questions about the content of an organization'),
  'organization:search': read('Search the content of an organization'),
  'space:read': read('Read spaces and collections with their content, change requests, comments and revisions'),
  'space:write': write('Create, change and delete spaces, collections and their content, without merging'),
  'space:permissions:read': read('Read who has access to spaces and collections'),
  'space:permissions:write': write('Manage who has access to spaces and collections'),
  'space:git:read': read('Read synchronisations with repositories, their operations and previews'),
  'space:git:write': write('Set up synchronisations with repositories, and run them'),
  'change-request:merge': write('Merge change requests'),
  'site:read': read('Read sites and their settings'),
  'site:write': write('Create, change and delete sites and their settings, without publishing'),
  'site:publish': write('Publish and unpublish sites, and manage their hostnames'),
  'site:permissions:read': read('Read who has access to sites'),
  'site:permissions:write': write('Manage who has access to sites'),
  'site:auth:read': read('Read how visitors of a site authenticate, and its share links'),
  'site:auth:write': write('Manage how visitors of a site authenticate, and its share links'),
  'site:insights:read': read('Read how much a site is visited'),
  'site:ask': read('Ask questions about the content of a site'),
  'site:search': read('Search the content of a site'),
  'openapi:read': read('Read OpenAPI specifications'),
  'openapi:write': write('Create, change and delete OpenAPI specifications'),
} as const satisfies Record<string, ScopeInformation>

/** The name of a scope. */
export type ScopeName = keyof typeof scopeTable

/** The names of all scopes. */
export const scopeNames = Object.keys(scopeTable) as [ScopeName, ...ScopeName[]]

/** A group of scopes, or one scope by its name: a token holds some of them. */
export type TokenScope = ScopeGroup | ScopeName

/** The schema of a group of scopes, or of one scope by its name. */
export const TokenScope = z.enum([...scopeGroups, ...scopeNames])

/** Whether the scopes of a token include a scope or a group: it may then issue tokens with it. */
export function includesScope(held: readonly string[], scope: TokenScope): boolean {
  return isScopeGroup(scope)
    ? includesGroup(held, scope)
    : held.includes(scope) || includesGroup(held, scopeTable[scope].group)
}

function isScopeGroup(scope: TokenScope): scope is ScopeGroup {
  return scopeGroups.some(group => group === scope)
}
