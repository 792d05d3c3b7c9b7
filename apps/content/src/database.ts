import { EventReactionEntity } from '@recto/service'
import { serviceEntities, type DatabaseLimits, type DatabaseOptions } from '@recto/database'
import { AskBudgetEntity } from './ask/ask-budget.entity.ts'
import { AskTurnEntity } from './ask/ask-turn.entity.ts'
import { GrantEntity } from './access/grant.entity.ts'
import { ChangeRequestEntity } from './change-requests/change-request.entity.ts'
import { ContributorEntity } from './change-requests/contributor.entity.ts'
import { CommentEntity } from './comments/comment.entity.ts'
import { ReactionEntity } from './comments/reaction.entity.ts'
import { ReplyEntity } from './comments/reply.entity.ts'
import { FormerPathEntity } from './former-paths/former-path.entity.ts'
import { MainProjectionEntity } from './projection/main-projection.entity.ts'
import { ReviewEntity } from './reviews/review.entity.ts'
import { RequestedReviewerEntity } from './reviews/requested-reviewer.entity.ts'
import { FormerGitOperationEntity } from './git-hand-over/git-operation.entity.ts'
import { FormerGitSyncEntity } from './git-hand-over/git-sync.entity.ts'
import { ContentImportEntity } from './imports/content-import.entity.ts'
import { ContentAnchorsEntity } from './links/content-anchors.entity.ts'
import { ContentReferenceEntity } from './links/content-reference.entity.ts'
import { SearchPageEntity } from './search/search-page.entity.ts'
import { SearchSectionEntity } from './search/search-section.entity.ts'
import { SearchWordEntity } from './search/search-word.entity.ts'
import { GlossaryEntryEntity } from './translations/glossary-entry.entity.ts'
import { TranslationEntity } from './translations/translation.entity.ts'
import { TranslationMemoryEntity } from './translations/translation-memory.entity.ts'
import { TranslationRunEntity } from './translations/translation-run.entity.ts'
import { CollectionEntity } from './resources/collection.entity.ts'
import { ResourceEntity } from './resources/resource.entity.ts'
import { SitePublicationEntity, SiteStateEntity } from './sites/site-publication.entity.ts'
import { SpaceEntity } from './resources/space.entity.ts'
import { CreateContent1763600000000 } from './migrations/1763600000000-create-content.ts'
import { CreateGrants1763700000000 } from './migrations/1763700000000-create-grants.ts'
import { Collections1763800000000 } from './migrations/1763800000000-collections.ts'
import { Garbage1763900000000 } from './migrations/1763900000000-garbage.ts'
import { OutboxTrace1764000000000 } from './migrations/1764000000000-outbox-trace.ts'
import { Idempotency1764050000000 } from './migrations/1764050000000-idempotency.ts'
import { RevisionConfiguration1764060000000 } from './migrations/1764060000000-revision-configuration.ts'
import { SearchAndLinks1764100000000 } from './migrations/1764100000000-search-and-links.ts'
import { Imports1764200000000 } from './migrations/1764200000000-imports.ts'
import { Uploads1764300000000 } from './migrations/1764300000000-uploads.ts'
import { ChangeRequests1764400000000 } from './migrations/1764400000000-change-requests.ts'
import { Comments1764450000000 } from './migrations/1764450000000-comments.ts'
import { ChangeRequestLinksAndImports1764460000000 } from './migrations/1764460000000-change-request-links-and-imports.ts'
import { SitePublications1764500000000 } from './migrations/1764500000000-site-publications.ts'
import { GitTurns1764470000000 } from './migrations/1764470000000-git-turns.ts'
import { GitSyncs1764480000000 } from './migrations/1764480000000-git-syncs.ts'
import { InlineVectors1764350000000 } from './migrations/1764350000000-inline-vectors.ts'
import { SpecificationEntity } from './computed-pages/specification.entity.ts'
import { ComputedPages1764700000000 } from './migrations/1764700000000-computed-pages.ts'
import { FormerPaths1764600000000 } from './migrations/1764600000000-former-paths.ts'
import { SiteAddresses1764900000000 } from './migrations/1764900000000-site-addresses.ts'
import { Pdfs1765100000000 } from './migrations/1765100000000-pdfs.ts'
import { WakeTriggers1765300000000 } from './migrations/1765300000000-wake-triggers.ts'
import { Audience1765400000000 } from './migrations/1765400000000-audience.ts'
import { EventReactions1765600000000 } from './migrations/1765600000000-event-reactions.ts'
import { Resources1765800000000 } from './migrations/1765800000000-resources.ts'
import { LinkTargets1765500000000 } from './migrations/1765500000000-link-targets.ts'
import { RepositoryWork1766000000000 } from './migrations/1766000000000-repository-work.ts'
import { ImportRuns1766200000000 } from './migrations/1766200000000-import-runs.ts'
import { SearchPlaces1766100000000 } from './migrations/1766100000000-search-places.ts'
import { CustomFonts1766300000000 } from './migrations/1766300000000-custom-fonts.ts'
import { Ask1766700000000 } from './migrations/1766700000000-ask.ts'
import { RecordedChanges1766900000000 } from './migrations/1766900000000-recorded-changes.ts'
import { ImportedSpecifications1767000000000 } from './migrations/1767000000000-imported-specifications.ts'
import { GrantsOfOrganization1767300000000 } from './migrations/1767300000000-grants-of-organization.ts'
import { PendingLists1767400000000 } from './migrations/1767400000000-pending-lists.ts'
import { Translations1765000000000 } from './migrations/1765000000000-translations.ts'
import { DocumentEntity } from './content-store/document.entity.ts'
import { TreeNodeEntity } from './content-store/tree-node.entity.ts'
import { GarbageEntity } from './garbage/garbage.entity.ts'
import { PdfEntity } from './pdf/pdf.entity.ts'
import { RevisionEntity } from './revisions/revision.entity.ts'
import { RepositoryWorkEntity } from './repositories/repository-work.entity.ts'
import { FontEntity } from './fonts/font.entity.ts'
import { UploadEntity } from './uploads/upload.entity.ts'

