/** A moment as RFC 3339 writes it. */
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i
const midnight = 'T00:00:00.000Z'

/** Reads the date of an update, a day or a moment, as a timestamp; a day starts at midnight in UTC. Undefined for all else. */
export function readUpdateDate(value: string): string | undefined {
  const timestamp = /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}${midnight}` : value
  return moment.test(timestamp) && isDay(timestamp.slice(0, 10)) && Number.isFinite(Date.parse(timestamp))
    ? timestamp
    : undefined
}

/** Whether the calendar has a day: `Date.parse` takes 30 February for 2 March. */
function isDay(day: string): boolean {
  const time = Date.parse(`${day}${midnight}`)
  return Number.isFinite(time) && new Date(time).toISOString().slice(0, 10) === day
}

/** Writes the date of an update as `readUpdateDate` reads it. */
export function writeUpdateDate(timestamp: unknown): string {
  const text = String(timestamp)
  return text.endsWith(midnight) ? text.slice(0, -midnight.length) : text
}

/** Reads the tags of an update, `api, beta`, as references. */
export function readUpdateTags(value: string): { kind: 'tag'; tag: string }[] {
  const names = value.split(',').map(name => name.trim())
  return names.filter(name => name !== '').map(tag => ({ kind: 'tag', tag }))
}

/** Writes the tags of an update as `readUpdateTags` reads them; undefined where an update has no list of them. */
export function writeUpdateTags(tags: unknown): string | undefined {
  return (tags as { tag: string }[] | undefined)?.map(({ tag }) => tag).join(',')
}
