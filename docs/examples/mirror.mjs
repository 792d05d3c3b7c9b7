// Keeps a file as a copy of the spaces of an organization: RECTO_TOKEN=… node mirror.mjs https://recto.example ORGANIZATION mirror.json
import { readFile, rename, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const [url, organization, file] = process.argv.slice(2)
const headers = { authorization: `Bearer ${process.env.RECTO_TOKEN}` }

async function get(path) {
  const reply = await fetch(`${url}/v1${path}`, { headers }).catch(() => ({ status: 503 }))
  if (reply.status >= 500) return sleep(1_000).then(() => get(path))
  if (!reply.ok && ![404, 410].includes(reply.status)) throw new Error(`${path} answers ${reply.status}`)
  return reply.ok ? reply.json() : undefined
}

async function copyAll() {
  const { cursor } = await get(`/orgs/${organization}/events?after=latest`)
  const spaces = {}
  for (let page = ''; page !== undefined;) {
    const { items, next } = await get(`/orgs/${organization}/spaces?limit=100${page}`)
    for (const { id, title } of items) spaces[id] = title
    page = next && `&page=${next.page}`
  }
  return { cursor, spaces }
}

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

for (let copy; ; await rename(`${file}.new`, file)) {
  copy = copy ? await follow(copy) : await readFile(file, 'utf8').then(JSON.parse, copyAll)
  await writeFile(`${file}.new`, JSON.stringify(copy))
}
