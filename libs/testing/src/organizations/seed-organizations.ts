import { Client } from 'pg'
import { insertContent, readTemplateContent, type TemplateContent } from './copied-content.ts'
import {
  aTemplateOrganization,
  type ProductAccess,
  type SeededOrganization,
  templateNumber,
  tokenOf,
} from './template-organization.ts'
export type { SeededOrganization } from './template-organization.ts'
import { inBulk, insertCopies, readTemplateRows, type Copies, type TemplateRows } from './template-rows.ts'

/** Copies that one statement inserts. */
const batch = 100
/** Digits that an id of a copy ends with, in place of its last characters. */
const digits = 7

/** The databases that organizations are copied in, as a role that may do everything in them. */
export interface SeededDatabases {
  identity: string
  content: string
}

/** Copies of one organization in a running product. */
export interface OrganizationSeed {
  /** The tables that the copies are in. */
  tables: string[]
  /** Adds the copies after those that there are, so that there are `count` with the template. */
  growTo(count: number): Promise<void>
  /** A copy by its number, from 1, with a token of its admin; the template has the number 0. */
  organizationAt(number: number): Promise<SeededOrganization & { token: string }>
}

/** A product that has no organization yet, its databases, and how many pages each organization gets. */
export interface SeedOptions {
  product: ProductAccess
  databases: SeededDatabases
  pages: number
}

/**
 * Creates an organization by the API and reads its rows, to copy them with other ids, names and texts: the copies are in exactly the form
 * in which the product writes, whatever its schema.
 */
export async function organizationSeed({ product, databases, pages }: SeedOptions): Promise<OrganizationSeed> {
  const template = await aTemplateOrganization(product, pages)
  const parts = await withClients(databases, clients => readParts(clients, template))
  let last = 0
  return {
    tables: [...parts.identity.keys(), ...contentTablesOf(parts)],
    async growTo(count) {
      const range = { from: last + 1, to: count - 1 }
      last = range.to
      await withClients(databases, clients => copy(clients, parts, range))
    },
    async organizationAt(number) {
      const userId = copiedId(template.userId, number)
      return {
        organizationId: copiedId(template.organizationId, number),
        spaceId: copiedId(template.spaceId, number),
        changeRequestId: copiedId(template.changeRequestId, number),
        userId,
        pages: template.pages,
        token: await tokenOf(product, userId),
      }
    },
  }
}

type Clients = Record<keyof SeededDatabases, Client>

interface Parts {
  /** Ids and hashes of tokens, of which every copy has its own. */
  ids: string[]
  identity: TemplateRows
  content: TemplateRows
  stored: TemplateContent
}

async function readParts({ identity, content }: Clients, template: SeededOrganization): Promise<Parts> {
  const { organizationId, spaceId, changeRequestId, userId } = template
  const ids = new Set([organizationId, spaceId, changeRequestId, userId])
  const identityRows = await readRowsOf(identity, ids)
  const contentRows = await readRowsOf(content, ids)
  const revisions = contentRows.get('revisions') ?? []
  contentRows.delete('revisions')
  for (const hash of fieldOf(identityRows.get('tokens') ?? [], 'hash')) ids.add(hash)
  const stored = await readTemplateContent(content, revisions)
  return { ids: [...ids], identity: identityRows, content: contentRows, stored }
}

/** The rows that name one of the ids, and those that name one of the rows; adds the ids of all of them. */
async function readRowsOf(client: Client, ids: Set<string>): Promise<TemplateRows> {
  for (;;) {
    const before = ids.size
    const rows = await readTemplateRows(client, [...ids])
    for (const texts of rows.values()) for (const id of fieldOf(texts, 'id')) ids.add(id)
    if (ids.size === before) return rows
  }
}

function fieldOf(rows: string[], name: string): string[] {
  return rows.map(row => (JSON.parse(row) as Record<string, unknown>)[name]).filter(value => typeof value === 'string')
}

async function copy({ identity, content }: Clients, parts: Parts, { from, to }: { from: number; to: number }) {
  await inBulk(identity, [...parts.identity.keys()], () =>
    insertAll(identity, parts.identity, copiesOf(parts, { from, to })),
  )
  await inBulk(content, contentTablesOf(parts), async () => {
    for (let start = from; start <= to; start += batch) {
      const end = Math.min(to, start + batch - 1)
      const numbers = Array.from({ length: end - start + 1 }, (_, at) => start + at)
      await insertContent(
        content,
        parts.stored,
        numbers.map(number => replacerOf(parts, number)),
      )
      await insertAll(content, parts.content, copiesOf(parts, { from: start, to: end }))
    }
  })
}

const contentTablesOf = ({ content }: Parts): string[] => [...content.keys(), 'revisions', 'documents', 'tree_nodes']

async function insertAll(client: Client, rows: TemplateRows, copies: Copies): Promise<void> {
  for (const entry of rows) await insertCopies(client, entry, copies)
}

const reversed = (text: string): string => [...text].reverse().join('')
const copiedId = (id: string, number: number): string =>
  number === 0 ? id : `${id.slice(0, -digits)}${String(number).padStart(digits, '0')}`

/** The changes of a copy as SQL of its number `n`. */
function copiesOf({ ids }: Parts, range: { from: number; to: number }): Copies {
  const number = `(${templateNumber} + n)::text`
  return {
    ...range,
    replacements: [
      [String(templateNumber), number],
      [reversed(String(templateNumber)), `reverse(${number})`],
      ...ids.map(id => [id, `'${id.slice(0, -digits)}' || lpad(n::text, ${digits}, '0')`] as const),
    ],
  }
}

/** The changes of a copy as a function. */
function replacerOf({ ids }: Parts, number: number): (text: string) => string {
  const next = String(templateNumber + number)
  return text =>
    ids.reduce(
      (copied, id) => copied.replaceAll(id, copiedId(id, number)),
      text.replaceAll(String(templateNumber), next),
    )
}

async function withClients<Result>(
  { identity, content }: SeededDatabases,
  work: (clients: Clients) => Promise<Result>,
): Promise<Result> {
  const clients = { identity: new Client(identity), content: new Client(content) }
  await Promise.all([clients.identity.connect(), clients.content.connect()])
  try {
    return await work(clients)
  } finally {
    await Promise.all([clients.identity.end(), clients.content.end()])
  }
}
