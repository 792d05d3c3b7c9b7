import { freePath, pageFile } from '../pages/repository-files.ts'
import { canonicalJson } from '../content-map/content-map.ts'
import type { PageRecord } from '../revisions/records.ts'
import { type Choices, sideOf } from './choices.ts'
import { type DetectedConflict, type PathOwner, type Subject, subjectKey } from './conflict.ts'
import { conflictOf, type LocatedRecord } from './merge-record.rules.ts'
import type { MergedTree } from './merged-tree.ts'
import { findCollisions, type Claim, type Collision } from './path-collisions.rules.ts'
import type { Sides } from './three-way.ts'

/** Pages that became siblings with the same slug. Those that had to move up get a free slug without a conflict of their own. */
export function findSlugCollisions(tree: MergedTree, reparented: readonly string[]): Collision<PathClaim>[] {
  const isReparented = new Set(reparented)
  const records = tree.touched().filter(({ id }) => !isReparented.has(id))
  return findCollisions([...records, ...unchangedOwners(records, tree)].flatMap(record => slugClaim(record, tree)))
}

/** Gives the pages of collisions, and those that had to move up, different slugs: the side that is not taken gets a number. */
export function separateSlugs(
  tree: MergedTree,
  {
    collisions,
    reparented,
    choices,
  }: { collisions: Collision<PathClaim>[]; reparented: readonly string[]; choices: Choices },
): void {
  if (collisions.length === 0 && reparented.length === 0) return
  const losers = collisions.map(collision => claimToChange(collision, choices))
  const slugs = slugsByParent(tree)
  // One of several pages that took the path of the same page keeps it.
  for (const { subject } of [...losers, ...collisions.map(({ claim }) => claim)])
    giveFreeSlug(subject.page ?? '', tree, slugs)
  for (const id of reparented) giveFreeSlug(id, tree, slugs)
}

/**
 * The unchanged pages whose slug a page wants that has its parent from one side and its slug from the other. A page that is as a side has it
 * can only want the slug of another changed one.
 */
function unchangedOwners(records: PageRecord[], tree: MergedTree): PageRecord[] {
  const owners = records
    .filter(record => !tree.isPlacedAs('main', record) && !tree.isPlacedAs('changeRequest', record))
    .flatMap(({ parent, slug }) => tree.main.childrenOf(parent).filter(each => each.slug === slug))
  return [...new Set(owners)].filter(({ id, slug }) => slug !== undefined && !tree.sides.has(id))
}

/** How many pages below a parent have a slug. */
type SlugCounts = (parent: string | null) => Map<string, number>

function slugsByParent(tree: MergedTree): SlugCounts {
  const touched = new Map<string | null, PageRecord[]>()
  for (const record of tree.touched()) touched.set(record.parent, [...(touched.get(record.parent) ?? []), record])
  const counts = new Map<string | null, Map<string, number>>()
  return parent => {
    const cachedCounts = counts.get(parent)
    if (cachedCounts) return cachedCounts
    const unchanged = tree.main.childrenOf(parent).filter(({ id }) => !tree.sides.has(id))
    const below = new Map<string, number>()
    for (const { slug } of [...unchanged, ...(touched.get(parent) ?? [])])
      if (slug !== undefined) below.set(slug, (below.get(slug) ?? 0) + 1)
    counts.set(parent, below)
    return below
  }
}

function giveFreeSlug(id: string, tree: MergedTree, slugs: SlugCounts): void {
  const record = tree.get(id)
  if (record?.slug === undefined) return
  const baseSlug = record.slug
  const counts = slugs(record.parent)
  const add = (slug: string, by: number) => counts.set(slug, (counts.get(slug) ?? 0) + by)
  add(baseSlug, -1)
  let slug = baseSlug
  for (let number = 1; (counts.get(slug) ?? 0) > 0; number += 1) slug = `${baseSlug}-${number}`
  add(slug, 1)
  tree.set(id, { ...record, slug })
}

/** A path with its owner. */
export interface PathClaim extends Claim {
  /** The path as people read it; `path` is the key that is compared. */
  displayPath: string
}

function slugClaim(record: PageRecord, tree: MergedTree): PathClaim[] {
  if (record.slug === undefined) return []
  const pathOn = (side: PageRecord | undefined) =>
    side?.slug === undefined ? undefined : canonicalJson([side.parent, side.slug])
  const { main, changeRequest } = tree.sides.get(record.id) ?? { main: record, changeRequest: record }
  return [
    {
      subject: { page: record.id },
      path: canonicalJson([record.parent, record.slug]),
      paths: pathsOf({ main: pathOn(main), changeRequest: pathOn(changeRequest) }),
      displayPath: slugPath(record, tree),
    },
  ]
}

function slugPath(record: PageRecord, tree: MergedTree): string {
  const slugs: string[] = []
  for (let at: PageRecord | undefined = record; at; at = at.parent === null ? undefined : tree.get(at.parent))
    if (at.slug) slugs.unshift(at.slug)
  return slugs.join('/')
}

