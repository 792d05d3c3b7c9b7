import type { DocumentBlock, DocumentInline, DocumentNode, DocumentText } from '@recto/markdown/schema'
import type { ComponentChildren } from 'preact'
import { Icon } from '../icons/icon.tsx'
import { withMark } from '../marks/marked.tsx'
import { evaluation, inside, maxDepth, consumeBudget, uniqueId, type Context } from '../model/context.ts'
import { emojiOf, emojiText, plainText } from '../model/plain-text.ts'
import { fragmentOf, textField } from '../model/read.ts'
import { linkAttributes, resolve } from '../model/references.ts'
import { Formula } from './formula.tsx'
import { InlineImage } from './inline-image.tsx'
import { leavesOf } from './leaves.tsx'

/** Writes text with what is in it. */
export function inlines(nodes: readonly DocumentNode[] | undefined, context: Context): ComponentChildren {
  if (!nodes || !consumeBudget(context, nodes.length)) return null
  if (context.depth > maxDepth) return plainText(nodes)
  return nodes.map(node => {
    if (node.object === 'text')
      return consumeBudget(context, lengthOf(node) >> 7) ? withMark(node, leavesOf(node.leaves), context) : null
    if (node.object === 'inline')
      return Object.hasOwn(writers, node.type) ? withMark(node, writers[node.type](node, context), context) : null
    return plainText([node])
  })
}

function lengthOf({ leaves }: DocumentText): number {
  return leaves.reduce((sum, { text }) => sum + text.length, 0)
}

/** Writes text within an element, and behind the element the notes to it. */
export function withNotes(
  nodes: readonly DocumentNode[] | undefined,
  context: Context,
  wrap: (content: ComponentChildren) => ComponentChildren,
): ComponentChildren {
  const content = wrap(inlines(nodes, context))
  return [content, flushFootnotes(context)]
}

/** The notes to the text that was written just before. */
export function flushFootnotes(context: Context): ComponentChildren {
  return context.state.notes.splice(0).map(({ id, body }) => (
    <div class="note" id={id} popover="auto" role="note" aria-label={context.t('blocks.note')}>
      {context.blocks(body, inside(context, { isOutlined: false }))}
    </div>
  ))
}

type Write = (node: DocumentInline, context: Context) => ComponentChildren

const writers: Record<DocumentInline['type'], Write> = {
  link: writeLink,
  emoji: ({ data }) => <span class="emoji">{emojiOf(data?.['code'])}</span>,
  icon: node => <Icon name={textField(node, 'icon')} />,
  expression: (node, context) => evaluation(context)(textField(node, 'expression') ?? ''),
  'inline-math': (node, context) => <Formula formula={textField(node, 'formula') ?? ''} context={context} />,
  'inline-image': (node, context) => <InlineImage node={node} context={context} />,
  annotation: writeAnnotation,
  mention: writeMention,
  button: writeButton,
}

function writeLink(node: DocumentInline, context: Context): ComponentChildren {
  const target = resolve(node.data?.['ref'], context.input)
  if (!target?.href || context.isInLink) {
    const content = inlines(node.nodes, inside(context))
    return node.nodes?.length ? content : (target?.title ?? null)
  }
  const content = inlines(node.nodes, inside(context, { isInLink: true }))
  const words = node.nodes?.length ? content : target.title
  return (
    <a {...linkAttributes(target, context.input)} title={titleOf(node)}>
      {words}
    </a>
  )
}

/** A link of which only the title says that it is a mention, since it has words of its own. */
function titleOf(node: DocumentInline): string | undefined {
  const title = textField(node, 'title')
  return title === 'mention' ? undefined : title
}

/** The word opens its note without a script; within a link it cannot, and the note follows openly. */
function writeAnnotation(node: DocumentInline, context: Context): ComponentChildren {
  const content = inlines(node.nodes, inside(context, { isInLink: true }))
  const body: DocumentBlock[] = fragmentOf(node, 'annotation-body')
  if (body.length === 0 || context.isInLink) return [content, body.length > 0 && ` (${plainText(body)})`]
  const id = uniqueId('note', context)
  context.state.notes.push({ id, body })
  return (
    <button type="button" class="annotation" popovertarget={id}>
      {content}
    </button>
  )
}

function writeMention(node: DocumentInline, context: Context): ComponentChildren {
  const target = resolve(node.data?.['ref'], context.input)
  const words = node.nodes?.length ? inlines(node.nodes, inside(context, { isInLink: true })) : (target?.title ?? '')
  if (!target?.href || context.isInLink) return <span class="mention">{words}</span>
  return (
    <a class="mention" {...linkAttributes(target, context.input)}>
      <Icon name={target.icon} />
      {target.emoji && <span class="emoji">{emojiText(target.emoji)} </span>}
      {words}
    </a>
  )
}

function writeButton(node: DocumentInline, context: Context): ComponentChildren {
  const target = resolve(node.data?.['ref'], context.input)
  const kind = node.data?.['kind'] === 'secondary' ? 'secondary' : 'primary'
  const content = [<Icon name={textField(node, 'icon')} />, textField(node, 'label') ?? target?.title ?? '']
  if (!target?.href || context.isInLink)
    return (
      <span class="button" data-kind={kind}>
        {content}
      </span>
    )
  return (
    <a class="button" data-kind={kind} {...linkAttributes(target, context.input)}>
      {content}
    </a>
  )
}
