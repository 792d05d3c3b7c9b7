import pg from 'pg'
import { aSpace, type Api } from './api.ts'
import { databaseUrl, type Stack } from './stack.ts'

/** A published site with a space of one page. */
export interface PublishedSite {
  id: string
  /** Its address, with a slash at its end. */
  url: string
  space: string
  revision: string
  page: string
}

/** Publishes a site with a page of some length. */
export async function aPublishedSite(api: Api, organization: string): Promise<PublishedSite> {
  const space = await aSpace(api, organization)
  const section = '## Section\n\nA paragraph of **some** words, with a [link](https://example.com/).\n\n'
  const document = { markdown: `# Page\n\n${section.repeat(20)}` }
  await api.post(`/spaces/${space}/content`, { changes: [{ operation: 'insert_page', title: 'Page', document }] })
  const { revision } = await api.get<{ revision: string }>(`/spaces/${space}`)
  const { pages } = await api.get<{ pages: { id: string }[] }>(`/spaces/${space}/content/pages`)
  const sites = `/orgs/${organization}/sites`
  const { id } = await api.post<{ id: string }>(sites, { title: 'Bench', spaces: [space] })
  const { urls } = await api.post<{ urls: { published: string } }>(`${sites}/${id}/publish`, {})
  return { id, url: urls.published, space, revision, page: pages[0]?.id ?? '' }
}

/** Adds copies of a site in the database of publishing; returns the addresses of all. */
export async function copySites(stack: Stack, { id, url }: PublishedSite, count: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: await databaseUrl(stack, 'publishing') })
  await client.connect()
  for (const [table, key, changes] of [
    ['sites', 'id', `'basename', row.basename || '-' || n`],
    ['site_spaces', 'site_id', `'site_id', row.site_id || '-' || n`],
  ])
    await client.query(
      `insert into ${table} select (jsonb_populate_record(row, jsonb_build_object('id', row.id || '-' || n, ${changes}))).*
       from ${table} row, generate_series(1, $2::int) n where row.${key} = $1`,
      [id, count],
    )
  await client.query('analyze')
  await client.end()
  const [, host = ''] = /^https:\/\/([^.]+)\./.exec(url) ?? []
  return Array.from({ length: count }, (_, at) => url.replace(host, `${host}-${at + 1}`))
}
