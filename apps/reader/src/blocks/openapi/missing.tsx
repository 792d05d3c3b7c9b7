import type { DocumentBlock } from '@recto/markdown/schema'
import type { ComponentChildren } from 'preact'
import { LinkCard } from '../nodes/references.tsx'
import { inside, uniqueId, type Context } from '../model/context.ts'
import { fragmentOf, textField, textsOf } from '../model/read.ts'
import { resolve } from '../model/references.ts'

/** Writes the name of a specification that is not there, and the page's own text for it. */
export function missingSpecification(block: DocumentBlock, context: Context): ComponentChildren {
  const method = textField(block, 'method')
  const name = textField(block, 'path') ?? textField(block, 'name') ?? textsOf(block.data?.['schemas']).join(', ')
  const target = resolve(block.data?.['ref'], context.input)
  return (
    <div class="openapi" id={uniqueId(block.meta?.id, context)}>
      <p class="openapi-line">
        {method && <span class="method">{method.toUpperCase().slice(0, 20)}</span>} <code>{name}</code>
      </p>
      <p class="openapi-missing">{context.t('openapi.missing')}</p>
      {target?.href && (
        <LinkCard target={target} context={context} title={target.file?.name ?? target.title} icon="file-code" />
      )}
      {context.blocks(fragmentOf(block, 'body'), inside(context, { isOutlined: false }))}
    </div>
  )
}
