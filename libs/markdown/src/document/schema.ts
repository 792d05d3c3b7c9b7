import { z } from 'zod'
import { documentColors } from './colors.ts'

const file = z
  .object({ kind: z.literal('file'), file: z.string(), space: z.string().optional() })
  .meta({ id: 'DocumentRefFile', description: 'A file of the space' })
const url = z.object({ kind: z.literal('url'), url: z.string() }).meta({ id: 'DocumentRefURL', description: 'A URL' })

/** The target of a node's reference; without `space` or `page` it is the current one. */
export const DocumentRef = z
  .discriminatedUnion('kind', [
    file,
    url,
    z.object({ kind: z.literal('page'), page: z.string(), space: z.string().optional() }),
    z.object({
      kind: z.literal('anchor'),
      anchor: z.string(),
      space: z.string().optional(),
      page: z.string().optional(),
    }),
    z.object({ kind: z.literal('user'), user: z.string() }),
    z.object({ kind: z.literal('collection'), collection: z.string() }),
    z.object({ kind: z.literal('space'), space: z.string() }),
    z.object({
      kind: z.literal('reusable-content'),
      reusableContent: z.string(),
      space: z.string().optional(),
    }),
    z.object({ kind: z.literal('openapi'), spec: z.string() }),
  ])
  .meta({ id: 'DocumentRef', description: 'What a node of a document refers to' })
/** The target of a node's reference. */
export type DocumentRef = z.infer<typeof DocumentRef>

/** A tag of the space, by its slug. */
export const DocumentTagRef = z
  .object({ kind: z.literal('tag'), tag: z.string(), space: z.string().optional() })
  .meta({ id: 'DocumentTagRef', description: 'A tag of the space, by its slug' })

/** The URL of a reference that leads nowhere, as the repository format writes it. */
export const brokenReference = 'broken-reference'

/** A colour of text or of its background. */
export const DocumentColor = z.enum(documentColors)

/** The format of a leaf of text. A `code` mark whose data says `raw` holds Markdown that was not understood. */
export const DocumentMark = z
  .discriminatedUnion('type', [
    z.object({
      object: z.literal('mark'),
      type: z.enum(['bold', 'italic', 'keyboard', 'strikethrough', 'superscript', 'subscript']),
    }),
    z.object({
      object: z.literal('mark'),
      type: z.literal('code'),
      data: z.object({ raw: z.boolean().optional() }).optional(),
    }),
    z.object({
      object: z.literal('mark'),
      type: z.literal('color'),
      data: z.object({ text: DocumentColor, background: DocumentColor }),
    }),
  ])
  .meta({ id: 'DocumentMark', description: 'Format of text' })
/** The format of a leaf of text. */
export type DocumentMark = z.infer<typeof DocumentMark>

/** A piece of text with its format. */
export const DocumentLeaf = z
  .object({ object: z.literal('leaf'), text: z.string(), marks: z.array(DocumentMark) })
  .meta({ id: 'DocumentLeaf', description: 'Piece of text with its format' })
/** A piece of text with its format. */
export type DocumentLeaf = z.infer<typeof DocumentLeaf>

/** Text of one or more formats; `\n` is a line break. */
export const DocumentText = z
  .object({ object: z.literal('text'), key: z.string().optional(), leaves: z.array(DocumentLeaf) })
  .meta({ id: 'DocumentText', description: 'Text of one or more formats' })
/** Text of one or more formats. */
export type DocumentText = z.infer<typeof DocumentText>

const none = z.looseObject({})
const any = z.record(z.string(), z.unknown())
const ref = z.looseObject({ ref: DocumentRef })
const picture = { ref: DocumentRef, refDark: DocumentRef.optional() }
const lengthOf = z.union([z.number(), z.object({ value: z.number(), unit: z.enum(['px', '%']) })])
const flag = z.boolean().optional()
const text = z.string().optional()

const value = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.string()),
  DocumentRef,
  z.looseObject({ ref: DocumentRef, objectFit: text }),
])

