/** A file on disk, as the API sent it. */
export interface FileFacts {
  size: number
  headers: Readonly<Record<string, string>>
}

/** The answer to a request for a file: its status and headers, and the bytes to send, from the first to the last; none without `part`. */
export interface FileAnswer {
  status: 200 | 206 | 304 | 416
  headers: Record<string, string>
  part?: { start: number; end: number }
}

/** The headers of a file that are kept with it. */
export const fileHeaderNames = ['content-type', 'etag', 'content-disposition'] as const

/** Answers a request for a file with conditions and a range (RFC 9110, 13.1 and 14.2); several ranges are answered with all of it. */
export function fileAnswer(
  { size, headers }: FileFacts,
  conditions: Readonly<Record<string, string | undefined>>,
): FileAnswer {
  const { etag } = headers
  if (etag !== undefined && listsTag(conditions['if-none-match'], etag)) return { status: 304, headers: { ...headers } }
  const all = { ...headers, 'accept-ranges': 'bytes' }
  const range = isSameFile(conditions['if-range'], etag) ? rangeIn(conditions.range, size) : undefined
  if (range === 'outside') return { status: 416, headers: { 'content-range': `bytes */${size}` } }
  if (!range)
    return { status: 200, headers: { ...all, 'content-length': String(size) }, part: { start: 0, end: size - 1 } }
  const { start, end } = range
  const rangeHeaders = { 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': String(end - start + 1) }
  return { status: 206, headers: { ...all, ...rangeHeaders }, part: range }
}

const opaque = (tag: string) => tag.trim().replace(/^W\//, '')

function listsTag(list: string | undefined, etag: string): boolean {
  return list !== undefined && (list.trim() === '*' || list.split(',').some(tag => opaque(tag) === opaque(etag)))
}

/** A range is of the same file only by a strong tag. */
function isSameFile(condition: string | undefined, etag: string | undefined): boolean {
  return condition === undefined || (condition === etag && !condition.startsWith('W/'))
}

function rangeIn(range: string | undefined, size: number): { start: number; end: number } | 'outside' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  return start > end ? 'outside' : { start, end }
}
