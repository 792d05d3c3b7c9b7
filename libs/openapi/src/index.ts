export { openApiDocument, type OpenApiDocument, type OpenApiInfo } from './document.ts'
