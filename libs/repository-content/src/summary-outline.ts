import type { Warning } from './import-failure.ts'
import type { Outline, OutlineEntry } from './outline.ts'
import { decodeUriComponent } from '@recto/text'
import { folderOf, isBelow, isMarkdown, joinInside, linkedPath, pathFault } from '@recto/repository-format'
import type { Place, Summary, SummaryEntry, SummaryGroup } from './summary.ts'

/** The path of a SUMMARY.md, its content root, and the existing files. */
export interface SummaryPlace {
  path: string
  root: string
  has(path: string): boolean
}

/** Resolves the entries of SUMMARY.md to files. An entry whose file is missing, or listed before, stays only if it has children. */
export function outlineOfSummary(summary: Summary, place: SummaryPlace): Outline {
  const resolver = new EntryResolver(place, [...summary.warnings])
  const entries = summary.groups.flatMap(group => resolver.group(group))
  return { entries, warnings: resolver.warnings }
}

class EntryResolver {
  readonly #place: SummaryPlace
  readonly #listed = new Set<string>()
  readonly warnings: Warning[]

  constructor(place: SummaryPlace, warnings: Warning[]) {
    this.#place = place
    this.warnings = warnings
  }

  group({ title, line, end, entries }: SummaryGroup): OutlineEntry[] {
    const children = entries.flatMap(entry => this.resolve(entry))
    if (title) return [{ kind: 'group', title, children, place: { line, end } }]
    if (title === '') this.#warn(line, 'A heading without text makes no group; what is below it stands at the top')
    return children
  }

  resolve(entry: SummaryEntry): OutlineEntry[] {
    if (entry.kind === 'page') return this.#page(entry)
    const children = entry.children.flatMap(child => this.resolve(child))
    if (entry.kind === 'text')
      return entry.title === '' ? children : [{ kind: 'text', title: entry.title, children, place: placeOf(entry) }]
    if (children.length > 0) this.#warn(entry.line, 'A link or computed entry holds no pages; those below it follow it')
    if (entry.kind === 'computed')
      return [
        {
          kind: 'computed',
          title: entry.computed.dependencies.spec.ref.spec,
          computed: entry.computed,
          place: placeOf(entry),
        },
        ...children,
      ]
    if (/^(https?:|mailto:|tel:|\/\/)/i.test(entry.href))
      return [{ kind: 'link', title: entry.title, href: entry.href, place: placeOf(entry) }, ...children]
    this.#warn(entry.line, 'A link of this kind is not allowed and is left out')
    return children
  }

  #page(entry: SummaryEntry & { kind: 'page' }): OutlineEntry[] {
    const path = this.#find(entry)
    if (path !== undefined) this.#listed.add(path)
    const children = entry.children.flatMap(child => this.resolve(child))
    const title = entry.label ?? entry.title
    const place = placeOf(entry)
    if (path !== undefined) return [{ kind: 'page', ...(title && { title }), path, children, place }]
    const text = title || entry.target
    return text && children.length > 0 ? [{ kind: 'text', title: text, children, place }] : children
  }

  /** Finds the file of an entry; undefined, with a warning, when it is missing or already listed. */
  #find({ target, line }: SummaryEntry & { kind: 'page' }): string | undefined {
    const { path: summary, root, has } = this.#place
    const places = [linkedPath(target, folderOf(summary)), linkedPath(target, root)].filter(path => path !== undefined)
    const candidates = places
      .flatMap(path => [path, joinInside(path, 'README.md') ?? path])
      .filter(path => isBelow(path, root) && isMarkdown(path))
    const path = candidates.find(has)
    if (path === undefined) this.#warn(line, missing(target, places, folderOf(summary)))
    else if (this.#listed.has(path)) this.#warn(line, `${path} is listed twice; the first entry counts`)
    return path === undefined || this.#listed.has(path) ? undefined : path
  }

  #warn(line: number, message: string) {
    this.warnings.push({ path: this.#place.path, message, line })
  }
}

function missing(target: string, places: string[], folder: string): string {
  if (target.startsWith('#') || target === '') return 'The entry leads to no file'
  const [path] = places
  if (path === undefined) return `${target} ${pathFault([folder, decodeUriComponent(target) ?? target])}`
  return isMarkdown(path) ? `${path} is not in the content folder` : `${path} is not a Markdown file`
}

function placeOf({ line, end }: Place): Place {
  return { line, end }
}
