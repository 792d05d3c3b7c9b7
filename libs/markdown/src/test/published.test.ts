import { describe, expect, it } from '@jest/globals'
import { generatedDocuments, PublishedDocuments, publishedStrings } from '@recto/testing'
import fc from 'fast-check'
import { decodeEntities, encodeEntities, toDocument, toMarkdown } from '../index.ts'
import { type DocumentRef, JSONDocument } from '../schema.ts'
import { findUnwritable } from '../writing/write-document.ts'

const { seed, count } = generatedDocuments
const published = new PublishedDocuments(publishedStrings)
/** Documents of the published schema; their schema version may be left out. */
const documents = published
  .arbitrary()
  .map(document => JSONDocument.parse({ ...document, data: { schemaVersion: 1, ...document.data } }))

const scheme = 'reference:'
const target = (ref: DocumentRef) =>
  ref.kind === 'url' ? encodeEntities(ref.url) : `${scheme}${Buffer.from(JSON.stringify(ref)).toString('hex')}`
const reference = (url: string): DocumentRef =>
  url.startsWith(scheme)
    ? (JSON.parse(Buffer.from(url.slice(scheme.length), 'hex').toString()) as DocumentRef)
    : { kind: 'url', url: decodeEntities(url) }

interface Node {
  object: string
  type: string
  data?: Record<string, unknown>
  leaves?: { text: string; marks: { type: string }[] }[]
}

/** All nodes below a part of a document. */
function nodesIn(part: unknown): Node[] {
  if (typeof part !== 'object' || part === null) return []
  const inside = Object.values(part).flatMap(nodesIn)
  return 'object' in part && 'nodes' in part && part.object === 'document' ? inside : [part as Node, ...inside]
}

const elementsIn = (part: unknown) => nodesIn(part).filter(({ object }) => object === 'block' || object === 'inline')

/** JSON whose objects have their fields in one order. */
function json(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}

/** The data set on the nodes of a document, without defaults, and all text of each format, without blanks: written apart from the comparison that it tests. */
function factsOf(document: JSONDocument): string[] {
  const words = new Map<string, string>()
  for (const { leaves = [] } of nodesIn(document))
    for (const { text, marks } of leaves) {
      const format = [...new Set(marks.map(({ type }) => type))].sort().join()
      words.set(format, `${words.get(format) ?? ''}${text.replace(/\s/g, '')}`)
    }
  const set = elementsIn(document)
    .filter(({ type }) => !['table', 'paragraph', 'code-line'].includes(type))
    .map(({ type, data = {} }) => {
      const fields = Object.entries(data).filter(([name, value]) => value && !(name === 'start' && value === 1))
      return json([type, Object.fromEntries(fields)])
    })
  // Cells stand in the order of their columns, which their fragments need not have: letters count, and not their order.
  const letters = [...words].map(([format, text]) => [format, Array.from(text).sort().join('')])
  return [...set, ...letters.filter(([, text]) => text !== '').map(entry => JSON.stringify(entry))].sort()
}

/** The types of nodes and the fields of their data and views, with the values that are flags, and columns in an order of their own. */
function namesIn(part: unknown): string[] {
  const fieldsOf = (owner: string, data: object) =>
    // An empty text is kept as none: it says nothing of the field.
    Object.entries(data)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${owner}.${name}${value === true ? '=true' : ''}`)
  return elementsIn(part).flatMap(({ type, data = {} }) => {
    const { view = {}, definition = {} } = data as { view?: { columns?: string[] }; definition?: object }
    const columns = Object.keys(definition).filter(id => view.columns?.includes(id))
    const isReordered = columns.join() !== (view.columns ?? []).join()
    return [type, ...fieldsOf(type, data), ...fieldsOf(`${type}.view`, view), ...(isReordered ? ['reordered'] : [])]
  })
}

/** The value at a place, `nodes.0.nodes.1`; undefined when there is none. */
function valueAt(document: unknown, place: string): unknown {
  return place
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
}

describe('a document of the published schema', () => {
  it('is read back as it is, or is refused with a node that it has', () =>
    fc.assert(
      fc.property(documents, document => {
        const place = findUnwritable(document)
        if (place !== undefined) return expect(valueAt(document, place.replace(/\.data\..*$/, ''))).toBeDefined()
        expect(factsOf(toDocument(toMarkdown(document, { target }), { reference }))).toEqual(factsOf(document))
      }),
      { numRuns: count, seed },
    ))

  it('is kept, with each type of node and each field of its data', () => {
    const names = new Set<string>()
    const types = new Set<string>()
    let nodes = 0
    let keptNodes = 0
    const lacking = () => [
      ...published.types.filter(type => !names.has(type)),
      ...[...names].filter(name => !types.has(name)),
    ]
    // A rare field may need more documents until it stands in one that is kept.
    for (let round = 0; round === 0 || (round < 10 && lacking().length > 0); round += 1)
      for (const node of fc
        .sample(documents, { numRuns: 400, seed: seed + round })
        .flatMap(document => document.nodes)) {
        nodes += 1
        for (const name of namesIn(node)) names.add(name)
        if (findUnwritable({ nodes: [node] }) !== undefined) continue
        keptNodes += 1
        for (const name of namesIn(node)) types.add(name)
      }
    expect(lacking()).toEqual([])
    expect(keptNodes / nodes).toBeGreaterThan(0.7)
  })
})

describe("a document of today's published schema", () => {
  const today = new PublishedDocuments(publishedStrings, 'gitbook-api-today').arbitrary()

  it('is read back as it is, or is refused with a node that it has', () => {
    const outcomes = { kept: 0, refused: 0 }
    fc.assert(
      fc.property(today, ({ data, ...fields }) => {
        // Node by node, so that one that is refused hides no other.
        for (const node of fields.nodes) {
          const parsed = JSONDocument.safeParse({ ...fields, data: { schemaVersion: 1, ...data }, nodes: [node] })
          const place = parsed.success ? findUnwritable(parsed.data) : parsed.error.issues[0]?.path.join('.')
          if (place !== undefined) {
            outcomes.refused += 1
            expect(valueAt({ nodes: [node] }, place.split('.').slice(0, 2).join('.'))).toBeDefined()
            continue
          }
          outcomes.kept += 1
          const document = JSONDocument.parse({ ...fields, data: { schemaVersion: 1, ...data }, nodes: [node] })
          expect(factsOf(toDocument(toMarkdown(document, { target }), { reference }))).toEqual(factsOf(document))
        }
      }),
      { numRuns: count, seed },
    )
    expect(outcomes.kept / (outcomes.kept + outcomes.refused)).toBeGreaterThan(0.1)
  })

  it('is kept with the blocks that only it has', () => {
    const ownTypes = ['prompt', 'update', 'updates']
    const keptTypes = new Set<string>()
    for (const node of fc.sample(today, { numRuns: 1000, seed }).flatMap(({ nodes }) => nodes)) {
      const newTypes = elementsIn(node).flatMap(({ type }) => (ownTypes.includes(type) ? [type] : []))
      if (newTypes.every(type => keptTypes.has(type))) continue
      const parsed = JSONDocument.safeParse({ object: 'document', data: { schemaVersion: 1 }, nodes: [node] })
      if (parsed.success && findUnwritable(parsed.data) === undefined) newTypes.forEach(type => keptTypes.add(type))
    }
    expect([...keptTypes].sort()).toEqual(ownTypes)
  })
})
