import type { DocumentBlock } from '@recto/markdown/schema'
import type { ComponentChildren } from 'preact'
import { LinkCard } from '../nodes/references.tsx'
import { inside, uniqueId, type Context } from '../model/context.ts'
import { plainText } from '../model/plain-text.ts'
import { fragmentOf, textField, textsOf } from '../model/read.ts'
import { resolve } from '../model/references.ts'

/** Writes the name of an operation whose specification was not read, the link to its file, and the page's own text for it. */
export function missingSpecification(block: DocumentBlock, context: Context): ComponentChildren {
  const method = textField(block, 'method')
  const name = textField(block, 'path') ?? textField(block, 'name') ?? textsOf(block.data?.['schemas']).join(', ')
  const target = resolve(block.data?.['ref'], context.input)
  const isLinked = block.type === 'swagger' && target?.href !== undefined
  return (
    <div class="openapi" id={uniqueId(block.meta?.id, context)}>
      <p class="openapi-line">
        {method && <span class="method">{method.toUpperCase().slice(0, 20)}</span>} <code>{name}</code>
      </p>
      {!isLinked && <p class="openapi-missing">{context.t('openapi.missing')}</p>}
      {target?.href && (
        <LinkCard target={target} context={context} title={target.file?.name ?? target.title} icon="file-code" />
      )}
      {!(isLinked && isLinkAlone(block)) &&
        context.blocks(fragmentOf(block, 'body'), inside(context, { isOutlined: false }))}
    </div>
  )
}

/** Whether the text of a block is only the link to its own file that the format writes for whoever does not know the block. */
function isLinkAlone(block: DocumentBlock): boolean {
  const [paragraph, ...others] = fragmentOf(block, 'body')
  const inlines = (paragraph?.nodes ?? []).filter(node => node.object !== 'text' || plainText([node]) !== '')
  const link = inlines[0]
  if (others.length > 0 || inlines.length !== 1 || link?.object !== 'inline' || link.type !== 'link') return false
  return JSON.stringify(link.data?.['ref']) === JSON.stringify(block.data?.['ref'])
}
