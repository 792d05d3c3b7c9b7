import type { DocumentBlock } from '@recto/markdown/schema'
import { dateFormat, localeOf } from '../../i18n/index.ts'
import { inside, uniqueId, type Context } from '../model/context.ts'
import { lookOf, type TagLook } from '../model/body.ts'
import { blocksIn, fieldsOf, textField } from '../model/read.ts'
import { shownText } from '../model/shown-text.ts'
import { colorName } from '../text/leaves.tsx'
import { TagLabel } from '../text/tag-label.tsx'
import type { WriteBlock } from './simple.tsx'

/** Updates of a page that its feed can have, and characters of the text of each. */
const maxUpdates = 500
const maxTextLength = 2_000
/** How `Intl` names the formats of dates. */
const dateStyles = { full: 'long', short: 'medium', numeric: 'short' } as const

interface UpdateTag {
  slug: string
  look: TagLook
}

/** Dated entries, each at an address of its own. The buttons that filter them by tag appear with the script that they need. */
export const updates: WriteBlock = (block, context) => {
  const format = textField(block, 'format') as keyof typeof dateStyles
  const dateStyle = Object.hasOwn(dateStyles, format) ? dateStyles[format] : 'long'
  const entries = identified(blocksIn(block), context).map(entry => ({ ...entry, tags: tagsOf(entry.update, context) }))
  const tags = new Map(entries.flatMap(entry => entry.tags).map(tag => [tag.slug, tag]))
  const { feed } = context.input
  return (
    <section class="updates" data-updates>
      <div class="updates-tools">
        {tags.size > 1 && (
          <div class="updates-filter" role="group" aria-label={context.t('blocks.filterUpdates')} hidden>
            {[...tags.values()].map(({ slug, look }) => (
              <button type="button" aria-pressed="false" data-update-filter={slug}>
                <TagLabel look={look} />
              </button>
            ))}
          </div>
        )}
        {feed !== undefined && <a href={feed}>RSS</a>}
      </div>
      {entries.map(({ update, ...look }) => entry(update, { ...look, dateStyle, context }))}
    </section>
  )
}

/** Updates with their ids in the page, given from the oldest on: a new one of the same day leaves the ids of the others as they are. */
function identified(blocks: readonly DocumentBlock[], context: Context) {
  const updates = blocks.map(update => ({ update, time: new Date(textField(update, 'date') ?? '') }))
  const times = updates.map(({ time }) => time.getTime()).filter(Number.isFinite)
  const isNewestFirst = (times[0] ?? 0) >= (times.at(-1) ?? 0)
  const withIds = (isNewestFirst ? updates.toReversed() : updates).map(({ update, time }) => ({
    update,
    time,
    id: uniqueId(
      Number.isFinite(time.getTime()) ? `update-${time.toISOString().slice(0, 10)}` : undefined,
      context,
      'update',
    ),
  }))
  return isNewestFirst ? withIds.toReversed() : withIds
}

interface EntryLook {
  id: string
  time: Date
  tags: readonly UpdateTag[]
  dateStyle: 'long' | 'medium' | 'short'
  context: Context
}

function entry(update: DocumentBlock, { id, time, tags, dateStyle, context }: EntryLook) {
  const isDated = Number.isFinite(time.getTime())
  const blocks = blocksIn(update)
  if (isDated && !context.isInUpdate) noteForFeed({ id, time, tags, blocks }, context)
  return (
    <article class="update" id={id}>
      <div class="update-head">
        {isDated && (
          <a href={`#${id}`}>
            <time dateTime={time.toISOString()}>{dateText(time, dateStyle, context)}</time>
          </a>
        )}
        {tags.length > 0 && (
          <ul class="tags">
            {tags.map(({ slug, look }) => (
              <li data-update-tag={slug} data-color={colorName(look.color)}>
                <TagLabel look={look} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <div class="update-body">
        {context.blocks(blocks, inside(context, { depth: context.depth + 2, isInUpdate: true }))}
      </div>
    </article>
  )
}

/** The tags of an update, each once. */
function tagsOf(update: DocumentBlock, { input: { tags } }: Context): UpdateTag[] {
  const list = Array.isArray(update.data?.['tags']) ? (update.data['tags'] as unknown[]) : []
  const slugs = new Set(list.map(item => fieldsOf(item)['tag']).filter(tag => typeof tag === 'string'))
  return [...slugs].map(slug => ({ slug, look: lookOf(slug, tags) }))
}

/** Keeps what the feed of the page says of an update: its first heading is its title. */
function noteForFeed(
  update: { id: string; time: Date; tags: readonly UpdateTag[]; blocks: readonly DocumentBlock[] },
  context: Context,
): void {
  const { id, time, tags, blocks } = update
  const { updates } = context.state
  if (updates.length >= maxUpdates) return
  const heading = blocks.find(({ type }) => type.startsWith('heading-'))
  const title = heading && shownText(heading.nodes ?? [], context)
  const text = shownText(
    blocks.filter(block => block !== heading),
    context,
  )
  updates.push({
    id,
    date: time.toISOString(),
    title: title || dateText(time, 'long', context),
    text: text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text,
    tags: tags.map(({ look }) => look.label),
  })
}

/** How the language of the interface writes a day. */
function dateText(time: Date, dateStyle: EntryLook['dateStyle'], { input: { locale } }: Context): string {
  return dateFormat(localeOf(locale), dateStyle).format(time)
}
