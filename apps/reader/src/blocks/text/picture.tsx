import type { Context } from '../model/context.ts'
import { fieldsOf } from '../model/read.ts'
import { resolve, type Resolved } from '../model/references.ts'

/** How an image is shown. */
export interface PictureProps {
  image: unknown
  dark?: unknown
  alt: string
  /** In pixels, or a part of the room there is. */
  width?: { value: number; unit: 'px' | '%' } | undefined
  height?: { value: number; unit: 'px' | '%' } | undefined
  class?: string
  objectFit?: unknown
  context: Context
}

/** An image, of which the dark variant takes the place in the dark; the words for it where it is missing. */
export function Picture({ image, dark, context, ...look }: PictureProps) {
  const light = resolve(image, context.input)
  const variant = dark === undefined ? undefined : resolve(dark, context.input)
  if (!light?.href) return look.alt === '' ? null : <span class="missing-image">{look.alt}</span>
  if (!variant?.href) return <img {...attributesOf(light, look)} />
  return (
    <>
      <img {...attributesOf(light, look, 'only-light')} />
      <img {...attributesOf(variant, look, 'only-dark')} />
    </>
  )
}

type Look = Omit<PictureProps, 'image' | 'dark' | 'context'>

function attributesOf({ href, file, isExternal }: Resolved, look: Look, variant?: string) {
  const fit = ['contain', 'fill', 'cover'].find(fitName => fitName === look.objectFit)
  return {
    src: href,
    alt: look.alt,
    ...sizeOf(file?.dimensions, look),
    class: [look.class, variant, fit && `fit-${fit}`].filter(Boolean).join(' ') || undefined,
    loading: 'lazy' as const,
    decoding: 'async' as const,
    ...(isExternal && { referrerpolicy: 'no-referrer' as const }),
  }
}

/** Width and height in pixels keep room for the image before it is there. */
function sizeOf(dimensions: unknown, { width, height }: Look) {
  const { width: wide, height: high } = fieldsOf(dimensions)
  const isKnown = isLength(wide) && isLength(high)
  const style = [
    width?.unit === '%' && `inline-size:${width.value}%`,
    width && !isKnown && width.unit === 'px' && `inline-size:${width.value}px`,
    height?.unit === 'px' && !width && `block-size:${height.value}px;inline-size:auto`,
  ].filter(Boolean)
  const scale = isKnown && width?.unit === 'px' ? width.value / wide : 1
  return {
    ...(isKnown && { width: Math.round(wide * scale), height: Math.round(high * scale) }),
    ...(style.length > 0 && { style: style.join(';') }),
  }
}

function isLength(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 100_000
}
