import { openApiSpecs, openApiSpecVersions, publicOpenApiSpecs } from './specs.ts'

export * from './specs.ts'

/** Operations of the API that openapi-specs answers. */
export const openApiSpecsApi = {
  ...openApiSpecs,
  ...openApiSpecVersions,
  ...publicOpenApiSpecs,
}
