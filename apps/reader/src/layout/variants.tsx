import { Icon } from '../blocks/index.ts'
import type { TreePage } from '../loaders/page-tree.rules.ts'
import { outdatedBy, samePageHref, variantsOf } from './variants.rules.ts'
import type { FrameView } from './view.ts'

interface Props {
  view: FrameView
  current: TreePage | undefined
}

/** A menu of the variants of the content, such as versions or languages, where there are several. */
export function Variants({ view: { site, t, localized }, current }: Props) {
  const { siteSpace } = site
  const title = localized(siteSpace.title, siteSpace.localizedTitle)
  const variants = variantsOf(site)
  if (variants.length < 2) return null
  return (
    <details class="menu variants" data-menu>
      <summary aria-label={`${t('variants')}: ${title}`}>
        {title} <Icon name="chevron-down" />
      </summary>
      <ul>
        {variants.map(variant => (
          <li>
            <a
              href={samePageHref(variant, { site, current })}
              aria-current={variant.id === siteSpace.id ? 'true' : undefined}
              hreflang={variant.space.language}
              rel="nofollow"
            >
              {localized(variant.title, variant.localizedTitle)}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Says that another variant in the same language is the one that opens first: what is read may be out of date. */
export function VariantNotice({ view: { site, t, localized }, current }: Props) {
  const { siteSpace } = site
  const variant = outdatedBy(site)
  if (!variant) return null
  return (
    <aside class="notice" aria-label={t('variants')}>
      <p>
        {t('otherVariant', { title: localized(siteSpace.title, siteSpace.localizedTitle) })}{' '}
        <a href={samePageHref(variant, { site, current })} rel="nofollow">
          {t('goToVariant', { title: localized(variant.title, variant.localizedTitle) })}
        </a>
      </p>
    </aside>
  )
}
