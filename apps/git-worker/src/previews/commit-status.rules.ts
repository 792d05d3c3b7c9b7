import type { GitError } from '@recto/contracts-git-worker'
import type { z } from 'zod'
import type { PreviewReport } from './preview-report.rules.ts'

/** The state of a commit as a forge shows it. An `error` is not the fault of the commit. */
export interface CommitStatus {
  state: 'pending' | 'success' | 'failure' | 'error'
  description: string
  /** The address of the preview; null where there is none. */
  targetUrl: string | null
}

/** The facts of a preview that decide the status of its commits. */
export interface PreviewFacts {
  state: 'open' | 'merged' | 'closed' | 'ended'
  /** The newest commit of the pull request; null while it is not known. */
  head: string | null
  /** The commit that the preview shows, or that could not be imported. */
  commit: string | null
  revision: string | null
  error: z.output<typeof GitError> | null
  /** The result of checking the commit; null until it has ended. */
  report: PreviewReport | null
  /** The address of the preview; null while no published site shows the space. */
  address: string | null
}

/** Characters of a description that every forge shows. */
const maxDescriptionLength = 140

/** Failures of imports that the files of a commit cause; others are ours, or those of the git server. */
const causedByFiles: readonly string[] = ['invalid_configuration', 'invalid_repository', 'too_large']

/**
 * The status of a commit of a pull request; undefined for one that keeps the status that it has. It says success only of a commit that was
 * imported and checked, and leads to the preview only while that exists.
 */
export function statusOf(preview: PreviewFacts, commit: string, isPending: boolean): CommitStatus | undefined {
  const { state, head, error, report, address } = preview
  if (commit !== head) return isPending ? ended('A newer commit took its place before it was checked') : undefined
  const isDone = preview.commit === head
  if (state !== 'open') return closedStatus(preview, isDone)
  const targetUrl = preview.revision === null ? null : address
  if (!isDone) return { state: 'pending', description: 'The preview is being made', targetUrl: null }
  if (error) return failed(error)
  if (!report) return { state: 'pending', description: 'The preview is being checked', targetUrl }
  return { ...resultOf(report), targetUrl }
}

const ends = {
  merged: 'The pull request was merged',
  closed: 'The pull request was closed',
  ended: 'Previews were switched off',
} as const

function closedStatus({ state, error, report }: PreviewFacts, isDone: boolean): CommitStatus {
  const end = ends[state as keyof typeof ends]
  const result = !isDone ? undefined : error ? failed(error) : report ? resultOf(report) : undefined
  if (!result) return ended(`${end} before the commit was checked`)
  return { state: result.state, description: shorten(`${result.description}. ${end}`), targetUrl: null }
}

function ended(description: string): CommitStatus {
  return { state: 'error', description, targetUrl: null }
}

function failed({ code, message, path }: z.output<typeof GitError>): CommitStatus {
  const place = path === undefined || message.includes(path) ? '' : `${path}: `
  const state = causedByFiles.includes(code) ? 'failure' : 'error'
  return { state, description: shorten(`${place}${message}`), targetUrl: null }
}

function resultOf({ pages, faults, roundTrip }: PreviewReport): Pick<CommitStatus, 'state' | 'description'> {
  const count = pages.added + pages.changed + pages.removed
  const changes = `${counted(count, 'page')} changed`
  const [first] = faults.items
  if (faults.errors > 0) {
    const place = first ? `: ${first.file}${first.line === undefined ? '' : `:${first.line}`}, ${first.message}` : ''
    return { state: 'failure', description: shorten(`${changes}, ${counted(faults.errors, 'new fault')}${place}`) }
  }
  const warnings = faults.warnings === 0 ? 'no new faults' : counted(faults.warnings, 'new warning')
  const proof = { identical: ', byte for byte', different: '; an export would change files', unknown: '' }
  return { state: 'success', description: shorten(`${changes}, ${warnings}${proof[roundTrip.state]}`) }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Forges count characters, and some refuse a longer text. */
function shorten(text: string): string {
  const characters = [...text.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim()]
  return characters.length <= maxDescriptionLength
    ? characters.join('')
    : `${characters.slice(0, maxDescriptionLength - 1).join('')}…`
}
