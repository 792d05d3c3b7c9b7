import type { BaseContext } from '../shared/context.ts'
import { oidcLogins } from '../oidc/logins.ts'
import * as organizations from '../organizations/organizations.repository.ts'
import { isActive, serviceUrls } from '../saml/provider.rules.ts'
import * as samlProviders from '../saml/providers.repository.ts'
import type { ShownLogin } from './pages/pages.ts'

const maxOrganizations = 10

/**
 * The sign-ins for an e-mail, by its domain, or for the id of an organization. Whether anybody has the e-mail is not looked at, so that
 * nobody learns it.
 */
export async function findLogins(context: BaseContext, text: string, interaction: string): Promise<ShownLogin[]> {
  const { db, publicUrl } = context
  const logins = await Promise.all(
    (await organizationsFor(context, text)).map(async organization => {
      const saml = (await samlProviders.listConfigured(db, organization))
        .filter(isActive)
        .map(row => ({ label: row.label, startURL: serviceUrls(row, publicUrl).startURL }))
      return [...saml, ...(await oidcLogins(db, organization, publicUrl))]
    }),
  )
  return logins.flat().map(({ label, startURL }) => ({ label, url: `${startURL}?interaction=${interaction}` }))
}

async function organizationsFor({ db }: BaseContext, text: string): Promise<string[]> {
  if (text.includes('\0')) return []
  const at = text.lastIndexOf('@')
  if (at < 0) return [text]
  const domain = text.slice(at + 1).toLowerCase()
  return (await organizations.listByDomain(db, domain)).slice(0, maxOrganizations).map(({ id }) => id)
}
