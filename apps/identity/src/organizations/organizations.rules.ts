import { domainToASCII, domainToUnicode } from 'node:url'
import type { Role } from '@recto/actor'
import { createId, Failure } from '@recto/operation'
import type { OrganizationRow } from './organization.entity.ts'

interface Founding {
  title: string
  type: string
  useCase?: string | undefined
  emailDomains: string[]
}

/** A new organization. */
export function found(request: Founding): OrganizationRow {
  return {
    id: createId(),
    title: request.title,
    type: request.type,
    useCase: request.useCase ?? null,
    emailDomains: domains(request.emailDomains),
    defaultRole: 'read',
    inviteLinks: true,
    hostname: null,
    logo: null,
    sso: false,
    ai: false,
    createdAt: new Date(),
  }
}

/** What a caller asks to change: absent keeps, `null` clears. */
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
}

/** The organization after a change; throws `invalid_request` when its default content is not there. */
export function change(
  row: OrganizationRow,
  { defaultContent, emailDomains, ...changes }: OrganizationChange,
): OrganizationRow {
  if (defaultContent) {
    const details = [{ path: 'body.defaultContent.site', message: 'is not a site of the organization' }]
    throw new Failure('invalid_request', 'body.defaultContent.site: is not a site of the organization', { details })
  }
  const given = Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => value !== undefined && Object.hasOwn(row, name)),
  )
  return { ...row, ...given, ...(emailDomains && { emailDomains: domains(emailDomains) }) }
}

/** Domains as they are compared: lower case, ASCII, each once; throws `invalid_request` for what is none. */
function domains(given: string[]): string[] {
  const known = given.map(domain => domainOf(domain))
  const faults = known.flatMap((domain, index) =>
    domain === '' ? [{ path: `body.emailDomains.${index}`, message: 'must be a domain name' }] : [],
  )
  if (faults[0]) throw new Failure('invalid_request', `${faults[0].path}: ${faults[0].message}`, { details: faults })
  return [...new Set(known)]
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** Names of hosts (RFC 1123), whose last label is no number. */
const domain = new RegExp(String.raw`^(?:${label}\.)+(?!\d+$)${label}$`)

/** A domain as it is compared, empty when it is none. */
export function domainOf(text: string): string {
  // What parsers of URLs would cut off or decode is no domain.
  if (/[/?#%:@\\]/.test(text)) return ''
  const ascii = domainToASCII(text.trim().toLowerCase())
  return domain.test(ascii) && isDecodable(ascii) ? ascii : ''
}

/** Whether every label in Punycode (RFC 3492) stands for one in Unicode; not every version of Node says so itself. */
function isDecodable(ascii: string): boolean {
  const unicode = domainToUnicode(ascii)
  return !/(?:^|\.)xn--/.test(unicode) && domainToASCII(unicode) === ascii
}

/** The domain of an e-mail. */
export function emailDomain(email: string): string {
  return domainOf(email.slice(email.lastIndexOf('@') + 1))
}
