import { eventually } from '../eventually.ts'

/** The digits of the template that every copy has others of: in its texts, its e-mail and its names. */
export const templateNumber = 700_000_000

/** A running product, and the token of its administrator. */
export interface ProductAccess {
  url: string
  token: string
}

/** An organization with a space, a change request and an admin of its own. */
export interface SeededOrganization {
  organizationId: string
  spaceId: string
  changeRequestId: string
  userId: string
  /** The pages of the space, the same in all copies, as in the duplicate of a space. */
  pages: string[]
}

/** Changes that one request may have. */
const batch = 50
const vocabulary =
  'account address backup balance branch browser buffer bundle button cache certificate channel client cluster column command commit connection container cookie cursor dashboard database default delivery domain download endpoint engine event export feature field filter folder format function gateway header hostname image import index instance interface invoice journal keyboard label language layout library license limit machine manual memory message metric migration module monitor network notice object operator option order outage package parameter password patch pattern payment permission pipeline plugin policy pool printer process profile project protocol provider quota record region release replica report request resource response restore review role route sample schedule schema secret section sensor server service session setting signal snapshot source station storage stream string subject switch table template tenant thread ticket timeout token topic trace traffic upgrade upload user valve variable version visitor volume webhook window worker'.split(
    ' ',
  )

/** Words in an order that depends on the place only. */
function wordsAt(place: number, count: number): string[] {
  return Array.from(
    { length: count },
    (_, at) => vocabulary[(place * 31 + at * 17 + place * at) % vocabulary.length] ?? '',
  )
}

const titleOf = (place: number): string => `${wordsAt(place, 2).join(' ')} ${place}`

function markdownOf(place: number): string {
  const [first, second] = [wordsAt(place + 7, 20), wordsAt(place + 13, 20)].map(words => words.join(' '))
  return `# ${titleOf(place)}\n\nThe ${first}.\n\n## More of ${wordsAt(place, 1)[0]}\n\nEverything about ${second}, and ${templateNumber}.\n`
}

/** Creates an organization with a space of so many small pages, and a change request with one more, as its admin does. */
export async function aTemplateOrganization(product: ProductAccess, count: number): Promise<SeededOrganization> {
  const email = `owner-${templateNumber}@recto.test`
  const { id: userId } = await post<{ id: string }>(product, '/users', {
    email,
    displayName: `Owner ${templateNumber}`,
  })
  const owner = { url: product.url, token: await tokenOf(product, userId) }
  const { id: organizationId } = await post<{ id: string }>(owner, '/orgs', { title: `Organization ${templateNumber}` })
  const { id: spaceId } = await post<{ id: string }>(owner, `/orgs/${organizationId}/spaces`, { title: 'Manual' })
  const insert = (place: number) => ({
    operation: 'insert_page',
    title: titleOf(place),
    document: { markdown: markdownOf(place) },
  })
  for (let start = 0; start < count; start += batch) {
    const changes = Array.from({ length: Math.min(batch, count - start) }, (_, at) => insert(start + at))
    await post(owner, `/spaces/${spaceId}/content`, { changes })
  }
  const changeRequests = `/spaces/${spaceId}/change-requests`
  const { id: changeRequestId } = await post<{ id: string }>(owner, changeRequests, { subject: 'One more page' })
  await post(owner, `${changeRequests}/${changeRequestId}/content`, { changes: [insert(count)] })
  await addMore(owner, { organizationId, spaceId, changeRequestId, userId })
  await untilIndexed(owner, spaceId, count)
  const { pages } = await send<{ pages: { id: string }[] }>(owner, 'GET', `/spaces/${spaceId}/content/pages`)
  return { organizationId, spaceId, changeRequestId, userId, pages: pages.map(({ id }) => id) }
}

/** Adds rows to the tables of teams, invites, collections, permissions and comments. */
async function addMore(owner: ProductAccess, ids: Omit<SeededOrganization, 'pages'>): Promise<void> {
  const { organizationId, spaceId, userId } = ids
  const team = { title: 'Writers', members: [userId] }
  const { id: teamId } = await send<{ id: string }>(owner, 'PUT', `/orgs/${organizationId}/teams`, team)
  await post(owner, `/orgs/${organizationId}/link-invites`, { role: 'edit' })
  await post(owner, `/orgs/${organizationId}/collections`, { title: 'Manuals' })
  await post(owner, `/spaces/${spaceId}/permissions`, { teams: [teamId], role: 'edit' })
  const remark = { body: { markdown: 'Is this right?' } }
  const { id: comment } = await post<{ id: string }>(owner, `/spaces/${spaceId}/comments`, remark)
  await post(owner, `/spaces/${spaceId}/comments/${comment}/replies`, remark)
}

async function untilIndexed(owner: ProductAccess, spaceId: string, count: number): Promise<void> {
  await eventually(async () => {
    const path = `/spaces/${spaceId}/search?query=${templateNumber}`
    const { count: matches } = await send<{ count: number }>(owner, 'GET', path)
    if (matches !== count) throw new Error(`${matches} of ${count} pages are searchable`)
  })
}

/** A token of a user, as the platform's administrator issues it. */
export async function tokenOf(product: ProductAccess, userId: string): Promise<string> {
  return (await post<{ token: string }>(product, `/users/${userId}/tokens`, { name: 'seed' })).token
}

const post = <Reply>(product: ProductAccess, path: string, body: object) => send<Reply>(product, 'POST', path, body)

async function send<Reply>({ url, token }: ProductAccess, ...[method, path, body]: [string, string, object?]) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const reply = await fetch(`${url}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Reply
}
