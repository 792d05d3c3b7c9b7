import type { DocumentInline } from '@recto/markdown/schema'
import type { Context } from '../model/context.ts'
import { textField } from '../model/read.ts'
import { Picture } from './picture.tsx'

/** An image within text: as high as a line, or of its own size. */
export function InlineImage({ node, context }: { node: DocumentInline; context: Context }) {
  const alt = textField(node, 'alt') ?? ''
  const caption = textField(node, 'caption')
  const size = node.data?.['size'] === 'line' ? 'line' : 'original'
  const picture = (
    <Picture
      image={node.data?.['ref']}
      dark={node.data?.['refDark']}
      alt={alt}
      class={`inline-image size-${size}`}
      context={context}
    />
  )
  if (caption === undefined) return picture
  return (
    <span class="inline-figure">
      {picture}
      <span class="caption">{caption}</span>
    </span>
  )
}
