import { setTimeout as sleep } from 'node:timers/promises'
import { type Api, aSpace } from './api.ts'
import type { Bench } from './bench.ts'
import { importRepository, serveGenerated } from './imports.ts'

const pollMs = 20

/** A space with generated pages that are searchable. */
export interface GeneratedSpace {
  space: string
  /** From the end of the import until all pages were searchable. */
  seconds: number
}

const made = new WeakMap<Bench, Map<number, Promise<GeneratedSpace>>>()

/** The space with so many generated pages, which the measures of a run share since it takes long to make. */
export function generatedSpace(bench: Bench, count: number): Promise<GeneratedSpace> {
  const spaces = made.get(bench) ?? new Map<number, Promise<GeneratedSpace>>()
  made.set(bench, spaces)
  const madeSpace = spaces.get(count) ?? newGeneratedSpace(bench, count)
  spaces.set(count, madeSpace)
  return madeSpace
}

/** Another space with so many generated pages. */
export async function newGeneratedSpace({ api, organization, cleanup }: Bench, count: number): Promise<GeneratedSpace> {
  const { url } = await serveGenerated(cleanup, count)
  const space = await aSpace(api, organization)
  await importRepository(api, space, url)
  const imported = performance.now()
  await untilSearchable(api, space, 'paragraph')
  return { space, seconds: (performance.now() - imported) / 1000 }
}

/** Waits until a search finds something; returns how many pages. */
export async function untilSearchable(api: Api, space: string, query: string): Promise<number> {
  for (;;) {
    const { count } = await api.get<{ count: number }>(searchPath(space, query))
    if (count > 0) return count
    await sleep(pollMs)
  }
}

/** The path of a search in a space. */
export function searchPath(space: string, query: string): string {
  return `/spaces/${space}/search?limit=20&query=${encodeURIComponent(query)}`
}

/** The ids of all pages of a space. */
export async function pagesOf({ api }: Bench, space: string): Promise<string[]> {
  interface Listed {
    id: string
    pages?: Listed[]
  }
  const { pages } = await api.get<{ pages: Listed[] }>(`/spaces/${space}/content/pages`)
  const flat = (all: Listed[]): string[] => all.flatMap(({ id, pages: below = [] }) => [id, ...flat(below)])
  return flat(pages)
}
