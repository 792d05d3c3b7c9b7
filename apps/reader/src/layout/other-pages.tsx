import type { SearchResult } from '../api/types.ts'
import { siteSpacesOf } from '../addresses/site-links.rules.ts'
import { siteSpaceOf } from '../loaders/open-site.ts'
import { renderDocument } from './document.tsx'
import { QuestionForm } from './question-form.tsx'
import { answersQuestions, type FrameView } from './view.ts'

/** Renders what shows in place of a page that is not there, with a search for it. */
export function renderMissing(view: FrameView): string {
  const { site, t } = view
  const words = site.path
    .replaceAll(/[/_-]+/g, ' ')
    .trim()
    .slice(0, 200)
  return renderDocument(view, {
    head: { title: t('notFound'), isIndexed: false },
    main: (
      <article class="article">
        <h1>{t('notFound')}</h1>
        <p>{t('notFoundText')}</p>
        <search>
          <form class="search-form" action={`${site.links.own}search`} method="get">
            <input type="search" name="q" value={words} aria-label={t('search')} maxLength={512} />
            <button type="submit">{t('searchForIt')}</button>
          </form>
        </search>
        <p>
          <a href={site.links.space}>{t('goHome')}</a>
        </p>
      </article>
    ),
  })
}

/** A section of a page, or a page, that a search found. */
export interface Hit {
  href: string
  title: string
  /** The title of the space, where the site has several. */
  place?: string
  sections: { href: string; title: string; text: string }[]
}

/** The hits of a search as they show: in the order of the API, with addresses of the reader. */
export function hitsOf(result: SearchResult, { site, localized }: Pick<FrameView, 'site' | 'localized'>): Hit[] {
  const hasSeveral = siteSpacesOf(site.published).length > 1
  return result.items.flatMap(space => {
    const siteSpace = siteSpaceOf(space.id, site)
    if (!siteSpace) return []
    const base = siteSpace.id === site.siteSpace.id ? site.links.space : site.links.below(siteSpace)
    const hrefOf = (path: string) => `${base}${path.replace(/^\//, '')}`
    return space.pages.map(page => ({
      href: hrefOf(page.path),
      title: page.title,
      ...(hasSeveral && { place: localized(siteSpace.title, siteSpace.localizedTitle) }),
      sections: page.sections.map(({ path, title, body }) => ({ href: hrefOf(path), title, text: body })),
    }))
  })
}

/** Renders the page of a search, for visitors without scripts and for its link. */
export function renderSearch(view: FrameView, { query, hits }: { query: string; hits: readonly Hit[] }): string {
  const { site, t } = view
  const summary = hits.length === 0 ? t('searchNothing', { query }) : t('searchResults', { count: hits.length })
  return renderDocument(view, {
    head: { title: t('search'), isIndexed: false },
    main: (
      <article class="article">
        <h1>{t('search')}</h1>
        <search>
          <form class="search-form" action={`${site.links.own}search`} method="get">
            <input type="search" name="q" value={query} aria-label={t('search')} maxLength={512} />
            <button type="submit">{t('search')}</button>
          </form>
        </search>
        {query !== '' && answersQuestions(view) && (
          <QuestionForm view={view} question={query} text={t('askThis', { question: query })} />
        )}
        {query !== '' && <p role="status">{summary}</p>}
        <Hits hits={hits} />
      </article>
    ),
  })
}

/** The pages that a search found, or that an answer is from, with their sections. */
export function Hits({ hits }: { hits: readonly Hit[] }) {
  return (
    <ul class="hits">
      {hits.map(hit => (
        <li>
          <a href={hit.href}>
            <strong>{hit.title}</strong>
            {hit.place !== undefined && <small>{hit.place}</small>}
          </a>
          {hit.sections.length > 0 && (
            <ul>
              {hit.sections.map(section => (
                <li>
                  <a href={section.href}>
                    {section.title !== hit.title && <span>{section.title}</span>}
                    {section.text !== '' && <small>{section.text}</small>}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}
