import { z } from 'zod'
import { endpoints, anyone } from '@recto/contracts-shared'

const ApiInformation = z
  .object({
    version: z.string(),
    build: z.string(),
    clients: z
      .array(z.string())
      .describe('Versions of the published client whose API is answered; docs/published-api.md says what is not, yet'),
  })
  .meta({ id: 'ApiInformation', description: 'Version of the API and of the build' })

/** The versions of the published client whose API Recto answers, the oldest first. */
export const publishedClients: readonly string[] = ['0.143.2', '0.202.0']

/** Operations on the platform itself. */
export const service = endpoints({
  getApiInformation: {
    route: 'GET /',
    summary: 'Get the version of the API',
    description: 'Tells which versions of the published client are served.',
    reply: ApiInformation,
    access: anyone,
  },
})
