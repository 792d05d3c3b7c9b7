import { eventually } from '@recto/testing'
import type { Person } from './people.ts'
import { request } from './walk.ts'

/** The id of a translation of a space into German. */
export async function aTranslation(
  { client }: Pick<Person, 'client'>,
  organizationId: string,
  space: string,
): Promise<string> {
  const source = { space, language: 'en' as never }
  return (await client.orgs.createTranslation(organizationId, { source, language: 'de' as never })).data.id
}

/** Runs a translation, and resolves to the run when it has ended. */
export async function aRun(
  person: Person,
  organizationId: string,
  translationId: string,
): Promise<{ id: string; state: string; sent: { segments: number }; failures: object[] }> {
  await person.client.orgs.runTranslation(organizationId, translationId)
  const path = `/orgs/${organizationId}/translations/${translationId}/runs?limit=1`
  type Runs = { items: Awaited<ReturnType<typeof aRun>>[] }
  return eventually(async () => {
    const [run] = (await request<Runs>(person, 'GET', path)).items
    if (!run || ['queued', 'running'].includes(run.state)) throw new Error(`the run is ${run?.state}`)
    return run
  })
}

/** The id of an entry in the glossary of an organization. */
export async function aGlossaryEntry({ client }: Pick<Person, 'client'>, organizationId: string): Promise<string> {
  const operations = [{ type: 'insert' as const, translations: { en: 'pipeline', de: 'Pipeline' } }]
  await client.orgs.updateGlossaryEntries(organizationId, { operations })
  return (await client.orgs.listGlossaryEntries(organizationId)).data.items[0]?.id ?? ''
}
