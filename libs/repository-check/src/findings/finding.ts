import { createHash } from 'node:crypto'

/** How much a finding matters: an error is content that readers miss or that an import refuses. */
export type Severity = 'error' | 'warning'

/** The rules with what each finds, and how much it matters unless its table of cases says otherwise. */
export const rules = {
  repository: { severity: 'error', summary: 'The folder can be read as a repository' },
  configuration: { severity: 'warning', summary: 'All of .gitbook.yaml takes effect' },
  summary: { severity: 'error', summary: 'All of SUMMARY.md is shown' },
  'front-matter': { severity: 'warning', summary: 'All of the front matter of pages takes effect' },
  settings: { severity: 'warning', summary: 'All of .gitbook/recto.yaml takes effect' },
  variables: { severity: 'warning', summary: 'All of .gitbook/vars.yaml takes effect' },
  tags: { severity: 'warning', summary: 'All of .gitbook/tags.yaml takes effect' },
  file: { severity: 'warning', summary: 'No entry of the folder is left out' },
  encoding: { severity: 'warning', summary: 'Texts are UTF-8' },
  page: { severity: 'warning', summary: 'Titles, covers and paths of pages can be shown' },
  link: { severity: 'error', summary: 'Links lead to pages and files of the content' },
  anchor: { severity: 'warning', summary: 'Links with an anchor lead to a heading' },
  'space-link': { severity: 'error', summary: 'Links to other spaces lead to spaces that exist' },
  'unknown-block': { severity: 'warning', summary: 'Blocks have names that readers can see' },
  'unpaired-block': { severity: 'error', summary: 'Blocks have a start and an end' },
  'page-bounds': { severity: 'warning', summary: 'Pages can be parsed within the bounds' },
  'unlisted-page': { severity: 'warning', summary: 'Every page is in the table of contents' },
  'image-too-large': { severity: 'warning', summary: 'Images are small enough to be loaded with a page' },
  'file-too-large': { severity: 'error', summary: 'Files are small enough to be imported' },
  'case-collision': { severity: 'warning', summary: 'No two names differ in case alone' },
} as const satisfies Record<string, { severity: Severity; summary: string }>

/** The name of a rule. */
export type Rule = keyof typeof rules

/** A fault at its place. */
export interface Finding {
  rule: Rule
  severity: Severity
  /** Path from the root of the folder; empty for the folder itself. */
  file: string
  /** From 1. */
  line?: number
  message: string
  /** The target of a link as it is written, or the name of a block. */
  target?: string
  /** The same for a finding whose line alone changes; findings that are otherwise equal are numbered. */
  fingerprint: string
}

/** A finding before it has a fingerprint. */
export type FindingDraft = Omit<Finding, 'fingerprint' | 'severity'> & { severity?: Severity }

/** Orders findings by their places, and gives each its severity and its fingerprint. */
export function finishFindings(drafts: readonly FindingDraft[]): Finding[] {
  const counts = new Map<string, number>()
  return drafts.toSorted(byPlace).map(draft => {
    const key = keyOf(draft)
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    const fingerprint = createHash('sha256').update(`${key}\0${count}`).digest('hex').slice(0, 32)
    return { severity: rules[draft.rule].severity, ...draft, fingerprint }
  })
}

/** Messages of YAML name lines, which move. */
function keyOf({ rule, file, target, message }: FindingDraft): string {
  return [rule, file, target ?? message.replace(/\b(lines?|column) \d+/g, '$1')].join('\0')
}

function byPlace(a: FindingDraft, b: FindingDraft): number {
  return (
    compare(a.file, b.file) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compare(a.rule, b.rule) ||
    compare(a.message, b.message) ||
    compare(a.target ?? '', b.target ?? '')
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Whether a finding is of error level. */
export function isError({ severity }: Finding): boolean {
  return severity === 'error'
}

/** The findings of a head that its base does not have: findings that are otherwise equal are numbered, so each counts. */
export function addedFindings(base: readonly Finding[], head: readonly Finding[]): Finding[] {
  const baseKeys = new Set(base.map(({ fingerprint }) => fingerprint))
  return head.filter(({ fingerprint }) => !baseKeys.has(fingerprint))
}
