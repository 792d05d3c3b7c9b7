/** Where a meta link leads. */
export interface MetaLinkPlace {
  url: string
  /** The language of the space that has it, where that is known. */
  language: string | undefined
}

/** The links in the head of a page to pages that are the same. */
export interface HeadLinks {
  canonical?: string
  alternates: { href: string; hreflang?: string }[]
}

/**
 * The links of a page to those that are the same:
 *
 * | link                                                     | what there is                                                       |
 * | -------------------------------------------------------- | ------------------------------------------------------------------- |
 * | `canonical`                                              | the URL of the page that it repeats                                 |
 * | an alternate in a space with a language                  | its URL with the language                                           |
 * | another one: a version, a page that is not of the site   | its URL                                                             |
 * | the page itself, when it and an alternate have languages | its URL with its language: search engines want all of them on each  |
 * | a further one of the same URL                            | nothing                                                             |
 */
export function headLinks({
  canonical,
  alternates,
  own,
}: {
  canonical: MetaLinkPlace | undefined
  alternates: readonly (MetaLinkPlace | undefined)[]
  own: MetaLinkPlace | undefined
}): HeadLinks {
  const others = alternates.filter(place => place !== undefined)
  const hasLanguages = others.some(({ language }) => language !== undefined)
  const all = hasLanguages && own?.language !== undefined ? [own, ...others] : others
  const isFirst = ({ url }: MetaLinkPlace, at: number) => all.findIndex(place => place.url === url) === at
  return {
    ...(canonical && { canonical: canonical.url }),
    alternates: all
      .filter(isFirst)
      .map(({ url, language }) => ({ href: url, ...(language !== undefined && { hreflang: language }) })),
  }
}
