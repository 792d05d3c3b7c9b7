import { decodeUriComponent } from '@recto/text'
import type { SiteState } from '../site/folder-site.ts'
import { filePathOf } from '../site/site-replies.ts'

/** The name of an address of a reader for the author of its folder: the path of a file, or that of a page below the site. */
export function sourceOf({ pathname }: URL, { spaces }: Pick<SiteState, 'spaces'>): string {
  const [, id] = /\/~recto\/files\/([^/]+)/.exec(pathname) ?? []
  const files = id === undefined ? [] : spaces.flatMap(space => filePathOf(space, id) ?? [])
  return files[0] ?? `The page ${decodeUriComponent(pathname) ?? pathname}`
}
