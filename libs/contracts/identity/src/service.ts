import { z } from 'zod'
import { endpoints, anyone } from '@recto/contracts-shared'

const ApiInformation = z
  .object({ version: z.string(), build: z.string() })
  .meta({ id: 'ApiInformation', description: 'Version of the API and of the build' })

/** Operations on the platform itself. */
export const service = endpoints({
  getApiInformation: {
    route: 'GET /',
    summary: 'Get the version of the API',
    reply: ApiInformation,
    access: anyone,
  },
})
