export { markdownBounds } from './syntax/bounds.ts'
export { readOutline, type Outline, type OutlineReference, type OutlineSection } from './outline/read-outline.ts'
export type { FoundReference, ReferenceKind } from './outline/references.ts'
export { decodeEntities } from './syntax/attributes.ts'
