import { mcpPath } from '../addresses/mcp-address.rules.ts'
import { encodePath } from '../addresses/site-links.rules.ts'
import type { DocumentPage } from '../api/types.ts'
import { assistantLinks, safeUrl } from '../blocks/index.ts'
import { dateFormat } from '../i18n/index.ts'
import { publishedUrl } from '../loaders/meta-links.ts'
import { excludesAgents, isPublished, type OpenedSite } from '../loaders/open-site.ts'
import { pageActions, type ActionLink } from './page-actions.rules.ts'
import { isPublicLive } from './site-request.ts'
import type { PageView } from './view.ts'

/** Where a page is as Markdown. */
export function markdownHref({ path }: DocumentPage, { links }: OpenedSite): string {
  return `${links.space}${encodePath(path)}.md`
}

/** Whether a page leads to its Markdown. */
function offersMarkdown({ site, customization, treePage }: PageView): boolean {
  return treePage.page.layout.actions && customization.pageActions.markdown && !excludesAgents(site)
}

/** Where programs of the Model Context Protocol read the space of a page; undefined where the site does not offer that. */
function mcpHref({ site, customization, treePage }: PageView): string | undefined {
  const isOffered = treePage.page.layout.actions && customization.pageActions.mcp && !excludesAgents(site)
  return isOffered && isPublished(site) ? `${site.links.space}${mcpPath}` : undefined
}

/** Where programs of others are asked about a page: they read what everybody may read. */
function externalLinks({ site, treePage, t }: PageView): ActionLink[] {
  const url = publishedUrl(site.siteSpace, treePage.page.path)
  const isOffered = treePage.page.layout.actions && isPublicLive(site) && !excludesAgents(site)
  if (!isOffered || url === undefined) return []
  const links = assistantLinks(t('askAboutPage', { url: `${url}.md` }))
  return links.map(({ name, href }) => ({ href, text: t('openIn', { name }) }))
}

function linkTo(href: string | undefined, text: string): ActionLink[] {
  return href === undefined ? [] : [{ href, text }]
}

/** When a page changed last, and the actions that it offers. */
export function PageMetadata({ view }: { view: PageView }) {
  const { treePage, site, customization, language, t } = view
  const { page } = treePage
  const links = pageActions(customization.pageActions.items, {
    git: linkTo(editUrl(view), t('editPage')),
    markdown: offersMarkdown(view)
      ? [
          { href: markdownHref(page, site), text: t('copyPage'), isCopied: true },
          { href: markdownHref(page, site), text: t('viewMarkdown') },
        ]
      : [],
    mcp: linkTo(mcpHref(view), t('connectMcp')),
    'external-ai': externalLinks(view),
  })
  const changed = page.updatedAt
  return (
    <p class="metadata">
      {changed !== undefined && (
        <a href={`${site.links.space}~/changes`}>
          <time dateTime={changed}>{t('lastChanged', { date: dateFormat(language).format(new Date(changed)) })}</time>
        </a>
      )}
      {links.map(({ href, text, isCopied }) =>
        isCopied === true ? (
          <button type="button" hidden data-copy-page={href} data-copied={t('blocks.copied')}>
            {text}
          </button>
        ) : (
          <a href={href} rel={href.startsWith('/') ? undefined : 'nofollow noopener'}>
            {text}
          </a>
        ),
      )}
    </p>
  )
}

/** Where the file of a page is edited at its repository: known for hosts whose URLs are known. */
function editUrl({ site, treePage }: PageView): string | undefined {
  const { gitSync } = site.space
  const { git } = treePage.page
  if (gitSync?.url === undefined || git === undefined) return undefined
  return safeUrl(`${gitSync.url.replace(/\/$/, '')}/${encodePath(git.path)}`)
}
