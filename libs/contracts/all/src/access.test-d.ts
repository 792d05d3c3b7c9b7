import { endpoints, inOrganization, onResource, readersAndVisitors } from '@recto/contracts-shared'
import { z } from 'zod'

const reply = z.object({ id: z.string() })

export const rows = endpoints({
  getThing: {
    route: 'GET /things/{thingId}',
    summary: 'Get a thing',
    reply,
    scope: 'space:read',
    access: readersAndVisitors,
  },
  makeThing: {
    route: 'POST /things',
    summary: 'Make a thing',
    reply,
    scope: 'space:write',
    access: inOrganization('create'),
  },
})

// @ts-expect-error a row that does not say who may use it does not compile
endpoints({ getThing: { route: 'GET /things/{thingId}', summary: 'Get a thing', scope: 'space:read', reply } })

// @ts-expect-error nor one that does not say which scope a token needs
endpoints({ getThing: { route: 'GET /things', summary: 'Get things', reply, access: onResource('read') } })

// @ts-expect-error nor does one without route
endpoints({ countThings: { summary: 'Count things', reply, scope: 'space:read', access: onResource('read') } })

// @ts-expect-error nor one for a role that does not exist
endpoints({ getThing: { ...rows.getThing, access: onResource('owner') } })

// @ts-expect-error nor an example that answers with a status that no row has
endpoints({ getThing: { ...rows.getThing, examples: [{ answers: 418 }] } })
