import { dateFormat } from '../i18n/index.ts'
import { renderDocument } from './document.tsx'
import type { FrameView } from './view.ts'

/** A page that changed, as a list of changes shows it. */
export interface ListedChange {
  href: string
  title: string
  description: string | undefined
  /** The title of its section, where the list has several. */
  place: string | undefined
}

/** Renders the pages that changed last, by their days (ISO 8601 dates), with the feed of the same. */
export function renderChanges(
  view: FrameView,
  { days, feed }: { days: ReadonlyMap<string, readonly ListedChange[]>; feed: string },
): string {
  const { t, language } = view
  const format = dateFormat(language)
  return renderDocument(view, {
    head: {
      title: t('recentChanges'),
      isIndexed: false,
      alternates: [{ type: 'application/rss+xml', href: feed, title: t('recentChanges') }],
    },
    main: (
      <article class="article">
        <h1>{t('recentChanges')}</h1>
        {[...days].map(([day, changes]) => (
          <section>
            <h2>
              <time dateTime={day}>{format.format(new Date(day))}</time>
            </h2>
            <ul class="hits">
              {changes.map(({ href, title, description, place }) => (
                <li>
                  <a href={href}>
                    <strong>{title}</strong>
                    {place !== undefined && <small>{place}</small>}
                    {description !== undefined && <small>{description}</small>}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <p>
          <a href={feed}>RSS</a>
        </p>
      </article>
    ),
  })
}
