import { meetsCondition } from '@recto/expressions'

/** The values that conditions name. */
export interface AudienceScope {
  /** Claims about the visitor. */
  claims: Record<string, unknown>
  /** The variables of the space. */
  variables: Record<string, unknown>
}

/** A page, group or link in the page tree of a space. */
export interface AudiencePage {
  id: string
  /** The page that it is below; null at the root. */
  parent: string | null
  type: 'document' | 'group' | 'link' | 'computed'
  /** Expression that decides who sees it and all below it. */
  condition?: string | undefined
  variables?: Record<string, unknown> | undefined
}

/** The target of a reference. Pages are not among it: a page is visible or not, whoever refers to it. */
export type AudienceTarget =
  { kind: 'file'; id: string } | { kind: 'reusable-content'; id: string } | { kind: 'specification'; slug: string }

/** A reference in a page, in a reusable content or in the customization of a site. */
export interface AudienceReference {
  target: AudienceTarget
  /** Expressions that decide who sees the place of the reference; all of them must hold. */
  conditions: readonly string[]
}

/** The content of a space with its references. */
export interface AudienceContent {
  /** All pages, parents before children. */
  pages: readonly AudiencePage[]
  /** Pages that conditions of other content hide: for a revision, those of main content as it is now. */
  hiddenElsewhere?: ReadonlySet<string> | undefined
  referencesOfPage(page: string): readonly AudienceReference[]
  referencesOfReusableContent(id: string): readonly AudienceReference[]
  /** References from outside of the content: of the customization of the site. */
  referencesOfSite: readonly AudienceReference[]
}

/** The visible part of the content of a space, by id. */
export interface VisibleContent {
  pages: ReadonlySet<string>
  files: ReadonlySet<string>
  reusableContents: ReadonlySet<string>
  /** The slugs of specifications. */
  specifications: ReadonlySet<string>
}

/** Whether a visitor sees a place of a page whose conditions are these. */
export function meetsAll(
  conditions: readonly string[],
  { claims, variables }: AudienceScope,
  page: Record<string, unknown> = {},
): boolean {
  const scope = { visitor: { claims }, space: { vars: variables }, page: { vars: page } }
  return conditions.every(condition => meetsCondition(condition, scope))
}

/** The pages that conditions hide from a visitor: those whose condition does not hold, those that are hidden elsewhere, and all below them. */
export function hiddenPageIds(
  pages: Iterable<AudiencePage>,
  scope: AudienceScope,
  hiddenElsewhere: ReadonlySet<string> = new Set(),
): Set<string> {
  const hidden = new Set<string>()
  for (const { id, parent, condition, variables } of pages) {
    const isBelowHidden = parent !== null && hidden.has(parent)
    const isHidden = condition !== undefined && !meetsAll([condition], scope, variables)
    if (isBelowHidden || isHidden || hiddenElsewhere.has(id)) hidden.add(id)
  }
  return hidden
}

/** The pages that a visitor sees: without those that conditions hide, and without groups in which nothing is visible. */
export function visiblePageIds(pages: readonly AudiencePage[], hidden: ReadonlySet<string>): Set<string> {
  const visible = new Set<string>()
  for (const { id, parent, type } of pages.toReversed()) {
    if (hidden.has(id) || (type === 'group' && !visible.has(id))) continue
    visible.add(id)
    if (parent !== null) visible.add(parent)
  }
  return visible
}

/**
 * Selects the content of a space that a visitor sees:
 *
 * | thing               | is visible when                                                              |
 * | ------------------- | ---------------------------------------------------------------------------- |
 * | page, link          | its condition and those of all above it hold                                 |
 * | group               | the same, and a page or link in it is visible                                |
 * | place in a text     | the text is visible, and the conditions of all `if` blocks around it hold    |
 * | file, specification | a visible place, or the customization of the site, refers to it              |
 * | reusable content    | a visible place includes it                                                  |
 */
export function audienceContent(content: AudienceContent, scope: AudienceScope): VisibleContent {
  const pages = visiblePageIds(content.pages, hiddenPageIds(content.pages, scope, content.hiddenElsewhere))
  const reachable = {
    files: new Set<string>(),
    'reusable-content': new Set<string>(),
    specifications: new Set<string>(),
  }
  const follow = (references: readonly AudienceReference[], page?: Record<string, unknown>): void => {
    for (const { target, conditions } of references) {
      if (!meetsAll(conditions, scope, page)) continue
      if (target.kind === 'file') reachable.files.add(target.id)
      else if (target.kind === 'specification') reachable.specifications.add(target.slug)
      else if (!reachable['reusable-content'].has(target.id)) {
        reachable['reusable-content'].add(target.id)
        follow(content.referencesOfReusableContent(target.id))
      }
    }
  }
  for (const { id, variables } of content.pages) if (pages.has(id)) follow(content.referencesOfPage(id), variables)
  follow(content.referencesOfSite)
  const { files, specifications, 'reusable-content': reusableContents } = reachable
  return { pages, files, specifications, reusableContents }
}
