import { attribute, isElement, writtenAttribute, type HtmlElement, type HtmlNode } from '../syntax/html.ts'
import type { TagNode } from '../syntax/nodes.ts'

/** The syntax that a reference is written with. */
export type ReferenceKind =
  'link' | 'image' | 'file' | 'embed' | 'content-ref' | 'include' | 'openapi' | 'swagger' | 'button' | 'mention'

/** A target as it was written (character references and percent-encoding kept), and what refers to it. */
export interface FoundReference {
  target: string
  kind: ReferenceKind
}

const targetsOfTags: Record<string, readonly [attribute: string, kind: ReferenceKind]> = {
  file: ['src', 'file'],
  embed: ['url', 'embed'],
  'content-ref': ['url', 'content-ref'],
  'page-ref': ['page', 'content-ref'],
  swagger: ['src', 'swagger'],
  openapi: ['src', 'swagger'],
}

/** The reference of a tag, if it has one. */
export function tagReference(tag: TagNode): FoundReference | undefined {
  if (tag.name === 'include') return reference(includeTarget(tag), 'include')
  if (tag.name.startsWith('openapi-')) return reference(tag.attributes['spec'] ?? tag.attributes['src'], 'openapi')
  const attributeNames = targetsOfTags[tag.name]
  return attributeNames && reference(tag.attributes[attributeNames[0]], attributeNames[1])
}

/** The path of `{% include "path" %}`. */
export function includeTarget({ rest }: TagNode): string | undefined {
  return /^(["'])(.*)\1$/.exec(rest)?.[2]
}

/** The references of an element itself, without those of its children. */
export function elementReferences(element: HtmlElement, source: string): FoundReference[] {
  const attributeText = (name: string) => writtenAttribute(element, name, source)
  const { tagName } = element
  if (tagName === 'a') {
    const isButton = (attribute(element, 'class') ?? '').split(/\s+/).includes('button')
    const href = attributeText('href')
    if (attribute(element, 'data-footnote-ref') !== undefined) return []
    const isOwnAnchor = href !== undefined && href === `#${attribute(element, 'id')}`
    return isOwnAnchor ? [] : listOf(reference(href, isButton ? 'button' : 'link'))
  }
  const kind: ReferenceKind = tagName === 'img' || tagName === 'source' ? 'image' : 'file'
  const isKnown = ['img', 'source', 'video', 'audio', 'iframe', 'embed'].includes(tagName)
  if (!isKnown) return listOf(reference(attributeText('href'), 'link'))
  return [
    ...listOf(reference(attributeText('src'), kind)),
    ...sourceSet(attributeText('srcset')).map(target => ({ target, kind })),
  ]
}

/** The addresses of `srcset`, whose entries may end with a size. An address may hold blanks when it is the only one. */
export function sourceSet(value: string | undefined): string[] {
  if (!value?.trim()) return []
  const entries = value.split(/,\s+/).map(entry => entry.trim().replace(/\s+\d+(?:\.\d+)?[wxh]$/, ''))
  return entries.filter(entry => entry !== '')
}

/** All elements, parents before children. */
export function* elementsOf(nodes: readonly HtmlNode[]): Generator<HtmlElement> {
  for (const node of nodes) {
    if (!isElement(node)) continue
    yield node
    yield* elementsOf(node.childNodes)
  }
}

function reference(target: string | undefined, kind: ReferenceKind): FoundReference | undefined {
  return target ? { target, kind } : undefined
}

function listOf(reference: FoundReference | undefined): FoundReference[] {
  return reference ? [reference] : []
}
