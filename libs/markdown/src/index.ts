export { markdownBounds } from './syntax/bounds.ts'
export {
  readOutline,
  unparsedOutline,
  type Outline,
  type OutlineReference,
  type OutlineSection,
} from './outline/read-outline.ts'
export type { FoundReference, ReferenceKind } from './outline/references.ts'
export { checkPage, unparsedPage, type CheckedPage, type TagFault } from './checks/check-page.ts'
export { decodeEntities, encodeEntities } from './syntax/attributes.ts'
export { editYaml, inLineEndingsOf, type YamlEdit } from './front-matter/edit-yaml.ts'
export { readPageSource, type FrontMatter, type PageSource } from './front-matter/front-matter.ts'
export {
  changedSettingsFile,
  readSettingsFile,
  type SettingSchemas,
  type SettingsChange,
  type SettingsFile,
  type SettingValues,
} from './front-matter/settings-file.ts'
export { splitPage, type PageParts } from './front-matter/split-page.ts'
export { frontMatterLimits } from './front-matter/limits.ts'
export { readTags, type ReadTags, type SpaceTag } from './front-matter/tags-file.ts'
export { readVariables, usableVariables, type PageVariables, type ReadVariables } from './front-matter/variables.ts'
export type { PageWarning } from './front-matter/warning.ts'
export { cleanedTextWarnings, cleanTexts, parseYaml, withoutInvisible, type ParsedYaml } from './front-matter/yaml.ts'
export { writeFrontMatter, type FrontMatterChanges } from './front-matter/write-front-matter.ts'
export { firstHeading } from './outline/first-heading.ts'
export {
  frontMatterOf,
  pageCover,
  pageSettings,
  type CoverLook,
  type PageCover,
  type PageLayout,
  type PageMetaLinks,
  type PageSettings,
  type PageTag,
} from './front-matter/page-settings.ts'
export { presentLayout } from './front-matter/present-layout.ts'
export {
  isUnparsed,
  toDocument,
  unparsedDocument,
  documentSchemaVersion,
  type DocumentOptions,
} from './document/to-document.ts'
export { apiPartTags } from './document/tags.ts'
export { completeDocument } from './document/complete-document.ts'
export { embedFrameOf, type EmbedFrame } from './embeds/embed-frame.rules.ts'
export { toMarkdown, type MarkdownOptions } from './writing/to-markdown.ts'
export { findUnwritable } from './writing/write-document.ts'
export { writePage, type ReadPage } from './writing/page-markdown.ts'
export { withRawTargets } from './writing/raw-targets.ts'
export { tagsOfUpdates, withTagLabels } from './document/update-tags.ts'
export { withIncluded } from './document/included.ts'
export { withoutComments } from './writing/without-comments.ts'
export { withoutLinks } from './document/without-links.ts'
export * from './schema.ts'
export { hasExpressions, type EvaluationScope, type Evaluation } from './evaluation/evaluate-document.ts'
export type { ConditionalPart } from './evaluation/conditional-parts.ts'
export { readPageOutline, unparsedPageOutline, type PageOutline } from './evaluation/page-outline.ts'
export * as markdownTasks from './tasks.ts'
export type { CountedDifference, MarkdownTasks } from './tasks.ts'
export type { BlockRevert, RevertedBlocks, TitledPage } from './revert/revert-blocks.ts'
export { withSeed } from './document/keys.ts'
export { withReferences, writtenReference } from './document/references.ts'
export { textOf } from './document/text-of.ts'
export { writeTag } from './writing/escape.ts'
export type { SegmentFault, TranslatedPage } from './segments/translate-segments.ts'
export { isReplyTo, writtenText } from './segments/segment-text.ts'
export { diffDocuments } from './difference/diff-documents.ts'
export { applyDifference, applyToBlock, applyToInline } from './difference/apply-difference.ts'
export { invertBlockChange, invertDifference, invertInlineChange } from './difference/invert-difference.ts'
export { countDifference, type DifferenceCounts } from './difference/count-difference.ts'
export { readGrid, withGrid, type Grid } from './difference/grid.ts'
export { sequenceHunks, type Hunk } from './difference/sequence-hunks.ts'
