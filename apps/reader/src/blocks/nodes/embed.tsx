import { embedFrameOf } from '@recto/markdown'
import { isSet, textField } from '../model/read.ts'
import { resolve } from '../model/references.ts'
import { hostOf } from '../model/safe-url.ts'
import { Icon } from '../icons/icon.tsx'
import { Caption } from './images.tsx'
import { LinkCard } from './references.tsx'
import type { WriteBlock } from './simple.tsx'

/** Writes an embed of another site: a link to it, and a button that loads a video in its place. Nothing is loaded before that. */
export const embed: WriteBlock = (block, context) => {
  const url = textField(block, 'url') ?? ''
  const { embeds } = context.input
  const preview = Object.hasOwn(embeds, url) ? embeds[url] : undefined
  const target = resolve({ kind: 'url', url }, context.input)
  const host = hostOf(url)
  const frame = embedFrameOf(url)
  const title = preview?.title ?? url
  const about = [preview?.site ?? host, preview?.description].filter(Boolean).join(' · ')
  return (
    <figure class="embed" data-full-width={isSet(block, 'fullWidth') || undefined}>
      <LinkCard
        target={target}
        title={title}
        context={context}
        detail={about === title ? undefined : about}
        icon="globe"
      />
      {frame?.isVideo && (
        <button type="button" class="load-embed" hidden data-embed={frame.source} data-embed-title={title}>
          <Icon name="circle-play" />
          {context.t('blocks.loadVideo', { host })}
        </button>
      )}
      <Caption block={block} context={context} />
    </figure>
  )
}
