import { z } from 'zod'
import {
  empty,
  hasCredentials,
  HttpUrl,
  Id,
  list,
  OpenAPISpec,
  page,
  SpecSlug,
  text,
  Timestamp,
  Url,
  endpoints,
  inOrganization,
  onResource,
  readersAndVisitors,
  anyone,
} from '@recto/contracts-shared'

const SourceUrl = HttpUrl.refine(url => !hasCredentials(url), 'must not contain credentials')

/** Where a specification comes from: a URL that is polled, or its text. */
const OpenAPISpecSource = z
  .object({ url: SourceUrl.optional(), text: text({ min: 1 }).optional() })
  .refine(({ url, text }) => (url === undefined) !== (text === undefined), 'must have exactly one of url and text')
  .meta({ id: 'OpenAPISpecSource', description: 'Where a specification comes from: a URL that is polled, or its text' })

const CreateOpenAPISpec = z
  .object({ slug: SpecSlug, source: OpenAPISpecSource })
  .meta({ id: 'CreateOpenAPISpec', description: 'A specification to create' })
const SetOpenAPISpec = z
  .object({ source: OpenAPISpecSource })
  .meta({ id: 'SetOpenAPISpec', description: 'Where a specification comes from' })
const UpdateOpenAPISpec = z
  .object({ visibility: z.enum(['private', 'public']) })
  .meta({ id: 'UpdateOpenAPISpec', description: 'Who can download a specification' })

const versionUrl = Url.max(2_048).describe(
  'The source that the version was read from, as it was set; without its query for those who may not change the specification. For a version that came as text, and for visitors of sites, where its content is',
)

/** A version of a specification. */
export const OpenAPISpecVersion = z
  .object({
    object: z.literal('openapi-spec-version'),
    id: Id,
    createdAt: Timestamp,
    url: versionUrl,
    urls: z.object({ location: Url }),
  })
  .meta({ id: 'OpenAPISpecVersion', description: 'A version of an OpenAPI specification; it never changes' })

/** The content of a version. */
const OpenAPISpecContent = z
  .object({
    filesystem: z
      .record(z.string(), z.unknown())
      .describe('The whole document as OpenAPI 3.1, with what it referred to'),
    url: versionUrl,
    urls: z.object({
      source: versionUrl,
      public: Url.max(2_048)
        .nullable()
        .describe('Where anybody can download the last version of the specification; null for a private one'),
    }),
  })
  .meta({ id: 'OpenAPISpecContent', description: 'The content of a version of an OpenAPI specification' })

/** The text that a version was read from. */
const OpenAPISpecRawContent = z
  .object({
    text: z.string().describe('As it came, without what it refers to'),
    format: z.enum(['json', 'yaml']),
  })
  .meta({
    id: 'OpenAPISpecRawContent',
    description: 'The text that a version of an OpenAPI specification was read from',
  })

const specs = '/orgs/{organizationId}/openapi'
const spec = `${specs}/{specSlug}` as const
const hour = 3_600

/** Operations on the OpenAPI specifications of an organization. */
export const openApiSpecs = endpoints({
  listOpenAPISpecs: {
    route: `GET ${specs}`,
    summary: 'List the OpenAPI specifications of an organization, the newest first',
    description: 'Whoever may not change them sees their sources without the query.',
    query: page,
    reply: list(OpenAPISpec),
    errors: ['not_found'],
    scope: 'openapi:read',
    access: inOrganization('read'),
  },
  createOpenAPISpec: {
    route: `POST ${specs}`,
    summary: 'Create an OpenAPI specification; it is processed at once, and one of a URL every six hours',
    description:
      'The reply is `pending`: get it again until `processingState` is `complete`, with `lastVersion` or `lastProcessedErrors`. A slug that another one has is refused (409).',
    body: CreateOpenAPISpec,
    reply: OpenAPISpec,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    records: ['openapi-spec.created'],
    scope: 'openapi:write',
    access: inOrganization('create'),
    examples: [{ body: { slug: 'unique-name', source: { url: 'http://127.0.0.1:9/openapi.json' } } }],
  },
  getOpenAPISpecBySlug: {
    route: `GET ${spec}`,
    summary: 'Get an OpenAPI specification',
    description:
      '`processingState` says whether it is read at the moment, and `lastProcessedErrors` what was wrong the last time; the last good version stays meanwhile. Guests do not see it (404).',
    reply: OpenAPISpec,
    errors: ['not_found'],
    scope: 'openapi:read',
    access: onResource('read'),
  },
  createOrUpdateOpenAPISpecBySlug: {
    route: `PUT ${spec}`,
    summary: 'Create an OpenAPI specification, or change where it comes from',
    description:
      'Answers 201 where it was created. It is read again at once, also with the same source; versions of before stay.',
    body: SetOpenAPISpec,
    reply: OpenAPISpec,
    creates: 'ifAbsent',
    errors: ['not_found'],
    records: ['openapi-spec.updated', 'openapi-spec.created'],
    scope: 'openapi:write',
    access: onResource('create'),
    examples: [{ body: { source: { url: 'http://127.0.0.1:9/openapi.json' } } }],
  },
  updateOpenAPISpecBySlug: {
    route: `PATCH ${spec}`,
    summary: 'Change who can download an OpenAPI specification',
    description:
      'Anybody can download a public one, without a token. A private one is read by members, and by visitors of sites with pages that show it.',
    body: UpdateOpenAPISpec,
    reply: OpenAPISpec,
    errors: ['not_found'],
    records: ['openapi-spec.updated'],
    scope: 'openapi:write',
    access: onResource('create'),
    examples: [{ body: { visibility: 'private' } }],
  },
  deleteOpenAPISpecBySlug: {
    route: `DELETE ${spec}`,
    summary: 'Delete an OpenAPI specification with its versions',
    description:
      'Pages that are computed from it leave main content; the page that declares them stays. A specification that is not there is no error.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['openapi-spec.deleted'],
    scope: 'openapi:write',
    access: onResource('create'),
  },
  refreshOpenAPISpec: {
    route: `POST ${spec}/refresh`,
    summary: 'Process an OpenAPI specification now, as at its next poll (extension)',
    description:
      'It ends an attempt that goes on. The reply is `pending`; a new version is there only if the content has changed.',
    reply: OpenAPISpec,
    creates: 'effect',
    errors: ['not_found'],
    records: { nothing: 'It asks for processing, which records a new version or a failure' },
    scope: 'openapi:write',
    access: onResource('create'),
  },
})

