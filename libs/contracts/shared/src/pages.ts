import { z } from 'zod'
import { JSONDocument, tagColors } from '@recto/markdown/schema'
import { ChangeRequest } from './change-request.ts'
import { ComputedGrouping } from './computed-grouping.ts'
import { Id, text, Timestamp, Url } from './conventions.ts'
import { contentLimits } from './editing-limits.ts'

/** Path and object id of a page or file in its repository. */
export const GitBlob = z
  .object({ oid: z.string(), path: z.string() })
  .meta({ id: 'GitBlob', description: 'Path and object id in the repository it was imported from' })

/** A reference from content to something else. */
export const ContentReference = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('file'), file: Id, space: Id.optional() }),
    z.object({ kind: z.literal('url'), url: z.string() }),
    z.object({ kind: z.literal('page'), page: Id, space: Id.optional() }),
    z.object({ kind: z.literal('anchor'), anchor: z.string(), page: Id.optional(), space: Id.optional() }),
    z.object({ kind: z.literal('user'), user: Id }),
    z.object({ kind: z.literal('collection'), collection: Id }),
    z.object({ kind: z.literal('space'), space: Id }),
    z.object({ kind: z.literal('reusable-content'), reusableContent: Id, space: Id.optional() }),
    z.object({ kind: z.literal('openapi'), spec: Id }),
  ])
  .meta({
    id: 'ContentReference',
    description: 'What content refers to; without `space` or `page`, in the current one',
  })

/** Which parts of a page are shown. */
export const Layout = z
  .object({
    width: z.enum(['default', 'wide']),
    cover: z.boolean(),
    coverSize: z
      .enum(['hero', 'full'])
      .describe('`full` also for a cover behind the title, which then has a colour for the text on it'),
    coverMask: z.enum(['none', 'radial']),
    title: z.boolean(),
    description: z.boolean(),
    tableOfContents: z.boolean(),
    outline: z.boolean(),
    pagination: z.boolean(),
    metadata: z.boolean(),
    tags: z.boolean(),
    actions: z.boolean().describe('The menu of what can be done with the page'),
    anchors: z.boolean().describe('Links of headings to themselves'),
  })
  .meta({ id: 'PageLayout', description: 'Which parts of a page are shown' })

/** Values that content can refer to. */
export const Variables = z
  .record(z.string(), z.union([text({ max: contentLimits.variable }), z.number(), z.boolean()]))
  .meta({ id: 'Variables', description: 'Values that content can refer to' })

const CoverText = z.enum(['black', 'white'])

/** How the images of a cover are shown. */
export const coverLook = {
  yPos: z.number(),
  height: z.number().min(10).max(700).optional().describe('Pixels'),
  textColor: CoverText.optional().describe('Colour of the title on the cover; left out where the title is below it'),
  textColorDark: CoverText.optional(),
}

/** The cover image of a page. */
export const Cover = z
  .object({ ref: ContentReference.optional(), refDark: ContentReference.optional(), ...coverLook })
  .meta({ id: 'PageCover', description: 'Cover image of a page' })

const specDependency = z.object({ ref: z.object({ kind: z.literal('openapi'), spec: Id }) })

/** The source of a computed page's document. */
export const ComputedDocument = z
  .object({
    type: z.literal('builtin:openapi'),
    props: z.union([
      z.object({ doc: z.literal('models') }),
      z.object({ doc: z.enum(['operations', 'info']), page: text({ min: 1, max: 1_000 }) }),
    ]),
    dependencies: z.object({ spec: specDependency }),
  })
  .meta({ id: 'ComputedDocumentSource', description: 'The part of an OpenAPI specification that a document shows' })

/** The source of computed pages. */
export const Computed = z
  .object({
    type: z.literal('builtin:openapi'),
    props: z.object({ models: z.boolean(), grouping: ComputedGrouping.optional() }),
    dependencies: z.object({ spec: z.object({ ref: ContentReference }) }),
  })
  .meta({ id: 'ComputedSource', description: 'Source of computed pages' })

const MetaLinkTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('page'), page: Id, space: Id.optional() }),
  z.object({ kind: z.literal('url'), url: z.string() }),
])

/** The meta links of a page: the page that it repeats, and the same page in other languages and versions. */
export const PageMetaLinks = z
  .object({ canonical: MetaLinkTarget.optional(), alternates: z.array(MetaLinkTarget).optional() })
  .meta({
    id: 'PageMetaLinks',
    description: 'The page that a page repeats, and the same page in other languages and versions',
  })

/** A tag of a page. */
const PageTag = z
  .object({ tag: z.object({ kind: z.literal('tag'), tag: z.string() }), primary: z.boolean().optional() })
  .meta({ id: 'PageTag', description: 'A tag of a page, by its name' })

/** A tag that pages and updates of a revision can have. */
export const RevisionTag = z
  .object({
    slug: z.string().describe('The name by which pages and updates refer to it'),
    label: z.string().describe('The name that readers see'),
    color: z.enum(tagColors).describe('Those that begin with `$` are of the site'),
    emoji: z.string().optional(),
    icon: text({ max: contentLimits.icon }).optional(),
  })
  .meta({ id: 'RevisionTag', description: 'A tag that pages and updates of a revision can have' })