function pathsOf({ main, changeRequest }: { main: string | undefined; changeRequest: string | undefined }) {
  return { ...(main !== undefined && { main }), ...(changeRequest !== undefined && { changeRequest }) }
}

/** The conflict of two things that got the same path. */
export function pathConflict({ claim, holder }: Collision<PathClaim>): DetectedConflict {
  const owner = ({ subject, displayPath }: PathClaim): PathOwner => ({ ...subject, path: displayPath })
  const owners = { base: undefined, main: owner(holder), changeRequest: owner(claim) }
  return conflictOf({ kind: 'path', ...claim.subject }, owners)
}

/** The claim that gets another path: the thing of the conflict when main content is taken, else the one that has the path there. */
function claimToChange<Item extends PathClaim>({ claim, holder }: Collision<Item>, choices: Choices): Item {
  return sideOf(choices, claim.subject) === 'main' ? claim : holder
}

/** Things of one kind that are files of the repository: their merged records, and how they name their paths. */
export interface PathOwners<Row extends LocatedRecord> {
  sides: ReadonlyMap<string, Sides<Row>>
  subject(id: string): Subject
  get(id: string): Row | undefined
  set(id: string, record: Row): void
  path(row: Row): string | undefined
  /** The records of main content. */
  main(): Iterable<Row & { id: string }>
}

/** Things that became the same file of the repository. Pages, files and reusable contents share one, and letter case does not distinguish its paths. */
export function findFileCollisions(kinds: readonly PathOwners<LocatedRecord>[]): Collision<FileClaim>[] {
  return findCollisions(fileClaims(kinds))
}

function fileClaims(kinds: readonly PathOwners<LocatedRecord>[]): FileClaim[] {
  return kinds.flatMap(kind => Array.from(kind.sides.keys()).flatMap(id => fileClaim(id, kind)))
}

/** Gives the things of collisions different paths: the side that is not taken gets a number. */
export function separateFiles(
  kinds: readonly PathOwners<LocatedRecord>[],
  { collisions, choices }: { collisions: Collision<FileClaim>[]; choices: Choices },
): void {
  if (collisions.length === 0) return
  const losers = collisions.map(collision => claimToChange(collision, choices))
  const usedPaths = takenPaths(kinds)
  const keepers = new Map<string, string>()
  const movedKeys = new Set(losers.map(({ subject }) => subjectKey(subject)))
  // One of several things that took the same path keeps it.
  for (const { path, subject } of collisions.flatMap(({ claim, holder }) => [claim, holder])) {
    const key = subjectKey(subject)
    if (movedKeys.has(key)) continue
    if (keepers.has(path) && keepers.get(path) !== key) movedKeys.add(key)
    else keepers.set(path, key)
  }
  for (const claim of fileClaims(kinds)) if (movedKeys.has(subjectKey(claim.subject))) giveFreeFile(claim, usedPaths)
}

function giveFreeFile({ id, kind, displayPath }: FileClaim, usedPaths: Set<string | undefined>): void {
  const record = kind.get(id)
  if (!record) return
  const { git: _git, ...rest } = record
  const file = freePath(displayPath, path => usedPaths.has(path))
  usedPaths.add(file.toLowerCase())
  kind.set(id, { ...rest, file })
}

/** A file of the repository with its owner. */
export interface FileClaim extends PathClaim {
  id: string
  kind: PathOwners<LocatedRecord>
}

function fileClaim(id: string, kind: PathOwners<LocatedRecord>): FileClaim[] {
  const pathOn = (row: LocatedRecord | undefined) => row && kind.path(row)
  const { main, changeRequest } = kind.sides.get(id) ?? {}
  const path = pathOn(kind.get(id))
  if (path === undefined) return []
  const paths = pathsOf({ main: pathOn(main)?.toLowerCase(), changeRequest: pathOn(changeRequest)?.toLowerCase() })
  return [{ subject: kind.subject(id), id, kind, displayPath: path, path: path.toLowerCase(), paths }]
}

function takenPaths(kinds: readonly PathOwners<LocatedRecord>[]): Set<string | undefined> {
  return new Set(
    kinds.flatMap(kind => {
      const unchanged = Array.from(kind.main()).filter(({ id }) => !kind.sides.has(id))
      const merged = Array.from(kind.sides.keys(), id => kind.get(id)).filter(record => record !== undefined)
      return [...unchanged, ...merged].map(record => kind.path(record)?.toLowerCase())
    }),
  )
}

/** The pages of a tree as files of the repository. */
export function pageFiles(tree: MergedTree): PathOwners<PageRecord> {
  return {
    sides: tree.sides,
    subject: id => ({ page: id }),
    get: id => tree.get(id),
    set: (id, record) => tree.set(id, record),
    path: pageFile,
    main: () => tree.main.inOrder(),
  }
}
