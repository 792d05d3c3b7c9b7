export {
  audienceContent,
  hiddenPageIds,
  meetsAll,
  visiblePageIds,
  type AudienceContent,
  type AudiencePage,
  type AudienceReference,
  type AudienceScope,
  type AudienceTarget,
  type VisibleContent,
} from './visible-content.ts'
