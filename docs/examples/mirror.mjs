// Keeps a file as a copy of the spaces of an organization, through restarts: node mirror.mjs https://recto.example ORGANIZATION mirror.json
import { readFile, rename, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const [url, organization, file] = process.argv.slice(2)
const headers = { authorization: `Bearer ${process.env.RECTO_TOKEN}` }

/** The JSON at a path; undefined for what is not there any more. */
async function get(path) {
  const reply = await fetch(`${url}/v1${path}`, { headers })
  if (reply.ok) return reply.json()
  if (reply.status === 404 || reply.status === 410) return undefined
  throw new Error(`${path} answers ${reply.status}`)
}

/** All spaces, as of a place in the feed that was there before they were read. */
async function copyAll() {
  const { cursor } = await get(`/orgs/${organization}/events?after=latest`)
  const spaces = {}
  for (let page = ''; page !== undefined;) {
    const list = await get(`/orgs/${organization}/spaces?limit=100${page}`)
    for (const space of list.items) spaces[space.id] = space.title
    page = list.next && `&page=${encodeURIComponent(list.next.page)}`
  }
  return { cursor, spaces }
}

/** The copy with what has happened since, when something has. */
async function follow({ cursor, spaces }) {
  const part = await get(`/orgs/${organization}/events?wait=30&limit=1000&after=${cursor}`)
  if (!part) return copyAll()
  for (const id of new Set(part.events.map(({ subject }) => subject.space).filter(Boolean))) {
    const space = await get(`/spaces/${id}`)
    if (space && !space.deletedAt) spaces[id] = space.title
    else delete spaces[id]
  }
  return { cursor: part.cursor, spaces }
}

for (let copy; ;) {
  try {
    copy = copy ? await follow(copy) : await readFile(file, 'utf8').then(JSON.parse, copyAll)
    await writeFile(`${file}.new`, JSON.stringify(copy))
    await rename(`${file}.new`, file)
  } catch (error) {
    console.error(error.message)
    await sleep(1_000)
  }
}
