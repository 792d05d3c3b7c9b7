import { imageSize } from 'image-size'

/** Width and height of an image in pixels, or undefined for what is none, or says nothing of its size. */
export function imageDimensions(bytes: Uint8Array, contentType: string): { width: number; height: number } | undefined {
  if (!contentType.startsWith('image/')) return undefined
  try {
    const { width, height } = imageSize(bytes)
    return width > 0 && height > 0 ? { width, height } : undefined
  } catch {
    return undefined
  }
}
