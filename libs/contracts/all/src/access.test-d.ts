import { endpoints, inOrganization, onResource, readersAndVisitors } from '@recto/contracts-shared'
import { z } from 'zod'

const reply = z.object({ id: z.string() })

export const rows = endpoints({
  getThing: { route: 'GET /things/{thingId}', summary: 'Get a thing', reply, access: readersAndVisitors },
  makeThing: { route: 'POST /things', summary: 'Make a thing', reply, access: inOrganization('create') },
})

// @ts-expect-error a row that does not say who may use it does not compile
endpoints({ getThing: { route: 'GET /things/{thingId}', summary: 'Get a thing', reply } })

// @ts-expect-error nor does one without route
endpoints({ countThings: { summary: 'Count things', reply, access: onResource('read') } })

// @ts-expect-error nor one for a role that does not exist
endpoints({ getThing: { route: 'GET /things', summary: 'Get things', reply, access: onResource('owner') } })

// @ts-expect-error nor an example that answers with a status that no row has
endpoints({ getThing: { ...rows.getThing, examples: [{ answers: 418 }] } })
