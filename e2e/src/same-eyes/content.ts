import type { Random } from './random.ts'

/** A word that stands in one place and nowhere else. */
export type Word = string

/** A piece of a text, and the conditions on claims around it. */
export interface Piece {
  conditions: string[]
  word?: Word
  /** Names of a file, of a reusable content, or the slug of a specification. */
  file?: string
  include?: string
  spec?: string
}

/** A page, a group or a link of a space. */
export interface PageModel {
  type: 'document' | 'group' | 'link'
  /** Its name in the repository, unique in the space. */
  name: string
  title: Word
  description?: Word
  condition?: string | undefined
  noIndex?: boolean
  hidden?: boolean
  pieces: Piece[]
  pages: PageModel[]
}

/** The content of a space. */
export interface SpaceModel {
  pages: PageModel[]
  /** By name: the word in it. */
  files: Record<string, Word>
  reusable: Record<string, { title: Word; pieces: Piece[] }>
}

/** Makes the content of a space, in which every place has a word of its own. */
export function makeSpace(random: Random, specs: readonly string[]): SpaceModel {
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`)
  const files = Object.fromEntries(names('file', 4).map(name => [`${name}${random.word()}`, random.word()]))
  const includes = names('part', 3)
  const pieces = makePieces(random, { files: Object.keys(files), includes, specs })
  const reusable = Object.fromEntries(
    includes.map((name, at) => [
      name,
      {
        title: random.word(),
        pieces: makePieces(random, { files: Object.keys(files), includes: includes.slice(at + 1), specs: [] })(),
      },
    ]),
  )
  const page = (name: string, pages: PageModel[] = []): PageModel => ({
    type: 'document',
    name,
    title: random.word(),
    description: random.word(),
    pieces: pieces(),
    pages,
    condition: random.maybe(0.35, () => random.condition()),
    noIndex: random.chance(0.15),
    hidden: random.chance(0.15),
  })
  const group = (name: string, pages: PageModel[]): PageModel => ({
    type: 'group',
    name,
    title: random.word(),
    pieces: [],
    pages,
  })
  const link = (name: string): PageModel => ({ type: 'link', name, title: random.word(), pieces: [], pages: [] })
  const home: PageModel = { ...page('README'), condition: undefined, noIndex: false, hidden: false }
  return {
    pages: [
      home,
      page('one', [page('under')]),
      page('two'),
      // In a table of contents, what follows a group is in it.
      link('away'),
      group('group', [page('inside'), page('beside')]),
    ],
    files,
    reusable,
  }
}

interface Targets {
  files: readonly string[]
  includes: readonly string[]
  specs: readonly string[]
}

function makePieces(random: Random, { files, includes, specs }: Targets): () => Piece[] {
  const piece = (conditions: string[]): Piece[] => [
    { conditions, word: random.word() },
    ...(random.chance(0.4) ? [{ conditions, file: random.of(files) }] : []),
    ...(includes.length > 0 && random.chance(0.3) ? [{ conditions, include: random.of(includes) }] : []),
    ...(specs.length > 0 && random.chance(0.25) ? [{ conditions, spec: random.of(specs) }] : []),
  ]
  return () => {
    const outer = random.condition()
    const inner = [outer, random.condition()]
    return [
      ...piece([]),
      ...(random.chance(0.6) ? [...piece([outer]), ...(random.chance(0.5) ? piece(inner) : [])] : []),
      ...piece([]),
    ]
  }
}

const meets = (condition: string | undefined, held: ReadonlySet<string>) =>
  condition === undefined || held.has(condition.replace('visitor.claims.', ''))

/** The words of a space that a visitor may see, by where they must stand. */
export interface SeenWords {
  /** In the pages, and their Markdown. */
  pages: Set<Word>
  /** In the search. */
  search: Set<Word>
  /** In the navigation. */
  titles: Set<Word>
  /** Nowhere that must be looked at. */
  unlisted: Set<Word>
  files: Set<string>
  specs: Set<string>
}

/** The model: which words of a space a visitor with these claims sees. */
export function seenIn(space: SpaceModel, held: ReadonlySet<string>): SeenWords {
  const seen: SeenWords = {
    pages: new Set(),
    search: new Set(),
    titles: new Set(),
    unlisted: new Set(),
    files: new Set(),
    specs: new Set(),
  }
  const read = (pieces: Piece[], isSearched: boolean): void => {
    for (const { conditions, word, file, include, spec } of pieces) {
      if (!conditions.every(condition => meets(condition, held))) continue
      if (word !== undefined) seen.pages.add(word)
      if (word !== undefined && isSearched) seen.search.add(word)
      if (file !== undefined) seen.files.add(file)
      if (spec !== undefined) seen.specs.add(spec)
      if (include !== undefined) read(space.reusable[include]?.pieces ?? [], false)
    }
  }
  const walk = (pages: PageModel[], isAboveIndexed: boolean): PageModel[] =>
    pages.filter(page => {
      if (!meets(page.condition, held)) return false
      const isIndexed = isAboveIndexed && page.noIndex !== true
      const below = walk(page.pages, isIndexed)
      if (page.type === 'group') {
        // The navigation leaves out hidden pages, and so a group that has no others.
        if (below.length > 0) seen[below.some(({ hidden }) => hidden !== true) ? 'titles' : 'unlisted'].add(page.title)
        return below.length > 0
      }
      seen.titles.add(page.title)
      if (page.type === 'document') {
        for (const word of [page.title, page.description ?? page.title]) {
          seen.pages.add(word)
          if (isIndexed) seen.search.add(word)
        }
        read(page.pieces, isIndexed)
      }
      return true
    })
  walk(space.pages, true)
  return seen
}

/** All words of the pages of a space. */
export function pageWordsIn({ pages }: Pick<SpaceModel, 'pages'>): Word[] {
  return wordsIn({ pages, files: {}, reusable: {} })
}

/** All words of a space. */
export function wordsIn({ pages, files, reusable }: SpaceModel): Word[] {
  const ofPieces = (pieces: Piece[]) => pieces.flatMap(({ word }) => word ?? [])
  const ofPage = (page: PageModel): Word[] => [
    page.title,
    page.description ?? page.title,
    ...ofPieces(page.pieces),
    ...page.pages.flatMap(ofPage),
  ]
  return [
    ...pages.flatMap(ofPage),
    ...Object.entries(files).flatMap(([name, word]) => [name, word]),
    ...Object.values(reusable).flatMap(({ title, pieces }) => [title, ...ofPieces(pieces)]),
  ]
}

/** Wraps the pieces of a text in the conditions around them. */
export function markdownOf(pieces: Piece[], folder: string): string {
  const block = ({ word, file, include, spec }: Piece): string => {
    if (word !== undefined) return `Some ${word} here.`
    if (file !== undefined) return `{% file src="${folder}.gitbook/assets/${file}.txt" %}`
    if (include !== undefined) return `{% include "${folder}.gitbook/includes/${include}.md" %}`
    return `{% openapi-operation spec="${spec}" path="/toys" method="get" %}\n{% endopenapi-operation %}`
  }
  return pieces
    .map(piece =>
      piece.conditions.reduceRight(
        (inside, condition) => `{% if ${condition} %}\n${inside}\n{% endif %}`,
        block(piece),
      ),
    )
    .join('\n\n')
}

/** The files of a repository with the content of a space. */
export function repositoryOf({ pages, files, reusable }: SpaceModel): Record<string, string> {
  const markdownFiles: Record<string, string> = {}
  const summary: string[] = ['# Table of contents', '']
  const add = (page: PageModel, folder: string, depth: number): void => {
    if (page.type === 'group') {
      summary.push('', `## ${page.title}`, '')
      return page.pages.forEach(child => add(child, folder, 0))
    }
    const path = `${folder}${page.name}.md`
    const target = page.type === 'link' ? `https://${page.name}.test/` : path
    summary.push(`${'  '.repeat(depth)}* [${page.title}](${target})`)
    if (page.type === 'link') return
    const up = '../'.repeat(path.split('/').length - 1)
    markdownFiles[path] = `${frontMatterOf(page)}# ${page.title}\n\n${markdownOf(page.pieces, up)}\n`
    for (const child of page.pages) add(child, `${folder}${page.name}/`, depth + 1)
  }
  for (const page of pages) add(page, '', 0)
  for (const [name, word] of Object.entries(files)) markdownFiles[`.gitbook/assets/${name}.txt`] = `Bytes of ${word}\n`
  for (const [name, { title, pieces }] of Object.entries(reusable))
    markdownFiles[`.gitbook/includes/${name}.md`] = `---\ntitle: ${title}\n---\n\n${markdownOf(pieces, '../../')}\n`
  return { ...markdownFiles, 'SUMMARY.md': `${summary.join('\n')}\n` }
}

function frontMatterOf({ description, condition, noIndex, hidden }: PageModel): string {
  const fields = [
    `description: ${description}`,
    ...(condition ? [`if: ${condition}`] : []),
    ...(noIndex ? ['noIndex: true'] : []),
    ...(hidden ? ['hidden: true'] : []),
  ]
  return `---\n${fields.join('\n')}\n---\n\n`
}
