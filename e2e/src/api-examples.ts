import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { base62Digits } from '@recto/operation'
import { examplesFile } from './config.ts'
import type { RawRequest } from './people.ts'

/** A request and its reply, as the API reference shows them. */
interface ApiExample {
  body?: unknown
  reply?: unknown
}

/** Items of lists in an example: more show nothing new. */
const maxItems = 2
const maxTextLength = 600

/** Records a request and a reply of each operation for the API reference. */
export class ApiExamples {
  private readonly examples: Record<string, ApiExample> = {}

  /** Keeps what was sent and got, unless the operation has an example that shows something: who has fewer rights is often shown nothing. */
  add(operationId: string, { body }: RawRequest, reply: unknown): void {
    const existing = this.examples[operationId]
    if (existing && !(isBare(existing.reply) && !isBare(reply))) return
    this.examples[operationId] = {
      ...(body !== undefined && { body }),
      ...(typeof reply === 'object' && reply !== null && { reply }),
    }
  }

  /** Writes the examples where `npm run examples` wants them; otherwise nothing. */
  async write(places: { installation: string; repository: string }): Promise<void> {
    if (examplesFile === undefined) return
    const sorted = Object.entries(this.examples).toSorted(([one], [other]) => one.localeCompare(other))
    const text = JSON.stringify(shortened(Object.fromEntries(sorted)), null, 1)
    await writeFile(examplesFile, `${withoutRun(text, places)}\n`)
  }
}

/** Whether a reply has lists, and nothing in any of them. */
function isBare(reply: unknown): boolean {
  if (typeof reply !== 'object' || reply === null) return false
  const lists = Object.values(reply).filter(Array.isArray)
  return lists.length > 0 && lists.every(list => list.length === 0)
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, maxTextLength)
  if (Array.isArray(value)) return value.slice(0, maxItems).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]))
}

const uuid = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g

/** Text of the form of a UUID with the version and the variant that random ones have (RFC 9562). */
function asUuid(text: string): string {
  return `${text.slice(0, 14)}4${text.slice(15, 19)}a${text.slice(20)}`
}

/** Replaces what differs between runs, so that recording again changes only what the API changed. */
function withoutRun(text: string, { installation, repository }: { installation: string; repository: string }): string {
  const standIns = new Map<string, string>()
  const standIn = (random: string) => {
    const text = standIns.get(random) ?? alike(random, standIns.size)
    standIns.set(random, text)
    return text
  }
  const names = new Map<string, string>()
  const numbered = (unique: string, word: string) => {
    const name = names.get(unique) ?? `${word}-${names.size + 1}`
    names.set(unique, name)
    return name
  }
  return text
    .replaceAll(repository, 'https://git.example.com/manual')
    .replaceAll(installation, 'https://docs.example.com')
    .replaceAll(/https?:\/\/127\.0\.0\.1:\d+/g, 'https://example.com')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '2026-11-25T09:00:00.000Z')
    .replaceAll(/\b(name|toys)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, numbered)
    .replaceAll(/(?<="hint": ")[^"]+/g, standIn)
    .replaceAll(/(?<="key": ")[\w-]{16}(?=")/g, standIn)
    .replaceAll(/\b[\w-]+@recto\.test/g, 'ada@example.com')
    .replaceAll(uuid, random => asUuid(standIn(random)))
    .replaceAll(/[\w-]{20,}(?!\w*":)/g, random => (isRandom(random) && !random.match(uuid) ? standIn(random) : random))
}

/** Ids, tokens, hashes and signatures: digits among letters, or twenty letters without an order of upper and lower case. */
const isRandom = (text: string) => (/\d/.test(text) && /[a-z]/i.test(text)) || /^[A-Za-z]{20}$/.test(text)

/** A text of the same length and alphabet, for a UUID with its hyphens, that follows from a number. */
function alike(random: string, index: number): string {
  const digest = createHash('sha512').update(String(index)).digest()
  const digits = alphabetOf(random)
  const isUuid = /^[0-9a-f]{8}-/.test(random)
  return [...random]
    .map((character, at) =>
      character === '-' && isUuid ? character : (digits[(digest[at % digest.length] ?? 0) % digits.length] ?? ''),
    )
    .join('')
}

function alphabetOf(text: string): string {
  if (/^[0-9a-f-]+$/.test(text)) return '0123456789abcdef'
  return /[A-Z]/.test(text) ? base62Digits : base62Digits.replaceAll(/[A-Z]/g, '')
}
