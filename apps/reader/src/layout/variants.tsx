import type { SiteSpace } from '../api/types.ts'
import { Icon } from '../blocks/index.ts'
import type { TreePage } from '../loaders/page-tree.rules.ts'
import { outdatedBy, samePageHref, variantsOf } from './variants.rules.ts'
import type { FrameView } from './view.ts'

interface Props {
  view: FrameView
  current: TreePage | undefined
}

/** A menu of the variants of the content, such as versions or languages, where there are several. */
export function Variants({ view: { site, t }, current }: Props) {
  const { siteSpace } = site
  const variants = variantsOf(site)
  if (variants.length < 2) return null
  return (
    <details class="menu variants" data-menu>
      <summary aria-label={`${t('variants')}: ${siteSpace.title}`}>
        {siteSpace.title} <Icon name="chevron-down" />
      </summary>
      <ul>
        {variants.map(variant => (
          <li>
            <VariantLink variant={variant} site={site} current={current} />
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Says that another variant in the same language is the one that opens first: what is read may be out of date. */
export function VariantNotice({ view: { site, t }, current }: Props) {
  const variant = outdatedBy(site)
  if (!variant) return null
  return (
    <aside class="notice" aria-label={t('variants')}>
      <p>
        {t('otherVariant', { title: site.siteSpace.title })}{' '}
        <a href={samePageHref(variant, { site, current })} rel="nofollow">
          {t('goToVariant', { title: variant.title })}
        </a>
      </p>
    </aside>
  )
}

function VariantLink({
  variant,
  site,
  current,
}: { variant: SiteSpace } & Pick<FrameView, 'site'> & Pick<Props, 'current'>) {
  const isCurrent = variant.id === site.siteSpace.id
  return (
    <a
      href={samePageHref(variant, { site, current })}
      aria-current={isCurrent ? 'true' : undefined}
      hreflang={variant.space.language}
      rel="nofollow"
    >
      {variant.title}
    </a>
  )
}
