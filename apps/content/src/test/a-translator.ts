import { aTranslationEngine, eventually, type TranslationEngine } from '@recto/testing'
import { aContent, aSpace, type ContentSetup, importInto, organization, type TestContent } from './content-setup.ts'

type Client = ReturnType<ContentSetup['as']>
type Run = Awaited<ReturnType<Client['getTranslationRun']>>

/** The content service with a test engine, and shorthands for what translations do. */
export interface Translator {
  content: ContentSetup
  engine: TranslationEngine
  client(): Client
  /** A space with this content, and a translation of it into German. */
  translation(content: TestContent, instructions?: string): Promise<TestTranslation>
  stop(): Promise<void>
}

export interface TestTranslation {
  id: string
  source: string
  target: string
  params: { organizationId: string; translationId: string }
  /** Imports other content into the source. */
  change(content: TestContent): Promise<void>
  /** Runs the translation, and resolves to the run when it has ended. */
  run(): Promise<Run>
  /** The Markdown of the target's pages by path. */
  pages(space?: string): Promise<Record<string, string>>
}

export async function aTranslator(
  environment: Record<string, string> = {},
  kind: 'libretranslate' | 'deepl' | 'openai' = 'deepl',
): Promise<Translator> {
  const engine = await aTranslationEngine()
  const content = await aContent({
    TRANSLATION_ENGINE: kind,
    TRANSLATION_ENGINE_URL: engine.url,
    TRANSLATION_ENGINE_KEY: 'secret-of-the-engine',
    TRANSLATION_ENGINE_MODEL: 'a-model',
    TRANSLATION_RETRY_DELAY: '1',
    OUTGOING_ALLOW: '',
    ...environment,
  })
  const client = () => content.as('create')
  return {
    content,
    engine,
    client,
    translation: async (pages, instructions) => {
      const source = await aSpace(content)
      await importInto(content, source, pages)
      return aTranslation({ content, client }, { source, instructions })
    },
    stop: async () => {
      await engine.stop()
      await content.stop()
    },
  }
}

export async function aTranslation(
  { content, client }: Pick<Translator, 'content' | 'client'>,
  { source, instructions }: { source: string; instructions?: string | undefined },
): Promise<TestTranslation> {
  const { id, result } = await client().createTranslation({
    params: { organizationId: organization },
    body: {
      source: { space: source, language: 'en' },
      language: 'de',
      ...(instructions !== undefined && { instructions: documentOf(instructions) }),
    },
  })
  const params = { organizationId: organization, translationId: id }
  const target = result?.space ?? ''
  return {
    id,
    source,
    target,
    params,
    change: async changed => void (await importInto(content, source, changed)),
    run: async () => {
      await client().runTranslation({ params })
      return finishedRun(client(), params)
    },
    pages: async (space = target) => {
      const { pages } = await client().listPages({ params: { spaceId: space } })
      return readPages(client(), space, pages)
    },
  }
}

/** The last run of a translation once it has ended. */
export function finishedRun(client: Client, params: TestTranslation['params']): Promise<Run> {
  return eventually(async () => {
    const { items } = await client.listTranslationRuns({ params, query: { limit: 1 } })
    const [run] = items
    if (!run || run.state === 'queued' || run.state === 'running') throw new Error(`the run is ${run?.state}`)
    return run
  })
}

type Pages = Awaited<ReturnType<Client['listPages']>>['pages']

async function readPages(client: Client, spaceId: string, pages: Pages): Promise<Record<string, string>> {
  const markdownByPath: Record<string, string> = {}
  for (const page of pages) {
    const read = await client.getPageById({ params: { spaceId, pageId: page.id }, query: {} })
    if ('markdown' in read) markdownByPath[read.path] = read.markdown ?? ''
    if ('pages' in page) Object.assign(markdownByPath, await readPages(client, spaceId, page.pages as Pages))
  }
  return markdownByPath
}

function documentOf(text: string) {
  const leaves = [{ object: 'leaf' as const, text, marks: [] }]
  const nodes = [{ object: 'block' as const, type: 'paragraph' as const, nodes: [{ object: 'text' as const, leaves }] }]
  return { object: 'document' as const, data: { schemaVersion: 8 }, nodes } as never
}
