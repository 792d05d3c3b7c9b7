import { followRedirects, type PathEnd } from '@recto/repository-content'
import { type ContentLookup, contentLookup } from '../pages/content-lookup.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { RepositoryConfiguration } from '../revisions/revision.entity.ts'

const noFiles = { inOrder: [], get: () => undefined }

/** The content of a space that a path is followed in. */
export interface ContentToFollow {
  spaceId: string
  pages: PageIndex
  configuration: RepositoryConfiguration | null
}

/** Follows a path of a space through the redirects of its repository, as `followRedirects` does. */
export function followPath(path: string, { spaceId, pages, configuration }: ContentToFollow): PathEnd<PageRecord> {
  const { root = '', redirects } = configuration ?? {}
  let content: ContentLookup | undefined
  const lookup = () =>
    (content ??= contentLookup({ pages, files: noFiles, reusable: [], root }, { spaceId, publicUrl: '' }))
  const pageAt = (at: string) => pages.byPathOfUrl(at)
  return followRedirects(path, { redirects, pageAt, page: id => lookup().page(id), lookup })
}
