import { insightsLimits, type SiteInsightsEvent } from '@recto/contracts-publishing'
import { fieldFault } from '@recto/operation'
import type { z } from 'zod'
import type { Structure } from '../structure/structure.rules.ts'

export type InsightsEvent = z.output<typeof SiteInsightsEvent>

/** The dimensions by which events are counted; an empty text stands for none. */
export interface CounterKey {
  siteId: string
  /** ISO 8601 date in UTC. */
  day: string
  type: InsightsEvent['type']
  siteSpaceId: string
  /** The space that the site space showed. */
  spaceId: string
  pageId: string
  /** The detail by which events of one type differ: the query of a search, the rating or the comment on a page, where a link is, which list an agent asks for. */
  detail: string
}

export interface Counter extends CounterKey {
  count: number
}

/** A site on which events happened. */
export interface CountedSite {
  siteId: string
  structure: Structure
  now: Date
}

/**
 * Counts events by what is kept of them. Throws `invalid_request` for an event of another time, and `not_found` for one on a space
 * that the site does not show; both name the field.
 */
export function countersOf(events: readonly InsightsEvent[], site: CountedSite): Counter[] {
  const keys = events.map((event, at) => keyOf(event, site, `body.events.${at}`))
  const sums = new Map<string, Counter>()
  addCounters(
    sums,
    keys.map(key => ({ ...key, count: 1 })),
  )
  return [...sums.values()]
}

/** Adds counters to sums, which are kept by their names. */
export function addCounters(sums: Map<string, Counter>, counters: readonly Counter[]): void {
  for (const counter of counters) {
    const name = nameOf(counter)
    sums.set(name, { ...counter, count: counter.count + (sums.get(name)?.count ?? 0) })
  }
}

/** A text that identifies a counter. */
function nameOf({ siteId, day, type, siteSpaceId, spaceId, pageId, detail }: CounterKey): string {
  return JSON.stringify([siteId, day, type, siteSpaceId, spaceId, pageId, detail])
}

function keyOf(event: InsightsEvent, { siteId, structure, now }: CountedSite, field: string): CounterKey {
  const at = event.timestamp === undefined ? now : new Date(event.timestamp)
  if (Math.abs(at.getTime() - now.getTime()) > insightsLimits.clock)
    throw fieldFault(`${field}.timestamp`, 'must be within five minutes of now')
  const place = placeOf(event, structure, `${field}.location`)
  return { siteId, day: at.toISOString().slice(0, 10), type: event.type, ...place, ...partsOf(event) }
}

/** Where an event happened: the space on the site is known, whichever of both the event names. */
function placeOf({ location }: InsightsEvent, { siteSpaces }: Structure, field: string) {
  const { siteSpace, space } = location
  if (siteSpace === null && space === null) return { siteSpaceId: '', spaceId: '' }
  const visibleSiteSpace = siteSpaces.find(
    ({ id, spaceId, isDeleted }) => !isDeleted && (siteSpace === null ? spaceId === space : id === siteSpace),
  )
  if (!visibleSiteSpace)
    throw fieldFault(
      `${field}.${siteSpace === null ? 'space' : 'siteSpace'}`,
      'the site shows no such space',
      'not_found',
    )
  return { siteSpaceId: visibleSiteSpace.id, spaceId: visibleSiteSpace.spaceId }
}

/** Searches are counted by their query, wherever a visitor typed it; everything else by its page. */
function partsOf(event: InsightsEvent): { pageId: string; detail: string } {
  const pageId = event.location.page ?? ''
  switch (event.type) {
    case 'search_type_query':
    case 'search_open_result':
      return { pageId: '', detail: searchOf(event.query) }
    case 'page_post_feedback':
      return { pageId, detail: event.feedback.rating }
    case 'page_post_feedback_comment':
      return { pageId, detail: shortened(event.feedback.comment.trim()) }
    case 'link_click':
      return { pageId, detail: event.link.position }
    case 'llms_request':
      return { pageId, detail: event.llmsVariant }
    case 'page_markdown_request':
      return { pageId, detail: event.markdownSource ?? '' }
    default:
      return { pageId, detail: '' }
  }
}

/** A query as it is counted: the same words in lower case, and single spaces between them. */
export function searchOf(query: string): string {
  return shortened(query.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase())
}

/**
 * Returns the beginning of a text, no longer than the key of an index has room for in any script. Lower case can be longer than the query
 * that was sent.
 */
function shortened(text: string): string {
  return [...text].slice(0, insightsLimits.query).join('')
}
