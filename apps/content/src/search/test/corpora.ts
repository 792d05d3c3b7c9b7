import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cloneBundle } from '@recto/testing'
import type { PageFields } from '../../test/content-setup.ts'

/** A query, and the paths of the pages of which one should come first. */
export interface RelevanceCase {
  kind: string
  query: string
  expect: string[]
}

/** Pages by path, with their titles. */
export interface Corpus {
  pages: Record<string, string>
  fields: Record<string, PageFields>
}

const folder = join(import.meta.dirname, '../relevance')
const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown

/** The queries of a relevance set. */
export function casesOf(name: 'fluentd' | 'fixture'): RelevanceCase[] {
  return readJson(`${name}-queries.json`) as RelevanceCase[]
}

/** Pages in Chinese, Japanese, Korean, German, Arabic and Thai. */
export function fixtureCorpus(): Corpus {
  const pages = readJson('fixture-pages.json') as { path: string; title: string; markdown: string }[]
  const corpus: Corpus = { pages: {}, fields: {} }
  for (const { path, title, markdown } of pages) {
    const [language = ''] = path.split('/')
    corpus.pages[language] ??= ''
    corpus.fields[language] ??= { title: language }
    corpus.pages[path] = markdown
    corpus.fields[path] = { title }
  }
  return corpus
}

/** The manual in a bundle, with the titles of its table of contents. */
export async function manualCorpus(bundle: string): Promise<Corpus> {
  const clone = await cloneBundle(bundle)
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', clone.path, ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const summary = git('show', 'HEAD:SUMMARY.md')
  const entries = [...summary.matchAll(/^ *\* \[(.+)\]\(([^)]+\.md)\)$/gm)].map(([, title = '', file = '']) => ({
    title: title.replaceAll('\\', ''),
    file,
    path: file === 'README.md' ? 'readme' : file.replace(/(?:\/README)?\.md$/, ''),
  }))
  const corpus: Corpus = { pages: {}, fields: {} }
  for (const { path, title, file } of entries) {
    corpus.pages[path] = git('show', `HEAD:${file}`)
    corpus.fields[path] = { title }
  }
  await clone.remove()
  return corpus
}

/** The mean of the reciprocal ranks of the first expected pages; 0 for a query that finds none. */
export function meanReciprocalRank(ranks: number[]): number {
  return ranks.reduce((sum, rank) => sum + (rank === 0 ? 0 : 1 / rank), 0) / ranks.length
}
