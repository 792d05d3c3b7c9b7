import type { DocumentBlock } from '@recto/markdown/schema'
import { Icon } from '../icons/icon.tsx'
import { inside, spendText, type Context } from '../model/context.ts'
import { emojiText, plainText } from '../model/plain-text.ts'
import { fieldsOf } from '../model/read.ts'
import { linkAttributes, resolve, type Resolved } from '../model/references.ts'
import { safeUrl } from '../model/safe-url.ts'
import { Caption } from './images.tsx'
import type { WriteBlock } from './simple.tsx'
import { sizeText } from './size-text.ts'

interface CardProps {
  target: Resolved | undefined
  title: string
  detail?: string | undefined
  icon: string
  download?: string | undefined
  context: Context
}

/** A box that leads somewhere: what it is, its title and a line below it. */
export function LinkCard({ target, title, detail, icon, download, context }: CardProps) {
  const content = (
    <>
      <span class="link-card-icon">
        {target?.emoji ? <span class="emoji">{emojiText(target.emoji)}</span> : <Icon name={target?.icon ?? icon} />}
      </span>
      <span class="link-card-text">
        <span class="link-card-title" dir="auto">
          {spendText(context, title)}
        </span>{' '}
        {detail && (
          <span class="link-card-detail" dir="auto">
            {spendText(context, detail)}
          </span>
        )}
      </span>
      {target?.href && (
        <span class="link-card-arrow">
          <Icon
            name={
              download === undefined ? (target.isExternal ? 'arrow-up-right-from-square' : 'arrow-right') : 'download'
            }
          />
        </span>
      )}
    </>
  )
  if (!target?.href) return <div class="link-card">{content}</div>
  return (
    <a class="link-card" {...linkAttributes(target, context.input)} download={download}>
      {content}
    </a>
  )
}

/** A file to download. */
export const file: WriteBlock = (block, context) => {
  const target = resolve(block.data?.['ref'], context.input)
  const { name, size, contentType } = target?.file ?? {}
  const title = name ?? (target?.title || context.t('blocks.file'))
  const sizeLabel = size === undefined ? undefined : sizeText(size, context.input.locale)
  const detail = [sizeLabel, contentType].filter(Boolean).join(' · ')
  return (
    <figure class="file">
      <LinkCard target={target} title={title} detail={detail} context={context} icon="file" download={name ?? ''} />
      <Caption block={block} context={context} />
    </figure>
  )
}

/** A page, or what else a reference leads to. */
export const contentReference: WriteBlock = (block, context) => {
  const target = resolve(block.data?.['ref'], context.input)
  const label = ownWords(block)
  const isFileName = /^\S+\.mdx?$/i.test(label)
  const title = (isFileName ? undefined : label) || target?.title || label
  if (title === '') return null
  const detail = target?.description ?? (target && target.title !== title ? target.title : undefined)
  return <LinkCard target={target} title={title} detail={detail} context={context} icon="file-lines" />
}

/** The block's own text for its target, instead of the target's title. */
function ownWords({ fragments = [] }: DocumentBlock): string {
  return plainText(fragments).replaceAll('\n', ' ').trim()
}

/** A block of an integration, which nothing here can run: its URL if it has one. */
export const integration: WriteBlock = (block, context) => {
  const { url } = fieldsOf(block.data)
  const href = safeUrl(url)
  if (href === undefined) return null
  return (
    <LinkCard target={{ href, title: href, isExternal: true }} title={href} icon="link" context={inside(context)} />
  )
}
