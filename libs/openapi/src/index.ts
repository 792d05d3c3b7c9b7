export {
  openApiDocument,
  type Descriptions,
  type OpenApiDocument,
  type OpenApiExample,
  type OpenApiInfo,
  type OpenApiTag,
} from './document.ts'
