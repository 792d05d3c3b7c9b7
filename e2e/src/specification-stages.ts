import { eventually, lockTable, type WebServer } from '@recto/testing'
import { databaseUrl, untilAwaited } from './databases.ts'
import type { Hold } from './git-proxy.ts'
import type { NatsProxy } from './nats-proxy.ts'
import { aSpecificationText } from './specifications.ts'

/** A specification that is to be kept back, and what can keep it back. */
export interface HeldSpec {
  slug: string
  web: WebServer
  nats: NatsProxy
  dataDir: string
}

/** A stage of processing, at which a fault finds it. */
export interface SpecStage {
  slug: string
  name: string
  source(held: HeldSpec): { url: string } | { text: string }
  /** Keeps back what is created from the source. */
  hold(held: HeldSpec): Promise<Hold>
}

const pathOf = (slug: string) => `/${slug}.json`
const fromUrl = ({ web, slug }: HeldSpec) => ({ url: `${web.url}${pathOf(slug)}` })
const fromText = () => ({ text: aSpecificationText() })

/** A path that gets no answer until the release. */
function holdReply(web: WebServer, path: string, answer: string): Hold {
  const before = web.requests(path)
  web.set({ [path]: () => undefined })
  const isAsked = () => {
    if (web.requests(path) === before) throw new Error(`Nobody asks for ${path}`)
  }
  return {
    reached: eventually(isAsked),
    release: () => web.set({ [path]: answer }),
  }
}

/** The stages of processing a specification. Locking the table comes last, since all that write a version wait for it. */
export const specStages: SpecStage[] = [
  {
    slug: 'fetching',
    name: 'while it fetches the source',
    source: fromUrl,
    hold: async ({ web, slug }) => holdReply(web, pathOf(slug), aSpecificationText()),
  },
  {
    slug: 'fetched',
    name: 'while it fetches what the source refers to',
    source: fromUrl,
    hold: async ({ web, slug }) => {
      const part = `/${slug}-part.json`
      const components = { schemas: { Toy: { $ref: `.${part}` } } }
      web.set({ [pathOf(slug)]: JSON.stringify({ ...JSON.parse(aSpecificationText()), components }) })
      return holdReply(web, part, '{"type": "string"}')
    },
  },
  {
    slug: 'written',
    name: 'before it publishes the version that it wrote',
    source: fromText,
    hold: async ({ nats, slug }) =>
      nats.hold(
        ({ client, to, subject, body }) =>
          client === 'openapi-specs' && to === 'server' && subject.endsWith('.version.added') && body.includes(slug),
      ),
  },
  {
    slug: 'read',
    name: 'while it writes the version that it read',
    source: fromText,
    hold: async ({ dataDir }) => {
      const table = await lockTable(databaseUrl(dataDir, 'openapi-specs'), 'openapi_spec_versions')
      return { reached: untilAwaited(table), release: () => void table.release() }
    },
  },
]
