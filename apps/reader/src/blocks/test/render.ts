import { decodeEntities, toDocument, type JSONDocument } from '@recto/markdown'
import type { DocumentRef } from '@recto/markdown/schema'
import { bodyNeeds, referenceKey, type Body, type BodyInput } from '../index.ts'
import { renderBody } from '../render-body.tsx'

/** The input of a body besides its document: nothing leads anywhere. */
export const emptyInput: Omit<BodyInput, 'document'> = {
  targets: {},
  included: {},
  embeds: {},
  specifications: {},
  tags: {},
  claims: {},
  locale: 'en',
  opensExternalLinksInNewTab: false,
  externalAI: false,
}

/** Reads Markdown: what has a scheme is a URL, and other targets are files and pages by their names. */
export function read(markdown: string): JSONDocument {
  return toDocument(markdown, {
    reference(url, kind): DocumentRef {
      const target = decodeEntities(url)
      if (kind === 'include') return { kind: 'reusable-content', reusableContent: target }
      if (kind === 'openapi') return { kind: 'openapi', spec: target }
      if (target.startsWith('#')) return { kind: 'anchor', anchor: target.slice(1) }
      if (/^[a-z]+:/i.test(target)) return { kind: 'url', url: target }
      return /^(?:file|image|swagger)$/.test(kind)
        ? { kind: 'file', file: target.replaceAll('.', '-') }
        : { kind: 'page', page: target }
    },
  })
}

/** Targets by the references that lead to them. */
export function targetsOf(...entries: [DocumentRef, BodyInput['targets'][string]][]): BodyInput['targets'] {
  return Object.fromEntries(entries.map(([ref, target]) => [referenceKey(ref), target]))
}

/** Targets for all that a document refers to, each with its own path. */
export function allTargets(document: JSONDocument): BodyInput['targets'] {
  const targets = bodyNeeds(document).references.map((ref, at): [DocumentRef, BodyInput['targets'][string]] => [
    ref,
    { href: `/target-${at}`, title: `Target` },
  ])
  return targetsOf(...targets)
}

/** Writes the body of a page of Markdown. */
export function rendered(markdown: string, input: Partial<BodyInput> = {}): Promise<Body> {
  return renderBody({ ...emptyInput, document: read(markdown), ...input })
}
