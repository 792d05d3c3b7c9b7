import { z } from 'zod'
import { anyone, deleters, empty, endpoints, Id, onResource, text, Timestamp, Url } from '@recto/contracts-shared'

const OrganizationPointer = z.object({ type: z.literal('organization'), organization: Id })
const SitePointer = z.object({ type: z.literal('site'), site: Id })

const HostnameProof = z
  .object({
    type: z.literal('TXT'),
    name: z.string().describe('Name of the record'),
    value: z.string().describe('What the record has to say'),
    state: z
      .enum(['pending', 'proven', 'trusted'])
      .describe('`trusted`: set while no proof was asked for; it is not checked'),
    reason: z
      .enum(['missing', 'different', 'unreachable', 'taken'])
      .optional()
      .describe(
        'There is no record, or that of somebody else; the DNS does not answer; another organization has proven it',
      ),
    message: z.string().optional().describe('The reason as a sentence'),
    checkedAt: Timestamp.optional(),
  })
  .meta({ id: 'HostnameProof', description: 'The DNS record that proves that a hostname is yours' })

const CustomHostname = z
  .object({
    object: z.literal('custom-hostname'),
    hostname: z.string(),
    target: z.union([OrganizationPointer, SitePointer]).describe('The site; never an organization'),
    isActive: z.boolean().describe('Whether the site is shown there'),
    status: z
      .enum(['dns_passed', 'internal_error'])
      .optional()
      .describe('Of the words of the compatible API those that fit; `proof` says what is missing'),
    proof: HostnameProof,
    urls: z.object({ location: Url }),
  })
  .meta({ id: 'CustomHostname', description: 'A hostname of a site' })

const Subdomain = z
  .object({
    object: z.literal('subdomain'),
    subdomain: z.string(),
    target: OrganizationPointer,
    isActive: z.boolean().describe('Whether a published site is there'),
  })
  .meta({ id: 'Subdomain', description: 'The part of a hostname that the installation gives to a site' })

const claim = z.object({
  organization: Id.optional().describe('Organization that claims it, where the caller belongs to several that do'),
})
const ofOrganization = [{}, { query: { organization: '{organizationId}' } }]

/** Operations on hostnames of sites, and what certificate issuers ask. */
export const hostnames = endpoints({
  getCustomHostname: {
    route: 'GET /custom-hostnames/{hostname}',
    summary: 'Get a hostname of a site, with the DNS record that proves it',
    description:
      'With `HOSTNAME_PROOF=dns`, `proof` names the record to create, whether it was there, and what was wrong. A hostname of no site that you see is 404.',
    query: claim,
    reply: CustomHostname,
    errors: ['not_found'],
    scope: 'site:read',
    access: { ...onResource('read'), limited: 'checked' },
    examples: ofOrganization,
  },
  removeCustomHostname: {
    route: 'DELETE /custom-hostnames/{hostname}',
    summary: 'Remove a hostname from its site, which is not shown there any more',
    description: 'The site stays at its other addresses. A hostname of no site that you see is left as it is.',
    query: claim,
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['site.hostname.updated'],
    scope: 'site:publish',
    access: { ...deleters, limited: 'checked' },
    examples: ofOrganization,
  },
  dnsRevalidateCustomHostname: {
    route: 'PATCH /custom-hostnames/{hostname}',
    summary: 'Ask for a look at the DNS record of a hostname',
    description: 'It is looked at within a second or so: read the hostname until `checkedAt` is later.',
    query: claim,
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: { nothing: 'It asks for a check, which records what it changes' },
    scope: 'site:publish',
    access: { ...onResource('create'), limited: 'checked' },
    examples: ofOrganization,
  },
  getSubdomain: {
    route: 'GET /subdomains/{subdomain}',
    summary: 'Get the organization whose site has a basename',
    description:
      'A basename of a site that you do not see is 404, whether there is one or not. `isActive` says that the site is published.',
    reply: Subdomain,
    errors: ['not_found'],
    scope: 'site:read',
    access: { ...onResource('read'), limited: 'checked' },
  },
  askForCertificate: {
    route: 'GET /certificates/ask',
    summary: 'Ask whether a certificate may be issued for a host: 200 if a published site is there, 404 otherwise',
    description: 'Made for `on_demand_tls` of Caddy.',
    query: z.object({ domain: text({ min: 1, max: 512 }).describe('The host to issue for') }),
    reply: z.object({ domain: z.string().describe('The host to issue for') }),
    errors: ['not_found'],
    access: anyone,
    examples: [{ query: { domain: 'nobody.docs.localhost' }, answers: 404 }],
    limits: { rate: 'visitor' },
  },
})
