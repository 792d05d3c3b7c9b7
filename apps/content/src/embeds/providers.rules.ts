import { embedFrameOf } from '@recto/markdown'

/** The HTML of a provider's frame. */
export interface FrameHtml {
  provider: string
  html: string
}

/** Writes the frame for a URL of a known provider; undefined for every other URL. */
export function embedFrame(url: string): FrameHtml | undefined {
  const frame = embedFrameOf(url)
  if (!frame) return undefined
  const { provider, source, height } = frame
  const attributes = {
    src: source.replaceAll('&', '&amp;'),
    title: provider,
    width: '100%',
    height: String(height),
    style: 'border:0',
    sandbox: 'allow-scripts allow-same-origin allow-popups allow-presentation',
    allow: 'fullscreen; encrypted-media; picture-in-picture',
    referrerpolicy: 'strict-origin-when-cross-origin',
    loading: 'lazy',
  }
  const attributesText = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`)
  return { provider, html: `<iframe ${attributesText.join(' ')}></iframe>` }
}