const shownToVisitors =
  'Visitors of a site read public specifications, and those that a page names which they see on the site.'

/** Operations on the versions of specifications. */
export const openApiSpecVersions = endpoints({
  listOpenAPISpecVersions: {
    route: `GET ${spec}/versions`,
    summary: 'List the versions of an OpenAPI specification, the newest first',
    description:
      'They come without their content. A version is made when the content has changed, not each time it is read.',
    query: page,
    reply: list(OpenAPISpecVersion),
    errors: ['not_found'],
    scope: 'openapi:read',
    access: onResource('read'),
  },
  getLatestOpenAPISpecVersion: {
    route: `GET ${spec}/versions/latest`,
    summary: 'Get the latest version of an OpenAPI specification',
    description: 'Until the specification was read well for the first time it is 404.',
    reply: OpenAPISpecVersion,
    errors: ['not_found'],
    scope: 'openapi:read',
    access: onResource('read'),
  },
  getLatestOpenAPISpecVersionContent: {
    route: `GET ${spec}/versions/latest/content`,
    summary: 'Get the content of the latest version of an OpenAPI specification',
    description: shownToVisitors,
    reply: OpenAPISpecContent,
    errors: ['not_found', 'unavailable'],
    scope: 'openapi:read',
    access: { ...readersAndVisitors, visitors: 'public' },
  },
  getLatestOpenAPISpecVersionContentRaw: {
    route: `GET ${spec}/versions/latest/content/raw`,
    summary: 'Get the text that the latest version of an OpenAPI specification was read from',
    description: 'There is none of versions that were read before texts were kept.',
    reply: OpenAPISpecRawContent,
    errors: ['not_found', 'unavailable'],
    scope: 'openapi:read',
    access: onResource('read'),
  },
  getOpenAPISpecVersionById: {
    route: `GET ${spec}/versions/{versionId}`,
    summary: 'Get a version of an OpenAPI specification',
    description: 'A version never changes, and stays until the specification is deleted.',
    reply: OpenAPISpecVersion,
    errors: ['not_found'],
    scope: 'openapi:read',
    access: onResource('read'),
  },
  getOpenAPISpecVersionContentById: {
    route: `GET ${spec}/versions/{versionId}/content`,
    summary: 'Get the content of a version of an OpenAPI specification',
    description: `${shownToVisitors} Of a private one, that is the latest version.`,
    reply: OpenAPISpecContent,
    errors: ['not_found', 'unavailable'],
    scope: 'openapi:read',
    access: { ...readersAndVisitors, visitors: 'public' },
  },
})

/** Downloads of public specifications. */
export const publicOpenApiSpecs = endpoints({
  downloadOpenAPISpec: {
    route: `GET ${spec}/published.json`,
    summary: 'Download the last version of a public OpenAPI specification as JSON (extension)',
    description: 'Caches may keep it for five minutes. A private specification is 404, as one without a version.',
    reply: z.record(z.string(), z.unknown()),
    access: anyone,
    cache: { sharedForSeconds: hour / 12 },
    errors: ['not_found'],
  },
  downloadOpenAPISpecAsYaml: {
    route: `GET ${spec}/published.yaml`,
    summary: 'Download the last version of a public OpenAPI specification as YAML (extension)',
    description: 'Caches may keep it for five minutes. A private specification is 404, as one without a version.',
    reply: z.string(),
    response: { mediaType: 'application/yaml' },
    access: anyone,
    cache: { sharedForSeconds: hour / 12 },
    errors: ['not_found'],
  },
})
