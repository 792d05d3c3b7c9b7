import type { DocumentBlock, DocumentNode } from '@recto/markdown/schema'
import type { Canvas } from '../drawing/canvas.ts'
import type { Assets, Picture } from '../blocks/context.ts'
import { openImage } from '../images/open-image.ts'
import { mathObject } from '../math/draw-math.ts'
import { openMath, type ReadMath } from '../math/mathjax.ts'
import { refKey, type BookLimits, type BookSource, type PageContent } from '../model/model.ts'

type Opened = { picture: Picture } | { fault: string }

/** Pictures and formulas of a book. A picture is put into the document when it is opened, once however often it is shown, and its bytes are let go. */
export class BookAssets {
  readonly #canvas: Canvas
  readonly #source: BookSource
  readonly #limits: BookLimits
  readonly #opened = new Map<string, Opened>()
  #readMath: ReadMath | undefined
  #bytes = 0

  constructor(canvas: Canvas, source: BookSource, limits: BookLimits) {
    this.#canvas = canvas
    this.#source = source
    this.#limits = limits
  }

  /** Opens what a block shows. */
  async prepare(block: DocumentBlock, content: PageContent): Promise<void> {
    const needed = { files: new Set<string>(), hasMath: false }
    collect([block], { content, needed })
    for (const id of needed.files) if (!this.#opened.has(id)) this.#opened.set(id, await this.#open(id, content))
    if (needed.hasMath) this.#readMath ??= await openMath()
  }

  /** The assets for the layout of a page's blocks. */
  of(content: PageContent): Assets {
    const assetOf = (ref: unknown) => this.#opened.get(content.targets[refKey(ref)]?.file?.id ?? '')
    return {
      picture(ref) {
        const asset = assetOf(ref)
        return asset && 'picture' in asset ? asset.picture : undefined
      },
      fault(ref) {
        const asset = assetOf(ref)
        return asset && 'fault' in asset ? asset.fault : undefined
      },
      math: (formula, style) => {
        const svg = this.#readMath?.(formula, style.isDisplay)
        return svg && mathObject(svg, style, this.#canvas)
      },
    }
  }

  async #open(id: string, { targets }: PageContent): Promise<Opened> {
    const file = Object.values(targets).find(target => target.file?.id === id)?.file
    const { maxImageBytes, maxTotalImageBytes } = this.#limits
    if (file && file.size > maxImageBytes) return { fault: 'the file is too large' }
    if (this.#bytes + (file?.size ?? 0) > maxTotalImageBytes)
      return { fault: 'the pictures of this PDF are too large together' }
    const bytes = await this.#source.file(id)
    if (!bytes) return { fault: 'the file is not there' }
    this.#bytes += bytes.length
    const image = openImage(bytes)
    return 'fault' in image ? image : this.#embed(image.bytes)
  }

  #embed(bytes: Buffer): Opened {
    const { doc } = this.#canvas
    try {
      const image = (doc as unknown as PictureHost).openImage(bytes)
      image.embed(doc)
      const isTurned = (image.orientation ?? 1) > 4
      const [width, height] = isTurned ? [image.height, image.width] : [image.width, image.height]
      const draw: Picture['draw'] = rect =>
        doc.image(image as never, rect.x, rect.y, { width: rect.width, height: rect.height })
      return { picture: { width, height, draw } }
    } catch {
      return { fault: 'the picture is broken' }
    }
  }
}

/** Members of pdfkit's document that its types lack. */
interface PictureHost {
  openImage(bytes: Buffer): OpenedPicture
}
interface OpenedPicture {
  width: number
  height: number
  orientation?: number
  embed(doc: unknown): void
}

interface Needed {
  content: PageContent
  needed: { files: Set<string>; hasMath: boolean }
}

/** Every reference to a file that is a picture counts: blocks, text, covers and cells name them in different ways. */
function collect(nodes: readonly DocumentNode[], { content, needed }: Needed): void {
  for (const node of nodes) {
    if (node.object === 'text') continue
    if (node.type === 'math' || node.type === 'inline-math') needed.hasMath = true
    if (node.data) collectRefs(node.data, { content, needed })
    collect(node.nodes ?? [], { content, needed })
    for (const { nodes: inside } of node.fragments ?? []) collect(inside, { content, needed })
  }
}

function collectRefs(value: unknown, { content, needed }: Needed): void {
  if (typeof value !== 'object' || value === null) return
  const file = 'kind' in value ? content.targets[refKey(value)]?.file : undefined
  if (file && file.contentType.startsWith('image/')) needed.files.add(file.id)
  for (const [key, item] of Object.entries(value)) if (key !== 'refDark') collectRefs(item, { content, needed })
}
