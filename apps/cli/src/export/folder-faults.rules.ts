import { defaultLimits } from '@recto/repository-content'
import { decodeUriComponent } from '@recto/text'
import type { SiteState } from '../site/folder-site.ts'

/** The message for an address of a reader that cannot be exported, for the author of its folder: it names a file, or a page below the site. */
export function folderFault({ pathname }: URL, reason: string, { spaces }: Pick<SiteState, 'spaces'>): string {
  const [, id] = /\/~recto\/files\/([^/]+)/.exec(pathname) ?? []
  const [file] = id === undefined ? [] : spaces.flatMap(({ content }) => content.file(id)?.file ?? [])
  if (!file) return `The page ${decodeUriComponent(pathname) ?? pathname} ${reason}`
  const limit = defaultLimits.maxFile
  return file.size > limit
    ? `${file.git.path} has more than ${limit / 1024 / 1024} MB, the limit of a file`
    : `${file.git.path} ${reason}`
}
