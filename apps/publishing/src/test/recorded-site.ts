import type { NamedIds } from '@recto/testing'
import { organization, type PublishingSetup } from './publishing-setup.ts'

/** A text that no record has. */
export const needle = 'a-needle'
/** Another one. */
export const longer = `${needle}-and-is-longer`
/** An address that no record has. */
export const url = `https://${needle}.test/`

/** Details that name these fields. */
export const fields = (...names: string[]) => ({ fields: names })

/** Calls of an admin whose changes are recorded; `ids` are those of what the calls before made. */
export function aRecordedSite(publishing: () => PublishingSetup) {
  const ids: NamedIds = {}
  const id = (name: string) => ids[name] ?? ''
  const params = () => ({ organizationId: organization, siteId: id('site') })
  return {
    ids,
    id,
    params,
    /** The parameters of something on the site. */
    at: <Params = never>(kind: string) => ({ ...params(), [`${kind}Id`]: id(kind) }) as Params,
    ada: () => publishing().as('admin', 'ada'),
    space: () => publishing().content.aSpace(needle),
    keep: async (name: string, made: Promise<{ id: string }>) => {
      ids[name] = (await made).id
    },
  }
}

/** A site and what calls of the tests before made on it. */
export type RecordedSite = ReturnType<typeof aRecordedSite>
