import type { GitPreviewRow } from './git-preview.entity.ts'

/** The address of a preview on a published site that shows its space; undefined while there is none. */
export function addressOf({
  siteUrl,
  key,
  state,
  revision,
}: Pick<GitPreviewRow, 'siteUrl' | 'key' | 'state' | 'revision'>): string | undefined {
  if (siteUrl === null || state !== 'open' || revision === null) return undefined
  return `${siteUrl.replace(/\/*$/, '/')}~/pull-requests/${key}/`
}
