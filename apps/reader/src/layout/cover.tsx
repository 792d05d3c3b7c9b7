import type { DocumentPage, File } from '../api/types.ts'
import { safeUrl } from '../blocks/index.ts'
import { fileHref } from '../loaders/targets.ts'
import type { PageView } from './view.ts'

/** The classes of an article whose title stands on its cover, with the colours that the title has there. */
export function coverClasses({ cover, layout }: DocumentPage): string {
  if (!layout.cover || cover?.textColor === undefined) return ''
  return ` title-on-cover cover-text-${cover.textColor} cover-text-dark-${cover.textColorDark ?? cover.textColor}`
}

/** The cover of a page. */
export function Cover({ view: { treePage, site } }: { view: PageView }) {
  const { cover, layout } = treePage.page
  if (!cover) return null
  const pictureOf = (ref: typeof cover.ref) => {
    if (ref?.kind === 'url') return { src: safeUrl(ref.url), file: undefined }
    const file = ref?.kind === 'file' ? site.tree.fileById.get(ref.file) : undefined
    return { src: file && fileHref(file, site), file }
  }
  const light = pictureOf(cover.ref)
  const dark = pictureOf(cover.refDark)
  if (light.src === undefined) return null
  const look = {
    objectPosition: `center ${Math.round(50 + cover.yPos / 8)}%`,
    ...(cover.height !== undefined && { blockSize: `${cover.height}px` }),
  }
  const image = (src: string, only: string | undefined, file: File | undefined) => (
    <img class={only} src={src} alt="" style={look} {...file?.dimensions} />
  )
  return (
    <div class={`cover cover-${layout.coverSize}${layout.coverMask === 'radial' ? ' cover-mask-radial' : ''}`}>
      {image(light.src, dark.src === undefined ? undefined : 'light-only', light.file)}
      {dark.src !== undefined && image(dark.src, 'dark-only', dark.file)}
    </div>
  )
}
