import type { ComponentChildren } from 'preact'
import { fieldsOf } from '../model/read.ts'
import type { Context } from '../model/context.ts'
import { resolve } from '../model/references.ts'
import type { Mark } from '../model/mark.ts'
import { settingText } from './settings.rules.ts'

/** The mark of a node, if it has one. */
export function markOf(node: object, { input }: Context): Mark | undefined {
  return input.marked?.marks.get(node)
}

/** A node with its mark around it, in words for those who do not see it. Elements of changes may have blocks in them, or text. */
export function withMark(node: object, content: ComponentChildren, context: Context): ComponentChildren {
  const mark = markOf(node, context)
  if (!mark) return content
  const { kind, settings = [] } = mark
  if (kind === 'change')
    return (
      <span class="change" data-change={kind}>
        {content} <Settings settings={settings} context={context} />
      </span>
    )
  const Tag = kind === 'delete' || kind === 'moved-out' ? 'del' : 'ins'
  return (
    <Tag class="change" data-change={kind}>
      <Label kind={kind} context={context} />
      {content}
    </Tag>
  )
}

/** The same of a block of which settings differ: they stand below it. */
export function withBlockMark(node: object, content: ComponentChildren, context: Context): ComponentChildren {
  const mark = markOf(node, context)
  if (mark?.kind !== 'change') return withMark(node, content, context)
  return (
    <div class="change" data-change={mark.kind}>
      {content}
      {mark.settings && (
        <p class="change-settings">
          <Settings settings={mark.settings} context={context} />
        </p>
      )}
    </div>
  )
}

const labels = {
  insert: 'changes.inserted',
  delete: 'changes.deleted',
  'moved-in': 'changes.movedHere',
  'moved-out': 'changes.movedAway',
} as const

function Label({ kind, context: { t } }: { kind: keyof typeof labels; context: Context }) {
  const isSeen = kind === 'moved-in' || kind === 'moved-out'
  return <span class={isSeen ? 'change-label' : 'visually-hidden'}>{`${t(labels[kind])}: `}</span>
}

/** Settings as they were and as they are. */
function Settings({ settings, context }: { settings: NonNullable<Mark['settings']>; context: Context }) {
  return (
    <small class="change-setting">
      {settings.map(({ name, before, after }, at) => (
        <>
          {at > 0 && ', '}
          <code>{name}</code> {before !== undefined && <del data-change="setting">{valueText(before, context)}</del>}{' '}
          {after !== undefined && <ins data-change="setting">{valueText(after, context)}</ins>}
        </>
      ))}
    </small>
  )
}

/** A value as text; of a reference, where it leads. */
function valueText(value: unknown, { input }: Context): string {
  const { kind } = fieldsOf(value)
  if (typeof kind !== 'string') return settingText(value) ?? ''
  const target = resolve(value, input)
  return settingText(target?.href ?? target?.title ?? kind) ?? ''
}
