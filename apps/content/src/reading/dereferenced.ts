import { type DocumentBlock, type JSONDocument, withIncluded, withSeed } from '@recto/markdown'
import type { ReusableRecord } from '../revisions/records.ts'
import {
  type ReadContent,
  readDocument,
  storedText,
  textOfReusable,
  type TextRequest,
  type TextTools,
  type WrittenText,
} from './read-text.ts'

/** Levels of reusable contents that include others; a cycle of them ends here. */
const maxDepth = 4
/** Bounds of one text, above which further includes stay references: how many there are, and bytes of their Markdown together. */
const maxIncluded = { count: 200, bytes: 4 * 1024 * 1024 }

/** Counts what a text includes: `takes` is false when there is too much. */
export interface IncludeBudget {
  count: number
  takes(bytes: number): boolean
}

/** The budget of one text. */
export function includeBudget(): IncludeBudget {
  let bytes = 0
  return {
    count: 0,
    takes(more) {
      bytes += more
      this.count += 1
      return this.count <= maxIncluded.count && bytes <= maxIncluded.bytes
    },
  }
}

type Request = Omit<TextRequest, 'format'> & ReadContent

/** Finds what a text includes; undefined for what the caller does not see, and for what is nested too deeply or too large. */
export async function includedText(
  id: string,
  { depth, budget, view }: { depth: number; budget: IncludeBudget } & Pick<ReadContent, 'view'>,
  context: TextTools,
): Promise<WrittenText | undefined> {
  if (!view || depth >= maxDepth) return undefined
  const record = (await view.reusableContents()).find((one: ReusableRecord) => one.id === id)
  if (!record) return undefined
  const text = textOfReusable(await view.textOf(record))
  const stored = await storedText(text, context)
  return budget.takes(stored?.bytes.length ?? 0) ? text : undefined
}

/**
 * Reads a text as a document. Where the request says so, the blocks of reusable contents stand where they are included. All else that a
 * document refers to is a reference in every case: its nodes have no place for pages and files.
 */
export async function readDereferenced(text: WrittenText, request: Request, context: TextTools): Promise<JSONDocument> {
  const document = await readDocument(text, request, context)
  const isWhole = request.dereferenced === 'true' || request.dereferenced === 'reusable-contents'
  return isWhole ? withContents(document, { request, depth: 0, budget: includeBudget() }, context) : document
}

async function withContents(
  document: JSONDocument,
  place: { request: Request; depth: number; budget: IncludeBudget },
  context: TextTools,
): Promise<JSONDocument> {
  const { request, depth, budget } = place
  return withIncluded(document, async (id): Promise<DocumentBlock[] | undefined> => {
    const text = await includedText(id, { depth, budget, view: request.view }, context)
    if (!text) return undefined
    const seed = `${id} ${budget.count}`
    const included = await readDocument(text, request, context)
    // A content that is included twice has other keys each time.
    return withSeed(await withContents(included, { ...place, depth: depth + 1 }, context), seed).nodes
  })
}
