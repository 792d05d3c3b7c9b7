import type { Db } from '@recto/database'
import * as spaces from '../resources/spaces.repository.ts'
import { computePages } from './computed-pages.rules.ts'
import { loadComputed, specOf } from '../pages/shown-pages.ts'
import { build, diff, emptyRoot, type NodeHash, type NodeStore, parseNode } from '../content-map/content-map.ts'
import { nodeStore } from '../content-store/content.repository.ts'
import type { NewDocument } from '../content-store/new-document.ts'
import type { ComputedEntry, ComputedSource, PageRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as specifications from './specifications.repository.ts'

/** The map of pages of a new revision, with its nodes that are not stored yet. */
export interface NewPages {
  pagesRoot: NodeHash
  nodes: Map<NodeHash, string>
  /** All declarations of the pages, where the caller has read them; else they follow from the changes since the revision before. */
  declared?: Declaration[] | undefined
}

/** A map of computed pages that is not stored yet, with their documents. */
export interface NewComputed {
  root: NodeHash
  nodes: Map<NodeHash, string>
  documents: NewDocument[]
}

/** A page that stands for pages computed from a specification. */
export type Declaration = Pick<ComputedSource, 'id' | 'spec' | 'models' | 'grouping'>

/**
 * Computes the pages of a new revision from the last versions of the specifications that its declarations name. In a space without
 * declarations only the changed pages are read.
 */
export async function computeMap(db: Db, before: RevisionRow, pages: NewPages): Promise<NewComputed> {
  const same = { root: before.computedRoot, nodes: new Map<NodeHash, string>(), documents: [] }
  const sources = await loadSources(db, before.computedRoot)
  const declared = pages.declared ?? (await findDeclarations(db, { before, pages, sources }))
  if (declared.length === 0) return { ...same, root: emptyRoot }
  const { organizationId } = (await spaces.find(db, before.spaceId)) ?? { organizationId: '' }
  const slugs = [...new Set(declared.map(({ spec }) => spec))]
  const versions = await specifications.findVersions(db, organizationId, slugs)
  if (areCurrent(sources, declared, versions)) return same
  return buildComputedMap(before.spaceId, declared, await specifications.findAll(db, organizationId, slugs))
}

/** Loads the declarations of a map of computed pages, with the versions that their pages come from. */
export async function loadSources(db: Db, root: NodeHash): Promise<ComputedSource[]> {
  const entries = root === emptyRoot ? [] : await loadComputed(db, root)
  return entries.filter(entry => entry.type === 'source')
}

async function findDeclarations(
  db: Db,
  { before, pages, sources }: { before: RevisionRow; pages: NewPages; sources: ComputedSource[] },
): Promise<Declaration[]> {
  const store = withUnstoredNodes(nodeStore(db), pages.nodes)
  const byPage = new Map<string, Declaration>(sources.map(source => [source.id, source]))
  for (const { id, after } of await diff<PageRecord>(store, before.pagesRoot, pages.pagesRoot)) {
    const declaration = after && declarationOf(after)
    if (declaration) byPage.set(id, declaration)
    else byPage.delete(id)
  }
  return [...byPage.values()]
}

/** The declaration of a page, if it has one. */
export function declarationOf(page: PageRecord): Declaration | undefined {
  const spec = specOf(page)
  const { models, grouping } = (page.computed?.['props'] ?? {}) as { models?: unknown; grouping?: unknown }
  if (spec === undefined) return undefined
  return { id: page.id, spec, models: models !== false, ...(grouping === 'by-operation' && { grouping }) }
}

/** Whether computed pages come from exactly these declarations and versions. */
export function areCurrent(sources: ComputedSource[], declared: Declaration[], versions: Map<string, string>): boolean {
  const keyOf = ({ id, spec, models, grouping }: Declaration, version: string | null) =>
    JSON.stringify([id, spec, models, grouping, version])
  const currentKeys = new Set(sources.map(source => keyOf(source, source.version)))
  return (
    currentKeys.size === declared.length &&
    declared.every(one => currentKeys.has(keyOf(one, versions.get(one.spec) ?? null)))
  )
}

function buildComputedMap(
  spaceId: string,
  declared: Declaration[],
  specificationRows: Awaited<ReturnType<typeof specifications.findAll>>,
): NewComputed {
  const documents: NewDocument[] = []
  const all = declared.flatMap((declaration): ComputedEntry[] => {
    const { id, spec } = declaration
    const specification = specificationRows.find(({ slug }) => slug === spec)
    const source: ComputedSource = {
      type: 'source',
      ...declarationFields(declaration),
      version: specification?.version ?? null,
    }
    if (!specification) return [source]
    const computed = computePages({
      ...declarationFields(declaration),
      spaceId,
      page: id,
      outline: specification.outline,
    })
    documents.push(...computed.documents)
    return [source, ...computed.records]
  })
  return { ...build(all.map(entry => [entry.id, entry])), documents }
}

function declarationFields({ id, spec, models, grouping }: Declaration): Declaration {
  return { id, spec, models, ...(grouping && { grouping }) }
}

/** Makes a store that also has these nodes, which are not written yet. */
function withUnstoredNodes(store: NodeStore, nodes: Map<NodeHash, string>): NodeStore {
  return {
    async load(hashes) {
      const own = hashes.flatMap(hash => {
        const text = nodes.get(hash)
        return text === undefined ? [] : [[hash, parseNode(text)] as const]
      })
      const storedNodes = await store.load(hashes.filter(hash => !nodes.has(hash)))
      return new Map([...storedNodes, ...own])
    },
  }
}