const table = z.looseObject({
  view: z.discriminatedUnion('type', [
    z.looseObject({
      type: z.literal('grid'),
      columns: z.array(z.string()),
      columnWidths: z.record(z.string(), z.number()).optional(),
      hideHeader: z.boolean(),
    }),
    z.looseObject({
      type: z.literal('cards'),
      cardSize: z.enum(['medium', 'large']),
      columns: z.array(z.string()),
      targetDefinition: text,
      coverDefinition: text,
      coverDefinitionDark: text,
      hideColumnTitle: flag,
    }),
  ]),
  records: z.record(z.string(), z.looseObject({ orderIndex: z.string(), values: z.record(z.string(), value) })),
  definition: z.record(z.string(), z.looseObject({ id: z.string(), title: z.string(), type: z.string() })),
  fullWidth: flag,
})

/** The data of each type of block. Data that is not known stays: what writes a document tells whether it can be kept. */
export const blockData = {
  paragraph: z.looseObject({ align: z.enum(['start', 'center', 'end']).optional() }),
  'heading-1': any,
  'heading-2': any,
  'heading-3': any,
  'list-ordered': z.looseObject({ start: z.number().optional() }),
  'list-unordered': none,
  'list-tasks': none,
  'list-item': z.looseObject({ checked: flag }),
  divider: none,
  blockquote: none,
  hint: z.looseObject({ style: z.enum(['info', 'warning', 'danger', 'success']), icon: text }),
  if: z.looseObject({ expression: z.string() }),
  images: z.looseObject({ align: z.enum(['center', 'left', 'right']).optional(), fullWidth: flag, withFrame: flag }),
  image: z.looseObject({ ...picture, width: lengthOf.optional(), height: lengthOf.optional(), alt: text }),
  file: ref,
  drawing: z.looseObject({ ref: DocumentRef.optional() }),
  embed: z.looseObject({ url: z.string(), fullWidth: flag }),
  code: z.looseObject({
    syntax: text,
    title: text,
    overflow: z.enum(['scroll', 'wrap']).optional(),
    lineNumbers: flag,
    fullWidth: flag,
    expandable: flag.describe('Whether readers see the first lines only, until they open it'),
    collapsedLineCount: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Lines that are visible before it is opened, 10 by default'),
    raw: flag,
  }),
  'code-line': z.looseObject({ highlighted: flag }),
  math: z.looseObject({ formula: z.string(), info: text }),
  expandable: none,
  tabs: z.looseObject({ fullWidth: flag }),
  'tabs-item': z.looseObject({ title: text, icon: text }),
  table,
  swagger: any,
  'openapi-operation': any,
  'openapi-schemas': any,
  'openapi-webhook': any,
  'content-ref': ref,
  integration: any,
  'reusable-content': ref,
  stepper: none,
  'stepper-step': z.looseObject({ icon: text }),
  prompt: z.looseObject({
    description: z.string(),
    icon: text,
    openInAIProviders: flag.describe('Whether AI assistants can be opened with it'),
    defaultExpanded: z
      .enum(['hidden', 'partial', 'full'])
      .optional()
      .describe('How much of it is visible at first; nothing by default'),
  }),
  updates: z.looseObject({ format: z.enum(['numeric', 'full', 'short']) }),
  update: z.looseObject({
    date: z.string().describe('When it was published (RFC 3339)'),
    tags: z.array(DocumentTagRef).optional(),
  }),
  columns: z.looseObject({ fullWidth: flag }),
  column: z.looseObject({
    width: lengthOf.optional(),
    verticalAlignment: z.enum(['top', 'middle', 'bottom']).optional(),
  }),
}

