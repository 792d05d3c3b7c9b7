import type { Page } from '../api/types.ts'
import { Icon, safeUrl } from '../blocks/index.ts'
import type { TreePage } from '../loaders/page-tree.rules.ts'
import { emojiText } from '../blocks/index.ts'
import { treeLink } from './links.rules.ts'
import { navigationOf, type NavigationEntry } from './navigation.rules.ts'
import { tagsOf } from './tags.ts'
import type { FrameView } from './view.ts'

/** The tree of pages; on a phone it opens over the page. */
export function Navigation({ view, current }: { view: FrameView; current: TreePage | undefined }) {
  const { site, t } = view
  return (
    <nav id="recto-navigation" class="navigation" aria-label={t('pages')} popover="auto">
      <button type="button" class="icon-button close-button" popovertarget="recto-navigation" aria-label={t('close')}>
        <Icon name="xmark" />
      </button>
      <Entries view={view} entries={navigationOf(site.revision.pages, current)} />
    </nav>
  )
}

function Entries({ view, entries }: { view: FrameView; entries: readonly NavigationEntry[] }) {
  return (
    <ul>
      {entries.map(entry => (
        <li key={entry.page.id}>
          <Entry view={view} entry={entry} />
        </li>
      ))}
    </ul>
  )
}

function Entry({ view, entry }: { view: FrameView; entry: NavigationEntry }) {
  const { page, below, isOpen } = entry
  if (page.type === 'group')
    return (
      <>
        <h2 class="group">
          <Label page={page} />
        </h2>
        {below && <Entries view={view} entries={below} />}
      </>
    )
  const link = <EntryLink view={view} entry={entry} />
  if (!below) return link
  return (
    <>
      {link}
      <details open={isOpen}>
        <summary class="chevron" aria-label={view.t('pagesBelow', { title: page.linkTitle ?? page.title })} />
        <Entries view={view} entries={below} />
      </details>
    </>
  )
}

function EntryLink({
  view: { site, customization },
  entry: { page, isCurrent },
}: {
  view: FrameView
  entry: NavigationEntry
}) {
  if (page.type === 'link') {
    const isExternal = page.target.kind === 'url'
    const href = safeUrl(treeLink(page, site))
    if (href === undefined)
      return (
        <span>
          <Label page={page} />
        </span>
      )
    const newTab = isExternal && customization.externalLinks.target === 'blank'
    return (
      <a href={href} rel={isExternal ? 'noopener noreferrer' : undefined} target={newTab ? '_blank' : undefined}>
        <Label page={page} />
        {isExternal && <Icon name="arrow-up-right-from-square" />}
      </a>
    )
  }
  if (page.type !== 'document') return null
  return (
    <a href={site.links.ofPage(page.path)} aria-current={isCurrent ? 'page' : undefined}>
      <Label page={page} />
    </a>
  )
}

function Label({ page }: { page: Page }) {
  return (
    <>
      {page.emoji !== undefined ? <span aria-hidden="true">{emojiText(page.emoji)} </span> : <Icon name={page.icon} />}
      {page.linkTitle ?? page.title}
      {page.type === 'document' &&
        tagsOf(page).flatMap(({ tag: { tag }, primary }) => (primary ? [<small class="tag">{tag}</small>] : []))}
    </>
  )
}
