import type { BlockType, DocumentBlock } from '@recto/markdown/schema'
import type { ComponentChildren } from 'preact'
import { code } from './nodes/code.tsx'
import { columns, expandable, loosePart, reusableContent, stepper, tabs } from './nodes/containers.tsx'
import { embed } from './nodes/embed.tsx'
import { drawing, image, images } from './nodes/images.tsx'
import { looseItem, orderedList, taskList, unorderedList } from './nodes/lists.tsx'
import { contentReference, file, integration } from './nodes/references.tsx'
import { conditional, divider, heading, hint, math, paragraph, quote, type WriteBlock } from './nodes/simple.tsx'
import { prompt } from './nodes/prompt.tsx'
import { table } from './nodes/table.tsx'
import { updates } from './nodes/updates.tsx'
import { partsOfBlocks } from './model/mark.ts'
import { withBlockMark } from './marks/marked.tsx'
import { missingSpecification } from './openapi/missing.tsx'
import { operation, schemas } from './openapi/openapi.tsx'
import { maxDepth, consumeBudget, type Context } from './model/context.ts'
import { plainText } from './model/plain-text.ts'

const nothing: WriteBlock = () => null

const writers: Record<BlockType, WriteBlock> = {
  paragraph,
  'heading-1': heading(1),
  'heading-2': heading(2),
  'heading-3': heading(3),
  'list-ordered': orderedList,
  'list-unordered': unorderedList,
  'list-tasks': taskList,
  'list-item': looseItem,
  divider,
  blockquote: quote,
  hint,
  if: conditional,
  images,
  image,
  file,
  drawing,
  embed,
  code,
  'code-line': nothing,
  math,
  expandable,
  tabs,
  'tabs-item': loosePart,
  table,
  swagger: missingSpecification,
  'openapi-operation': operation,
  'openapi-schemas': schemas,
  'openapi-webhook': operation,
  'content-ref': contentReference,
  integration,
  'reusable-content': reusableContent,
  stepper,
  'stepper-step': loosePart,
  prompt,
  updates,
  update: loosePart,
  columns,
  column: loosePart,
}

/** Writes blocks one below the other. What is nested too deep is text, and what is too much is left out. */
export function writeBlocks(nodes: readonly DocumentBlock[], context: Context): ComponentChildren {
  if (!consumeBudget(context, nodes.length)) return null
  if (context.depth > maxDepth) return nodes.length > 0 && <p>{plainText(nodes)}</p>
  return nodes.map(node => {
    if (!Object.hasOwn(writers, node.type)) return null
    const content = writers[node.type](node, context)
    return partsOfBlocks.has(node.type) ? content : withBlockMark(node, content, context)
  })
}
