import { operations } from '@recto/operation'
import { z } from 'zod'

const ApiInformation = z
  .object({ version: z.string(), build: z.string() })
  .meta({ id: 'ApiInformation', description: 'Version of the API and of the build' })

/** Operations on the platform itself. */
export const service = operations({
  getApiInformation: {
    route: 'GET /',
    summary: 'Get the version of the API',
    reply: ApiInformation,
    access: { public: true },
  },
})
