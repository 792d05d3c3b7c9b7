import type { PageLayout } from './page-settings.ts'

const usualLayout = {
  width: 'default' as const,
  cover: true,
  coverSize: 'hero' as const,
  coverMask: 'none' as const,
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
  tags: true,
  actions: true,
  anchors: true,
}

/** The whole layout of a page in the form of the API. A cover behind the title is `full`, for clients that do not know it. */
export function presentLayout({ coverSize, ...layout }: PageLayout = {}) {
  const size = coverSize && { coverSize: coverSize === 'background' ? ('full' as const) : coverSize }
  return { ...usualLayout, ...layout, ...size }
}