const nameFields = {
  id: Id,
  title: z.string().min(1),
  linkTitle: z.string().min(1).max(100).optional().describe('Its title in the table of contents'),
  condition: z.string().min(1).optional().describe('Decides whether visitors see it; members alone get it'),
  emoji: z.string().optional(),
  icon: text({ max: contentLimits.icon }).optional(),
  createdAt: Timestamp.optional(),
  updatedAt: Timestamp.optional(),
}
const placement = {
  slug: z.string(),
  path: z.string(),
  hidden: z.boolean().optional(),
  noIndex: z.boolean().optional(),
  noRobotsIndex: z.boolean().optional(),
}

/** Fields of every page, with its path. */
export const placedPage = { ...nameFields, path: placement.path }

const PageLink = z
  .object({
    ...nameFields,
    type: z.literal('link'),
    kind: z.literal('link'),
    target: ContentReference,
    href: z.string().optional(),
    hidden: z.boolean().optional(),
  })
  .meta({ id: 'PageLink', description: 'A link in the page tree' })

const PageComputed = z
  .object({ ...nameFields, type: z.literal('computed'), computed: Computed })
  .meta({ id: 'PageComputed', description: 'A placeholder for computed pages' })

const documented = {
  ...nameFields,
  ...placement,
  type: z.literal('document'),
  kind: z.literal('sheet'),
  urls: z.object({ app: Url }),
  description: z.string().optional(),
  documentId: z.string().optional().describe("Id of the page's document; absent when the page is empty"),
  computed: ComputedDocument.optional().describe('Of a computed page: what its document is made from'),
  computedSeed: z.string().optional().describe('Another one when what it is made from has changed'),
  git: GitBlob.optional(),
  layout: Layout,
  cover: Cover.optional(),
  variables: Variables.optional(),
  metaLinks: PageMetaLinks.optional(),
  tags: z.array(PageTag),
  markdown: z.string().optional().describe('On reads of one page with the format `markdown`'),
  document: JSONDocument.optional().describe('On reads of one page with the format `document`'),
}
type Documented = typeof documented
type DocumentShape = Documented & {
  pages: z.ZodArray<z.ZodDiscriminatedUnion<[z.ZodObject<DocumentShape>, typeof PageLink, typeof PageComputed], 'type'>>
}
/** A page with content. */
export const PageDocument: z.ZodObject<DocumentShape> = z.object({
  ...documented,
  get pages() {
    return z.array(ChildPage)
  },
})
z.globalRegistry.add(PageDocument, { id: 'PageDocument', description: 'A page with content' })

const ChildPage = z.discriminatedUnion('type', [PageDocument, PageLink, PageComputed])

/** A group of pages. */
export const PageGroup = z
  .object({
    ...nameFields,
    ...placement,
    type: z.literal('group'),
    kind: z.literal('group'),
    pages: z.array(ChildPage),
  })
  .meta({ id: 'PageGroup', description: 'A group of pages; groups exist at the root only' })

/** An entry of the page tree as replies show it. */
export const Page = z
  .discriminatedUnion('type', [PageDocument, PageGroup, PageLink, PageComputed])
  .meta({ id: 'Page', description: 'An entry of the page tree' })

/** A file of a revision as replies show it. */
export const File = z
  .object({
    id: Id,
    name: z.string(),
    contentType: z.string(),
    downloadURL: Url.describe('Signed URL that expires'),
    size: z.number().int().describe('Bytes'),
    dimensions: z.object({ width: z.number(), height: z.number() }).optional(),
    git: GitBlob.optional(),
  })
  .meta({ id: 'File', description: 'A file of a revision' })

/** Content that pages include, as replies show it. */
export const ReusableContent = z
  .object({ id: Id, title: z.string(), git: GitBlob.optional(), document: z.string() })
  .meta({ id: 'ReusableContent', description: 'Content that several pages include' })

/** A commit of a repository. */
export const GitCommit = z
  .object({
    oid: z.string(),
    message: z.string(),
    createdByService: z.boolean(),
    createdByGitBook: z.boolean().describe('Same as `createdByService`, under the name the compatible client knows'),
    url: z.string().optional(),
    ref: z.string().optional(),
  })
  .meta({ id: 'GitCommit', description: 'The commit a revision was imported from' })

/** How a revision came about. */
export const revisionTypes = ['edits', 'merge', 'rollback', 'update', 'computed'] as const

/** A state of the content as replies show it. */
export const Revision = z
  .object({
    object: z.literal('revision'),
    id: Id,
    type: z.enum(revisionTypes),
    mergedFrom: ChangeRequest.optional().describe('The change request whose merge made it, for the type `merge`'),
    sourceRevision: Id.optional().describe('The revision that it was computed from, for the type `computed`'),
    parents: z.array(Id),
    pages: z.array(Page),
    files: z.array(File),
    reusableContents: z.array(ReusableContent),
    tags: z
      .array(RevisionTag)
      .describe(
        'Those that its repository describes, in that order, then others of its pages, by name; visitors get those that they meet',
      ),
    variables: Variables.optional(),
    createdAt: Timestamp,
    git: GitCommit.optional(),
    urls: z.object({
      app: Url,
      published: Url.optional().describe('Where a site shows it; reads of main content alone have it'),
      public: Url.optional().describe('The same, where everybody can read it'),
    }),
  })
  .meta({ id: 'Revision', description: 'An immutable revision of the content' })
