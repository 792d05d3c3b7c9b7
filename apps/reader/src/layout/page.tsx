import { publishedUrl } from '../loaders/meta-links.ts'
import { Cover, coverClasses } from './cover.tsx'
import type { DocumentPage } from '../api/types.ts'
import { Icon, type OutlineEntry } from '../blocks/index.ts'
import { excludesAgents, isPublished } from '../loaders/open-site.ts'
import { feedHref } from '../loaders/read-body.ts'
import { isListed, neighboursOf } from '../loaders/page-tree.rules.ts'
import { renderDocument, type Head } from './document.tsx'
import { markdownHref, PageMetadata } from './page-metadata.tsx'
import { colorName, EmojiOrIcon, lookOf, TagLabel } from '../blocks/index.ts'
import { tagLooks } from '../loaders/tag-looks.ts'
import { tagsOf } from './tags.ts'
import type { PageView } from './view.ts'

/** Renders a page of a site. */
export function renderPage(view: PageView): string {
  const { treePage, body, t } = view
  const { layout } = treePage.page
  const hasOutline = layout.outline && body.outline.length > 1
  return renderDocument(view, {
    head: headOf(view),
    current: treePage,
    main: <Article view={view} />,
    outline: hasOutline && (
      <aside class="outline">
        <nav aria-label={t('outline')}>
          <h2>{t('outline')}</h2>
          <Outline entries={body.outline} />
        </nav>
      </aside>
    ),
  })
}

/** Whether search engines may show a page: what is hidden, previewed or shared by a secret may not be found. */
export function isIndexed({ site }: Pick<PageView, 'site'>, page: DocumentPage): boolean {
  const treePage = site.tree.byId.get(page.id)
  const isPublic = isPublished(site) && site.published.site.visibility === 'public'
  if (!isPublic || !treePage || !isListed(treePage)) return false
  return [page, ...treePage.above].every(each => !('noRobotsIndex' in each && each.noRobotsIndex))
}

/** The published URL of a page, whichever address it was opened at. */
export function canonicalUrl({ site }: Pick<PageView, 'site'>, page: DocumentPage): string | undefined {
  return site.isPreview ? undefined : publishedUrl(site.siteSpace, page.id === site.tree.home?.page.id ? '' : page.path)
}

function headOf(view: PageView): Head {
  const { site, treePage, body, language, title, metaLinks } = view
  const { page, above } = treePage
  const canonical = canonicalUrl(view, page)
  const description = page.description || body.summary || undefined
  const list = [...above.map(({ title }) => title), page.title]
  return {
    title: page.title,
    description,
    canonical: metaLinks.canonical ?? canonical,
    isIndexed: isIndexed(view, page),
    hasMath: body.hasMath,
    changedAt: page.updatedAt,
    alternates: [
      ...metaLinks.alternates,
      ...(excludesAgents(site) ? [] : [{ type: 'text/markdown', href: markdownHref(page, site) }]),
      ...(body.updates.length > 0
        ? [{ type: 'application/rss+xml', href: feedHref(page, site), title: page.title }]
        : []),
      { type: 'application/rss+xml', href: `${site.links.space}rss.xml`, title },
    ],
    ...(canonical !== undefined && {
      data: {
        '@context': 'https://schema.org',
        '@graph': [
          {
            '@type': 'TechArticle',
            headline: page.title,
            description,
            url: canonical,
            inLanguage: language,
            ...(page.updatedAt !== undefined && { dateModified: page.updatedAt }),
            isPartOf: { '@type': 'WebSite', name: title },
          },
          {
            '@type': 'BreadcrumbList',
            itemListElement: list.map((name, at) => ({ '@type': 'ListItem', position: at + 1, name })),
          },
        ],
      },
    }),
  }
}

function Article({ view }: { view: PageView }) {
  const { treePage, body, site, t } = view
  const { page, above } = treePage
  const { layout } = page
  return (
    <article class={`article width-${layout.width}${coverClasses(page)}`} data-page={page.id}>
      {layout.cover && <Cover view={view} />}
      <header>
        {above.length > 0 && (
          <nav class="breadcrumbs" aria-label={t('breadcrumbs')}>
            <ol>
              {above.map(each => (
                <li>
                  {each.type === 'document' ? <a href={site.links.ofPage(each.path)}>{each.title}</a> : each.title}
                </li>
              ))}
            </ol>
          </nav>
        )}
        <h1 class={layout.title ? undefined : 'visually-hidden'}>
          <EmojiOrIcon emoji={page.emoji} icon={page.icon} />
          {page.title}
        </h1>
        {layout.description && page.description !== undefined && <p class="lead">{page.description}</p>}
        {layout.tags && tagsOf(page).length > 0 && (
          <ul class="tags">
            {tagsOf(page).map(({ tag: { tag } }) => {
              const look = lookOf(tag, tagLooks(site.revision))
              return (
                <li key={tag} data-color={colorName(look.color)}>
                  <TagLabel look={look} />
                </li>
              )
            })}
          </ul>
        )}
      </header>
      <div
        class={layout.anchors ? 'page-body' : 'page-body without-anchors'}
        dangerouslySetInnerHTML={{ __html: body.html }}
      />
      <footer>
        {layout.pagination && view.customization.pagination.enabled && <Pagination view={view} />}
        <Feedback view={view} />
        {layout.metadata && <PageMetadata view={view} />}
      </footer>
    </article>
  )
}

function Outline({ entries }: { entries: readonly OutlineEntry[] }) {
  const highest = Math.min(...entries.map(({ depth }) => depth))
  return (
    <ul data-outline>
      {entries.map(({ id, title, depth }) => (
        <li class={`depth-${1 + depth - highest}`}>
          <a href={`#${encodeURIComponent(id)}`}>{title}</a>
        </li>
      ))}
    </ul>
  )
}

function Pagination({ view: { site, treePage, t } }: { view: PageView }) {
  const { before, after } = neighboursOf(site.tree, treePage.page.id)
  if (!before && !after) return null
  return (
    <nav class="pagination" aria-label={t('pagination')}>
      {before && (
        <a rel="prev" href={site.links.ofPage(before.path)}>
          <Icon name="chevron-left" />
          <span>
            <small>{t('previous')}</small>
            {before.title}
          </span>
        </a>
      )}
      {after && (
        <a rel="next" href={site.links.ofPage(after.path)}>
          <span>
            <small>{t('next')}</small>
            {after.title}
          </span>
          <Icon name="chevron-right" />
        </a>
      )}
    </nav>
  )
}

function Feedback({ view: { customization, t } }: { view: PageView }) {
  if (!customization.feedback.enabled) return null
  return (
    <div class="feedback scripted-only" role="group" aria-label={t('helpful')} data-feedback={t('thanks')}>
      <span>{t('helpful')}</span>
      <button type="button" data-rating="good">
        {t('helpfulYes')}
      </button>
      <button type="button" data-rating="ok">
        {t('helpfulPartly')}
      </button>
      <button type="button" data-rating="bad">
        {t('helpfulNo')}
      </button>
    </div>
  )
}
