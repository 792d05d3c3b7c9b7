import { entriesIn } from '../addresses/site-links.rules.ts'
import type { ExternalLink, Section } from '../api/types.ts'
import { Icon, safeUrl } from '../blocks/index.ts'
import type { FrameView } from './view.ts'

/** The sections of the site with the links beside them; groups are menus. */
export function Sections({ view }: { view: FrameView }) {
  const { site, t, localized } = view
  const { structure } = site.published
  if (structure.type !== 'sections' || structure.structure.flatMap(entriesIn).length < 2) return null
  return (
    <nav class="sections" aria-label={t('sections')}>
      <ul>
        {structure.structure.map(entry =>
          entry.object === 'site-section-group' ? (
            <li>
              <details class="menu" data-menu>
                <summary>
                  <Icon name={entry.icon} />
                  {localized(entry.title, entry.localizedTitle)} <Icon name="chevron-down" />
                </summary>
                <ul>
                  {entriesIn(entry).map(inner => (
                    <li>
                      <EntryLink view={view} entry={inner} describes />
                    </li>
                  ))}
                </ul>
              </details>
            </li>
          ) : (
            <li>
              <EntryLink view={view} entry={entry} />
            </li>
          ),
        )}
      </ul>
    </nav>
  )
}

interface EntryProps {
  view: FrameView
  entry: Section | ExternalLink
  /** Whether the description shows, too. */
  describes?: boolean
}

function EntryLink({ view, entry, describes = false }: EntryProps) {
  const { site, customization, localized } = view
  const label = (
    <>
      <Icon name={entry.icon} />
      <span>
        {localized(entry.title, entry.localizedTitle)}
        {describes && entry.description !== undefined && (
          <small>{localized(entry.description, entry.localizedDescription)}</small>
        )}
      </span>
    </>
  )
  if (entry.object === 'site-section') {
    const isCurrent = entry.siteSpaces.some(({ id }) => id === site.siteSpace.id)
    return (
      <a href={site.links.ofSection(entry)} aria-current={isCurrent ? 'true' : undefined}>
        {label}
      </a>
    )
  }
  const href = safeUrl(entry.url)
  if (href === undefined) return <span>{label}</span>
  const newTab = customization.externalLinks.target === 'blank'
  return (
    <a href={href} rel="noopener noreferrer" target={newTab ? '_blank' : undefined}>
      {label}
      <Icon name="arrow-up-right-from-square" />
    </a>
  )
}
