import { createHash } from 'node:crypto'
import { createId } from '@recto/operation'
import { LRUCache } from 'lru-cache'
import { mainContent } from '../reading/resolve-revision.ts'
import type { Context } from '../shared/context.ts'
import { readQuestions } from './answer.rules.ts'
import type { Asker } from './asker.ts'
import { recommendationMessages } from './prompt.rules.ts'

/** Spaces and pages whose names are sent, and characters of a name. */
const maxSpaces = 10
const maxPages = 40
const maxName = 200
const maxQuestions = 5
const day = 86_400_000

/** Questions by the names that they were written from: who sees the same names gets the same questions. */
const recommendations = new LRUCache<string, string[]>({ max: 500, ttl: day })

interface RecommendationRequest {
  organizationId: string
  /** Ids of spaces that the caller may see; what they do not see of these is left out. */
  spaces: readonly string[]
}

/** Questions that the content of spaces answers, as the caller sees it; none without pages. */
export async function recommendQuestions(
  context: Context,
  asker: Asker,
  { organizationId, spaces }: RecommendationRequest,
): Promise<string[]> {
  const names = await readNames(context, spaces.slice(0, maxSpaces))
  if (names.length === 0) return []
  const key = createHash('sha256')
    .update(JSON.stringify([organizationId, names]))
    .digest('base64url')
  const questions = recommendations.get(key) ?? (await writeQuestions(context, asker, { organizationId, names }))
  if (questions.length > 0) recommendations.set(key, questions)
  return questions
}

async function writeQuestions(
  { db, signal }: Context,
  asker: Asker,
  { organizationId, names }: { organizationId: string; names: string[] },
): Promise<string[]> {
  const messages = recommendationMessages(names, createId())
  let reply = ''
  for await (reply of asker.ask(db, { organizationId, messages, signal }));
  return readQuestions(reply, maxQuestions)
}

/** The titles and descriptions of the first pages of spaces; of those that are listed. */
async function readNames(context: Context, spaces: readonly string[]): Promise<string[]> {
  const names: string[] = []
  const reading = { ...context, setETag: () => undefined }
  for (const spaceId of spaces) {
    const { view } = await mainContent({ spaceId, metadata: 'false' }, reading)
    const unlisted = new Set<string | null>()
    for (const { id, parent, type, title, description, hidden, noIndex } of (await view.pages()).inOrder()) {
      if (hidden === true || noIndex === true || unlisted.has(parent)) unlisted.add(id)
      else if (type === 'document') names.push((description ? `${title}: ${description}` : title).slice(0, maxName))
    }
  }
  return names.slice(0, maxPages)
}
