import { z } from 'zod'
import { compose, feature, fromView, operations, type Client, type Operation } from './operation.ts'

const rows = operations({
  getThing: { route: 'GET /things/{thingId}', summary: 'Get a thing', reply: z.object({ id: z.string() }) },
  putThing: {
    route: 'PUT /boxes/{boxId}/things/{thingId}',
    summary: 'Put a thing',
    body: z.object({ title: z.string() }),
    reply: z.object({ id: z.string() }),
  },
})
interface Context {
  now: Date
  actor: { userId: string } | undefined
}
const handlers = feature<Context>()

const getThing = async ({ params }: { params: { thingId: string } }) => ({ id: params.thingId })
const putThing = async ({ body }: { body: { title: string } }) => ({ id: body.title })

handlers(rows, { getThing, putThing })

// @ts-expect-error a missing handler does not compile
handlers(rows, { getThing })

// @ts-expect-error an extra handler does not compile
handlers(rows, { getThing, putThing, dropThing: getThing })

const oneTooMany = { getThing, putThing, dropThing: getThing }
// @ts-expect-error an extra handler does not compile, spread or not
handlers(rows, { ...oneTooMany })

// @ts-expect-error a reply of the wrong shape does not compile
handlers(rows, { getThing: async () => ({ id: 1 }), putThing })

// @ts-expect-error a parameter that the route does not have does not compile
handlers(rows, { getThing: async ({ params }) => ({ id: params.boxId }), putThing })

handlers(rows, {
  getThing: async (_input, { now }) => ({ id: now.toISOString() }),
  putThing: async ({ params, body }) => ({ id: params.boxId + params.thingId + body.title }),
})

declare const client: Client<typeof rows>
void client.getThing({ params: { thingId: 'a' } }).then(thing => thing.id)
// @ts-expect-error parameters are required
void client.getThing()
// @ts-expect-error a body of the wrong shape does not compile
void client.putThing({ params: { boxId: 'a', thingId: 'b' }, body: { title: 1 } })

const openRows = operations({
  getNews: {
    route: 'GET /news',
    summary: 'Get the news',
    reply: z.object({ id: z.string() }),
    access: { public: true },
  },
  countThings: { summary: 'Count things', reply: z.object({ id: z.string() }) },
})

// On a row that needs a token there is always an actor.
const things = handlers(rows, { getThing: async (_input, { actor }) => ({ id: actor.userId }), putThing })

const news = handlers(openRows, {
  getNews: async (_input, { actor }) => ({ id: actor?.userId ?? 'nobody' }),
  countThings: async (_input, { actor }) => ({ id: actor?.userId ?? 'nobody' }),
})

handlers(openRows, {
  // @ts-expect-error on a public row there may be none
  getNews: async (_input, { actor }) => ({ id: actor.userId }),
  // @ts-expect-error nor on a call between services
  countThings: async (_input, { actor }) => ({ id: actor.userId }),
})

const table = { ...rows, ...openRows }

compose<Context>()(table, [things, news])

// @ts-expect-error a feature that is not composed does not compile
compose<Context>()(table, [things])

// @ts-expect-error nor one that is no part of the table
compose<Context>()(rows, [things, news])

const demanding = feature<Context & { later: Date }>()(rows, { getThing, putThing })
// @ts-expect-error nor one that needs more than the service gives
compose<Context>()(rows, [demanding])

const hooks = operations({
  receive: {
    route: 'POST /hook',
    summary: 'Receive',
    request: { headers: ['x-signature'], raw: true },
    reply: z.object({ id: z.string() }),
    access: { public: true },
  },
})

handlers(hooks, { receive: async ({ headers, raw }) => ({ id: `${headers['x-signature']} ${raw.byteLength}` }) })
// @ts-expect-error a handler gets the headers that its row names, and no others
handlers(hooks, { receive: async ({ headers }) => ({ id: `${headers['x-other']}` }) })
// @ts-expect-error nor does it get bytes unless the row says so
handlers(rows, { getThing: async ({ raw }) => ({ id: raw }), putThing })

declare const hookClient: Client<typeof hooks>
void hookClient.receive({ raw: Buffer.from('') })
// @ts-expect-error the bytes are required
void hookClient.receive({ headers: { 'x-signature': 'a' } })

const visitedRows = operations({
  getRoom: {
    route: 'GET /rooms/{roomId}',
    summary: 'Get a room',
    access: { callers: ['guest'] },
    reply: z.object({ id: z.string() }),
  },
})
const openRoom = async ({ params }: { params: { roomId: string } }) => ({ room: params.roomId })
handlers(visitedRows, { getRoom: fromView(openRoom, ({ room }) => ({ id: room })) })

// @ts-expect-error a handler that answers others than users does not compile without a view
handlers(visitedRows, { getRoom: async ({ params }) => ({ id: params.roomId }) })

// @ts-expect-error a reply of the wrong shape does not compile, from a view either
handlers(visitedRows, { getRoom: fromView(openRoom, ({ room }) => ({ id: room.length })) })

const row = { summary: 'A row', reply: z.object({ id: z.string() }) }

export const formRows = operations({
  sign: {
    route: 'POST /sign',
    summary: 'Sign',
    reply: row.reply,
    body: z.object({ name: z.string() }),
    request: { form: true, optionalBody: true },
  },
})
declare const formClient: Client<typeof formRows>
void formClient.sign()
// @ts-expect-error a form is a request's only other encoding, and has no name
operations({ sign: { ...row, request: { form: 'multipart' } } })
// @ts-expect-error names of headers are in lower case
operations({ receive: { ...row, request: { headers: ['X-Signature'] } } })

operations({ getFile: { ...row, response: { mediaType: 'application/yaml' } } })
// @ts-expect-error a media type that no client of ours expects does not compile
operations({ getFile: { ...row, response: { mediaType: 'text/csv' } } })

operations({ addThing: { ...row, creates: 'resource' } })
// @ts-expect-error a row creates in one of three ways
operations({ addThing: { ...row, creates: true } })
// @ts-expect-error 201 is the status of a row that creates, not a status to choose
operations({ addThing: { ...row, status: 201 } })

operations({ getPlan: { ...row, cache: { immutable: true, within: 'boxId' } } })
operations({ getPlan: { ...row, cache: { sharedForSeconds: 60 } } })
// @ts-expect-error the reply that changes for everybody is not the reply that never changes
operations({ getPlan: { ...row, cache: { immutable: true, sharedForSeconds: 60 } } })
// @ts-expect-error only a reply that never changes belongs to a resource of the path
operations({ getPlan: { ...row, cache: { sharedForSeconds: 60, within: 'boxId' } } })

const signedRows = operations({
  push: { ...row, request: { raw: true }, limits: { signedBytes: 10, timeoutMs: 5 }, access: { public: true } },
})
handlers(signedRows, { push: async ({ signature, raw }) => ({ id: signature ?? `${raw.byteLength}` }) })
// @ts-expect-error without a limit of signed bytes there is no signature
handlers(hooks, { receive: async ({ signature }) => ({ id: signature }) })
// @ts-expect-error limits name their unit
operations({ push: { ...row, limits: { timeout: 5 } } })

operations({ getThing: { ...row, access: { group: 'admin' } } })
// @ts-expect-error a group of scopes is one of the list
operations({ getThing: { ...row, access: { group: 'everything' } } })

// @ts-expect-error a field that stands outside of its group does not compile
export const ungrouped: Operation = { ...row, immutable: true }
