import type { DocumentBlock } from '@recto/markdown/schema'
import { inside, type Context } from '../model/context.ts'
import { blocksIn, fragmentOf, isSet, lengthOf, textField } from '../model/read.ts'
import { Picture } from '../text/picture.tsx'
import type { WriteBlock } from './simple.tsx'

/** Images side by side. */
export const images: WriteBlock = (block, context) => (
  <div
    class="images"
    data-align={textField(block, 'align') ?? 'center'}
    data-frame={isSet(block, 'withFrame') || undefined}
    data-full-width={isSet(block, 'fullWidth') || undefined}
  >
    {blocksIn(block).map(item => image(item, inside(context)))}
  </div>
)

/** An image with its caption. */
export const image: WriteBlock = (block, context) => {
  const { ref, refDark, width, height } = block.data ?? {}
  return (
    <figure class="image">
      <Picture
        image={ref}
        dark={refDark}
        alt={textField(block, 'alt') ?? ''}
        width={lengthOf(width)}
        height={lengthOf(height)}
        context={context}
      />
      <Caption block={block} context={context} />
    </figure>
  )
}

/** Writes a drawing as an image. */
export const drawing: WriteBlock = (block, context) => {
  const alt = textField(block, 'alt') ?? context.t('blocks.drawing')
  return (
    <figure class="image drawing">
      <Picture image={block.data?.['ref']} alt={alt} context={context} />
      <Caption block={block} context={context} />
    </figure>
  )
}

/** The caption of a block, if it has one. */
export function Caption({ block, context }: { block: DocumentBlock; context: Context }) {
  const caption = fragmentOf(block, 'caption')
  if (caption.length === 0) return null
  return <figcaption dir="auto">{context.blocks(caption, inside(context, { isOutlined: false }))}</figcaption>
}
