/** Condition that a site shows a space; both are SQL, and a site that is null always meets it. */
export function isShownBySiteSql({ space, site }: { space: string; site: string }): string {
  return `(${site}::text is null or exists (select from site_publications published
    where published.site_id = ${site} and published.space_id = ${space}))`
}
