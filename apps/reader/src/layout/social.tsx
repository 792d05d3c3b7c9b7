import type { Customization } from '../api/types.ts'
import { Icon } from '../blocks/index.ts'
import { socialLinks } from './social.rules.ts'

/** The accounts of the site that show in the header or the footer. */
export function SocialAccounts({
  accounts,
  place,
}: {
  accounts: Customization['socialAccounts']
  place: 'header' | 'footer'
}) {
  const links = socialLinks(accounts, place)
  if (links.length === 0) return null
  return (
    <ul class="social">
      {links.map(({ href, icon, name }) => (
        <li>
          <a href={href} rel="me noopener noreferrer" aria-label={name}>
            <Icon name={icon} />
          </a>
        </li>
      ))}
    </ul>
  )
}
