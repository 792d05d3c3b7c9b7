import type { Page } from '../api/types.ts'
import { colorName, EmojiOrIcon, Icon, lookOf, safeUrl, TagLabel } from '../blocks/index.ts'
import type { TreePage } from '../loaders/page-tree.rules.ts'
import { treeLink } from './links.rules.ts'
import { navigationOf, type NavigationEntry } from './navigation.rules.ts'
import { tagLooks } from '../loaders/tag-looks.ts'
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
          <Label page={page} view={view} />
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

function EntryLink({ view, entry: { page, isCurrent } }: { view: FrameView; entry: NavigationEntry }) {
  const { site, customization } = view
  if (page.type === 'link') {
    const isExternal = page.target.kind === 'url'
    const href = safeUrl(treeLink(page, site))
    if (href === undefined)
      return (
        <span>
          <Label page={page} view={view} />
        </span>
      )
    const newTab = isExternal && customization.externalLinks.target === 'blank'
    return (
      <a href={href} rel={isExternal ? 'noopener noreferrer' : undefined} target={newTab ? '_blank' : undefined}>
        <Label page={page} view={view} />
        {isExternal && <Icon name="arrow-up-right-from-square" />}
      </a>
    )
  }
  if (page.type !== 'document') return null
  return (
    <a href={site.links.ofPage(page.path)} aria-current={isCurrent ? 'page' : undefined}>
      <Label page={page} view={view} />
    </a>
  )
}

function Label({ page, view }: { page: Page; view: FrameView }) {
  const looks = tagLooks(view.site.revision)
  const primary = page.type === 'document' ? tagsOf(page).filter(({ primary }) => primary) : []
  return (
    <>
      <EmojiOrIcon emoji={page.emoji} icon={page.icon} />
      {page.linkTitle ?? page.title}
      {primary.map(({ tag: { tag } }) => {
        const look = lookOf(tag, looks)
        return (
          <small class="tag" data-color={colorName(look.color)}>
            <TagLabel look={look} />
          </small>
        )
      })}
    </>
  )
}
