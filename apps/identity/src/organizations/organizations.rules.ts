import { domainToASCII, domainToUnicode } from 'node:url'
import type { Role } from '@recto/actor'
import { createId, fieldFaults } from '@recto/operation'
import type { OrganizationRow } from './organization.entity.ts'

interface NewOrganization {
  title: string
  type: string
  useCase?: string | undefined
  emailDomains: string[]
}

/** Creates an organization with the default settings. */
export function newOrganization(request: NewOrganization): OrganizationRow {
  return {
    id: createId(),
    title: request.title,
    type: request.type,
    useCase: request.useCase ?? null,
    emailDomains: normalizeDomains(request.emailDomains),
    defaultRole: 'read',
    defaultSite: null,
    inviteLinks: true,
    hostname: null,
    logo: null,
    sso: false,
    ai: false,
    mergeRules: { type: 'none' },
    createdAt: new Date(),
  }
}

/** A requested change: absent fields are kept, `null` clears. */
export interface OrganizationChange {
  title?: string | undefined
  emailDomains?: string[] | undefined
  hostname?: string | null | undefined
  defaultRole?: Role | null | undefined
  defaultContent?: { type: 'site'; site: string } | null | undefined
  logo?: string | null | undefined
  sso?: boolean | undefined
  ai?: boolean | undefined
  inviteLinks?: boolean | undefined
  mergeRules?: OrganizationRow['mergeRules'] | undefined
}

/** The organization after a change; throws `invalid_request` for invalid domains. */
export function applyChange(
  row: OrganizationRow,
  { defaultContent, emailDomains, ...changes }: OrganizationChange,
): OrganizationRow {
  const ownChanges = Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => value !== undefined && Object.hasOwn(row, name)),
  )
  return {
    ...row,
    ...ownChanges,
    ...(defaultContent !== undefined && { defaultSite: defaultContent?.site ?? null }),
    ...(emailDomains && { emailDomains: normalizeDomains(emailDomains) }),
  }
}

/** Distinct normalized domains; throws `invalid_request` that names each invalid one. */
function normalizeDomains(domains: string[]): string[] {
  const normalized = domains.map(domain => normalizeDomain(domain))
  const faults = normalized.flatMap((domain, index) =>
    domain === '' ? [{ path: `body.emailDomains.${index}`, message: 'must be a domain name' }] : [],
  )
  if (faults.length > 0) throw fieldFaults(faults)
  return [...new Set(normalized)]
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** Host names (RFC 1123) whose last label is not a number. */
const hostName = new RegExp(String.raw`^(?:${label}\.)+(?!\d+$)${label}$`)

/** A domain in lower case and ASCII (Punycode), for comparison; empty when the text is not a domain. */
export function normalizeDomain(text: string): string {
  // URL parsers would cut off or decode these characters.
  if (/[/?#%:@\\]/.test(text)) return ''
  const ascii = domainToASCII(text.trim().toLowerCase())
  return hostName.test(ascii) && isDecodable(ascii) ? ascii : ''
}

/** Whether every Punycode label (RFC 3492) decodes to Unicode and back; not every version of Node checks this. */
function isDecodable(ascii: string): boolean {
  const unicode = domainToUnicode(ascii)
  return !/(?:^|\.)xn--/.test(unicode) && domainToASCII(unicode) === ascii
}

/** The normalized domain of an email. */
export function emailDomain(email: string): string {
  return normalizeDomain(email.slice(email.lastIndexOf('@') + 1))
}
