import { diffIndices } from 'node-diff3'
import type { DocumentBlock, DocumentFragment, DocumentNode } from '../document/schema.ts'

/** One or more blocks that stand or go together. */
export interface Item {
  blocks: DocumentBlock[]
}

/** The result for a place: an item as it is now, as it was before, or a block of which parts are as before. */
export type Reverted<Kind extends Item> = { now: Kind } | { before: Kind } | { written: DocumentBlock }

/**
 * Reverts the blocks that have one of the keys, and what is in them:
 *
 * | a block       | is          |
 * | ------------- | ----------- |
 * | added         | removed     |
 * | deleted       | restored    |
 * | changed       | as before   |
 * | moved         | moved back  |
 * | the same      | left        |
 *
 * Blocks are the same by what is in them, whatever their keys; what stands between the same blocks is changed where its type is the same.
 */
export function revertItems<Kind extends Item>(
  before: readonly Kind[],
  now: readonly Kind[],
  keys: ReadonlySet<string>,
): Reverted<Kind>[] {
  return align(before, now).flatMap((step): Reverted<Kind>[] => {
    const { was, is } = step
    if (was && is) return step.isSame ? [{ now: is }] : changed(was, is, keys)
    if (was) return hasKey(was.blocks, keys) ? [{ before: was }] : []
    return is ? added(is, keys) : []
  })
}

function changed<Kind extends Item>(was: Kind, is: Kind, keys: ReadonlySet<string>): Reverted<Kind>[] {
  const [before, ...moreBefore] = was.blocks
  const [block, ...more] = is.blocks
  const isNamed = isOne(was.blocks, keys) || isOne(is.blocks, keys)
  if (!isNamed && !hasKey(was.blocks, keys) && !hasKey(is.blocks, keys)) return [{ now: is }]
  if (isNamed || !before || !block || moreBefore.length + more.length > 0) return [{ before: was }]
  return [{ written: withParts(before, block, keys) }]
}

function added<Kind extends Item>(is: Kind, keys: ReadonlySet<string>): Reverted<Kind>[] {
  if (isOne(is.blocks, keys)) return []
  const [block, ...more] = is.blocks
  if (!block || more.length > 0 || !hasKey(is.blocks, keys)) return [{ now: is }]
  return [{ written: withParts(undefined, block, keys) }]
}

/** A block whose nodes and fragments are reverted where they have a key. */
function withParts(before: DocumentBlock | undefined, now: DocumentBlock, keys: ReadonlySet<string>): DocumentBlock {
  const fragments = now.fragments?.map((part): DocumentFragment => {
    const was = before?.fragments?.find(({ fragment }) => fragment === part.fragment)
    return { ...part, nodes: revertNodes(was?.nodes ?? [], part.nodes, keys) as DocumentBlock[] }
  })
  return {
    ...now,
    ...(now.nodes && { nodes: revertNodes(before?.nodes ?? [], now.nodes, keys) }),
    ...(fragments && { fragments }),
  }
}

function revertNodes(
  before: readonly DocumentNode[],
  now: readonly DocumentNode[],
  keys: ReadonlySet<string>,
): DocumentNode[] {
  if (![...before, ...now].every(isBlock)) return [...now]
  const items = (nodes: readonly DocumentNode[]) => nodes.filter(isBlock).map(block => ({ blocks: [block] }))
  return blocksOf(revertItems(items(before), items(now), keys))
}

/** The blocks of what stands afterwards. */
export function blocksOf(reverted: readonly Reverted<Item>[]): DocumentBlock[] {
  return reverted.flatMap(each => {
    if ('written' in each) return [each.written]
    return 'now' in each ? each.now.blocks : each.before.blocks
  })
}

interface Step<Kind> {
  was?: Kind | undefined
  is?: Kind | undefined
  isSame: boolean
}

/** Pairs items that are the same in their order and, between them, those of the same types. */
function align<Kind extends Item>(before: readonly Kind[], now: readonly Kind[]): Step<Kind>[] {
  const steps: Step<Kind>[] = []
  const pair = (ofBefore: readonly Kind[], ofNow: readonly Kind[], isSame: boolean) => {
    for (const [at, was] of ofBefore.entries()) steps.push({ was, is: ofNow[at], isSame })
  }
  const byContent = parts(before.map(contentOf), now.map(contentOf))
  for (const { isSame, start, end, newStart, newEnd } of byContent) {
    const was = before.slice(start, end)
    const is = now.slice(newStart, newEnd)
    if (isSame) {
      pair(was, is, true)
      continue
    }
    for (const part of parts(was.map(typeOf), is.map(typeOf))) {
      const old = was.slice(part.start, part.end)
      const current = is.slice(part.newStart, part.newEnd)
      if (part.isSame) pair(old, current, false)
      else
        steps.push(
          ...old.map(one => ({ was: one, isSame: false })),
          ...current.map(one => ({ is: one, isSame: false })),
        )
    }
  }
  return steps
}

interface Part {
  isSame: boolean
  start: number
  end: number
  newStart: number
  newEnd: number
}

/** The parts of two sequences that are the same, and those between them, by a longest common subsequence. */
function parts(before: string[], now: string[]): Part[] {
  const matchedParts: Part[] = []
  let at = 0
  let newAt = 0
  const same = (until: number) => {
    const length = until - at
    if (length > 0) matchedParts.push({ isSame: true, start: at, end: until, newStart: newAt, newEnd: newAt + length })
  }
  for (const { buffer1, buffer2 } of diffIndices(before, now)) {
    const [start, length] = buffer1
    const [newStart, newLength] = buffer2
    same(start)
    matchedParts.push({ isSame: false, start, end: start + length, newStart, newEnd: newStart + newLength })
    at = start + length
    newAt = newStart + newLength
  }
  same(before.length)
  return matchedParts
}

/** The content of an item, whatever its keys. */
function contentOf({ blocks }: Item): string {
  return JSON.stringify(blocks, (name, value: unknown) => (name === 'key' ? undefined : value))
}

const typeOf = ({ blocks }: Item): string => blocks.map(({ type }) => type).join(' ')

const isBlock = (node: DocumentNode): node is DocumentBlock => node.object === 'block'

function isOne(blocks: readonly DocumentBlock[], keys: ReadonlySet<string>): boolean {
  return blocks.some(({ key }) => key !== undefined && keys.has(key))
}

/** Whether a block, or one in it, has one of the keys. */
function hasKey(blocks: readonly DocumentBlock[], keys: ReadonlySet<string>): boolean {
  return keysIn(blocks).some(key => keys.has(key))
}

/** The keys of blocks, and of all blocks in them. */
export function keysIn(blocks: readonly DocumentNode[]): string[] {
  return blocks.flatMap(node => {
    if (!isBlock(node)) return []
    const inside = [...(node.nodes ?? []), ...(node.fragments ?? []).flatMap(({ nodes }) => nodes)]
    return [...(node.key === undefined ? [] : [node.key]), ...keysIn(inside)]
  })
}
