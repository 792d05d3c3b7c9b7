import type { Embed } from '@recto/contracts-content'
import type { PagePreview } from '@recto/convert'
import type { z } from 'zod'
import { embedFrame } from './providers.rules.ts'

/** Presents the preview of a page: with a frame when its provider is known; the host stands for a missing title or site. */
export function presentEmbed(url: string, { title, site, icon }: PagePreview): z.input<typeof Embed> {
  const { host } = new URL(url)
  const frame = embedFrame(url)
  const fields = {
    title: title ?? host,
    site: site ?? frame?.provider ?? host,
    ...(icon !== undefined && { icon }),
  }
  return frame ? { type: 'rich', ...fields, html: frame.html } : { type: 'link', ...fields }
}