/** The data of each type of inline. */
export const inlineData = {
  link: z.looseObject({ ref: DocumentRef, title: text }),
  emoji: z.looseObject({ code: z.string() }),
  icon: z.looseObject({ icon: z.string() }),
  expression: z.looseObject({ expression: z.string() }),
  'inline-math': z.looseObject({ formula: z.string() }),
  'inline-image': z.looseObject({
    ...picture,
    caption: text,
    alt: text,
    size: z.enum(['original', 'line']).optional(),
  }),
  annotation: none,
  mention: ref,
  button: z.looseObject({ label: z.string(), kind: z.enum(['primary', 'secondary']), icon: text, ref: DocumentRef }),
}

/** A type of block. */
export type BlockType = keyof typeof blockData
/** A type of inline. */
export type InlineType = keyof typeof inlineData

/** Fields that blocks and inlines share. */
interface DocumentElement {
  key?: string | undefined
  isVoid?: boolean | undefined
  data?: Record<string, unknown> | undefined
  nodes?: DocumentNode[] | undefined
  fragments?: DocumentFragment[] | undefined
  /** `tag` is the name of the tag that a block was read from, where it has two. */
  meta?: { id?: string | undefined; tag?: string | undefined } | undefined
}
/** A block. Plain Markdown nests more than the published limits: any block may stand in any other. */
export interface DocumentBlock extends DocumentElement {
  object: 'block'
  type: BlockType
}
/** A link, an emoji and the like, within text. */
export interface DocumentInline extends DocumentElement {
  object: 'inline'
  type: InlineType
}
/** A part of a block beside its nodes: a caption, a title, a cell. */
export interface DocumentFragment {
  object: 'fragment'
  key?: string | undefined
  /** Its name; without one, its type is its name. */
  fragment?: string | undefined
  type?: string | undefined
  nodes: DocumentBlock[]
}
/** Any node below a block. */
export type DocumentNode = DocumentBlock | DocumentInline | DocumentText

const common = {
  key: z.string().optional(),
  isVoid: flag,
  meta: z.looseObject({ id: text }).optional(),
  get nodes() {
    return z.array(DocumentNode).optional()
  },
  get fragments() {
    return z.array(DocumentFragment).optional()
  },
}

function variants<Kind extends 'block' | 'inline'>(object: Kind, data: Record<string, z.ZodType>) {
  const schemas = Object.entries(data).map(([type, schema]) =>
    z.object({
      object: z.literal(object),
      type: z.literal(type),
      data: schema.optional(),
      ...Object.defineProperties({}, Object.getOwnPropertyDescriptors(common)),
    }),
  )
  return z
    .discriminatedUnion('type', schemas as never)
    .meta({ id: `Document-${object}`, description: `The types of ${object}s of a document` })
}

/** A block of a document. */
export const DocumentBlock: z.ZodType<DocumentBlock> = z
  .lazy(() => blockVariants as unknown as z.ZodType<DocumentBlock>)
  .meta({ id: 'DocumentBlock', description: 'Block of a document' })

/** Any node below a block. */
export const DocumentNode: z.ZodType<DocumentNode> = z
  .lazy(() => z.union([DocumentBlock, inlineVariants, DocumentText]) as unknown as z.ZodType<DocumentNode>)
  .meta({ id: 'DocumentNode', description: 'Node of a document' })

/** A part of a block beside its nodes. */
export const DocumentFragment: z.ZodType<DocumentFragment> = z
  .object({
    object: z.literal('fragment'),
    key: z.string().optional(),
    fragment: text,
    type: text,
    nodes: z.array(DocumentBlock),
  })
  .meta({ id: 'DocumentFragment', description: 'Part of a block beside its nodes' })

const blockVariants = variants('block', blockData)
const inlineVariants = variants('inline', inlineData)

/** The document form of a page. */
export const JSONDocument = z
  .object({
    object: z.literal('document'),
    data: z.object({ schemaVersion: z.number() }).loose(),
    nodes: z.array(DocumentBlock),
  })
  .meta({ id: 'JSONDocument', description: 'Document form of a page' })
/** The document form of a page. */
export type JSONDocument = z.infer<typeof JSONDocument>
