import { z } from 'zod'
import { implement, operations, type Client } from './operation.ts'

const rows = operations({
  getThing: { route: 'GET /things/{thingId}', summary: 'Get a thing', reply: z.object({ id: z.string() }) },
  putThing: {
    route: 'PUT /boxes/{boxId}/things/{thingId}',
    summary: 'Put a thing',
    body: z.object({ title: z.string() }),
    reply: z.object({ id: z.string() }),
  },
})
const handlers = implement<{ now: Date }>()

const getThing = async ({ params }: { params: { thingId: string } }) => ({ id: params.thingId })
const putThing = async ({ body }: { body: { title: string } }) => ({ id: body.title })

handlers(rows, { getThing, putThing })

// @ts-expect-error a missing handler does not compile
handlers(rows, { getThing })

// @ts-expect-error an extra handler does not compile
handlers(rows, { getThing, putThing, dropThing: getThing })

// @ts-expect-error an extra handler does not compile, spread or not
handlers(rows, { ...{ getThing, putThing, dropThing: getThing } })

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
