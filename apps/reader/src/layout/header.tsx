import { emojiText } from '../blocks/index.ts'
import type { Customization } from '../api/types.ts'
import { Icon, safeUrl } from '../blocks/index.ts'
import { customLink } from './links.rules.ts'
import type { TreePage } from '../loaders/page-tree.rules.ts'
import { Sections } from './sections.tsx'
import { SocialAccounts } from './social.tsx'
import { Variants } from './variants.tsx'
import { answersQuestions, type FrameView } from './view.ts'

/** Stands for a question in texts of scripts. */
const questionMark = '{question}'

/** Says that what shows is not published. */
export function PreviewNotice({ view: { site, t } }: { view: FrameView }) {
  const { changeRequest, revision, pullRequest } = site.lookup
  if (changeRequest === undefined && revision === undefined && !site.isPreview) return null
  const text =
    changeRequest !== undefined
      ? 'previewOfChangeRequest'
      : pullRequest !== undefined
        ? 'previewOfPullRequest'
        : revision !== undefined
          ? 'previewOfRevision'
          : 'previewOfSite'
  return (
    <aside class="notice notice-warning" aria-label={t('preview')}>
      <p>
        {t(text)}
        {text !== 'previewOfSite' && (
          <>
            {' '}
            <a href={`${site.links.own}changes`}>{t('changes.show')}</a>
          </>
        )}
      </p>
    </aside>
  )
}

/** The announcement of the site, above every page. */
export function Announcement({ view: { customization, site, t, localized } }: { view: FrameView }) {
  const { announcement } = customization
  if (!announcement?.enabled) return null
  const { link } = announcement
  return (
    <aside class={`notice notice-${announcement.style}`} aria-label={t('announcement')}>
      <p>
        {localized(announcement.message, announcement.localizedMessage)}{' '}
        {link && <CustomLink link={customLink(link.to, site)} title={localized(link.title, link.localizedTitle)} />}
      </p>
    </aside>
  )
}

/** Logo, search, links and sections of the site. */
export function Header({ view, current }: { view: FrameView; current: TreePage | undefined }) {
  const { customization, site, t, title } = view
  return (
    <header class="header">
      <div class="header-bar">
        <button type="button" class="icon-button menu-button" popovertarget="recto-navigation" aria-label={t('menu')}>
          <Icon name="bars" />
        </button>
        <a class="logo" href={logoHref(view)}>
          <Logo logo={customization.header.logo} title={title} icon={emojiOf(view)} />
        </a>
        <Variants view={view} current={current} />
        <search class="search">
          <form action={`${site.links.own}search`} method="get">
            <Icon name="magnifying-glass" />
            <input
              type="search"
              name="q"
              placeholder={t('searchPlaceholder')}
              aria-label={t('search')}
              autocomplete="off"
              maxLength={512}
              data-search
              data-failed={t('searchFailed')}
            />
            <kbd aria-hidden="true">/</kbd>
          </form>
          {answersQuestions(view) && (
            <a class="ask-link" href={`${site.links.own}ask`} rel="nofollow" data-ask-offer={askOffer(view)}>
              {t('ask')}
            </a>
          )}
        </search>
        <HeaderLinks view={view} />
        <SocialAccounts accounts={customization.socialAccounts} place="header" />
        {customization.themes.toggeable && (
          <button
            type="button"
            class="icon-button theme-button"
            aria-pressed="false"
            aria-label={t('theme')}
            data-theme-switch
          >
            <Icon name="moon" />
            <Icon name="sun" />
          </button>
        )}
      </div>
      <Sections view={view} />
    </header>
  )
}

/** The text of a link that asks what somebody types into the search: a script puts it in the place of the mark. */
function askOffer({ t }: FrameView): string {
  return t('askThis', { question: questionMark })
}

/** Where the logo leads: where the site says, else to its root. */
function logoHref({ customization: { header }, site }: FrameView): string {
  const link = customLink(header.primaryLink ?? null, site)
  return safeUrl(link?.href) ?? site.links.root
}

/** The emoji that stands for a site, if it has one. */
export function emojiOf({ site, customization }: Pick<FrameView, 'site' | 'customization'>): string | undefined {
  if ('emoji' in customization.favicon) return emojiText(customization.favicon.emoji)
  const { icon } = site.published.site
  return icon && 'emoji' in icon ? emojiText(icon.emoji) : undefined
}

function Logo({
  logo,
  title,
  icon,
}: {
  logo: Customization['header']['logo']
  title: string
  icon: string | undefined
}) {
  if (!logo)
    return (
      <span class="logo-text">
        {icon !== undefined && <span aria-hidden="true">{icon} </span>}
        {title}
      </span>
    )
  return (
    <>
      <img class="light-only" src={logo.light} alt={title} />
      <img class="dark-only" src={logo.dark} alt={title} />
    </>
  )
}

function HeaderLinks({ view: { customization, site, t, localized } }: { view: FrameView }) {
  const items = customization.header.links
  if (items.length === 0) return null
  return (
    <nav class="header-links" aria-label={t('links')}>
      <ul>
        {items.map(item => {
          const link = customLink(item.to, site)
          if (item.links.length > 0)
            return (
              <li>
                <details class="menu" data-menu>
                  <summary>
                    {localized(item.title, item.localizedTitle)} <Icon name="chevron-down" />
                  </summary>
                  <ul>
                    {item.links.map(below => (
                      <li>
                        <CustomLink
                          link={customLink(below.to, site)}
                          title={localized(below.title, below.localizedTitle)}
                        />
                      </li>
                    ))}
                  </ul>
                </details>
              </li>
            )
          return (
            <li>
              <CustomLink
                link={link}
                title={localized(item.title, item.localizedTitle)}
                class={item.style === undefined ? undefined : `as-${item.style}`}
              />
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** A link of the customization; its title alone where it leads nowhere. */
export function CustomLink(props: {
  link: { href: string; isExternal: boolean } | undefined
  title: string
  class?: string | undefined
}) {
  const href = props.link && safeUrl(props.link.href)
  if (href === undefined) return <span class={props.class}>{props.title}</span>
  return (
    <a class={props.class} href={href} rel={props.link?.isExternal ? 'noopener noreferrer' : undefined}>
      {props.title}
    </a>
  )
}