const resources = [ResourceEntity, SpaceEntity, CollectionEntity, GrantEntity, SiteStateEntity, SitePublicationEntity]
const content = [RevisionEntity, TreeNodeEntity, DocumentEntity, GarbageEntity, UploadEntity, FontEntity, PdfEntity]
const changeRequests = [ChangeRequestEntity, ContributorEntity, ReviewEntity, RequestedReviewerEntity]
const comments = [CommentEntity, ReplyEntity, ReactionEntity]
const handedOver = [FormerGitOperationEntity, FormerGitSyncEntity]
const translations = [TranslationEntity, TranslationRunEntity, TranslationMemoryEntity, GlossaryEntryEntity]
const projections = [
  MainProjectionEntity,
  FormerPathEntity,
  SearchPageEntity,
  SearchSectionEntity,
  SearchWordEntity,
  ContentReferenceEntity,
  ContentAnchorsEntity,
  SpecificationEntity,
]

/** The database of content. */
export function contentDatabase(url: string, limits: DatabaseLimits = {}): DatabaseOptions {
  const entities = [
    ...resources,
    ...content,
    ...projections,
    ...changeRequests,
    ...comments,
    RepositoryWorkEntity,
    ...handedOver,
    ContentImportEntity,
    ...translations,
    AskBudgetEntity,
    AskTurnEntity,
    ...serviceEntities,
    EventReactionEntity,
  ]
  const migrations = [
    CreateContent1763600000000,
    CreateGrants1763700000000,
    Collections1763800000000,
    Garbage1763900000000,
    OutboxTrace1764000000000,
    Idempotency1764050000000,
    RevisionConfiguration1764060000000,
    SearchAndLinks1764100000000,
    Imports1764200000000,
    Uploads1764300000000,
    ChangeRequests1764400000000,
    InlineVectors1764350000000,
    Comments1764450000000,
    ChangeRequestLinksAndImports1764460000000,
    SitePublications1764500000000,
    GitTurns1764470000000,
    GitSyncs1764480000000,
    FormerPaths1764600000000,
    ComputedPages1764700000000,
    SiteAddresses1764900000000,
    Pdfs1765100000000,
    Translations1765000000000,
    WakeTriggers1765300000000,
    Audience1765400000000,
    LinkTargets1765500000000,
    EventReactions1765600000000,
    Resources1765800000000,
    RepositoryWork1766000000000,
    SearchPlaces1766100000000,
    ImportRuns1766200000000,
    CustomFonts1766300000000,
    Ask1766700000000,
    RecordedChanges1766900000000,
    ImportedSpecifications1767000000000,
    GrantsOfOrganization1767300000000,
    PendingLists1767400000000,
  ]
  return { url, ...limits, entities, migrations }
}
