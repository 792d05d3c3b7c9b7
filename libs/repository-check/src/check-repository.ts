import type { CheckedPage } from '@recto/markdown'
import {
  defaultLimits,
  isImportFailure,
  loadRepository,
  lookupOf,
  repositoryId,
  type FileSource,
  type LoadedRepository,
  type RepositoryLookup,
  type RepositoryWarning,
} from '@recto/repository-content'
import { finishFindings, type Finding, type FindingDraft, type Rule } from './findings/finding.ts'
import { checkCase, checkListed, checkSizes, defaultSizes, largeFile, type SizeLimits } from './rules/files.rules.ts'
import { checkReference, type LinkContext, type LinkSource } from './rules/links.rules.ts'

/** How a repository is checked. */
export interface CheckOptions {
  /** The folder of the content in the repository; a `.gitbook.yaml` there may name another one below it. */
  project?: string | undefined
  /** Where the application is, to recognise links to spaces. */
  publicUrl?: string | undefined
  /** The ids of the spaces that exist there; without them such links are not checked. */
  spaceIds?: Iterable<string> | undefined
  /** Folders of other spaces of the same repository. */
  otherSpaces?: readonly string[] | undefined
  /** The file that lists the spaces of the repository, if there is one. */
  siteFile?: string | undefined
  sizes?: Partial<SizeLimits> | undefined
  /** Parses a page, such as in a thread of the caller's while others are read. */
  checkPage(markdown: string): Promise<CheckedPage>
}

/** No space has it: without an address of the application, no URL is one of it. */
const noAddress = 'recto:'

/** Checks the files of a folder, or of the tree of a commit, as an import would read them. */
export async function checkRepository(source: FileSource, options: CheckOptions): Promise<Finding[]> {
  const drafts: FindingDraft[] = checkCase(source.files)
  const check = startedOnce(markdown => options.checkPage(markdown))
  const largePages = new Set<string>()
  const onLargePage = (file: string, bytes: number) => {
    largePages.add(file)
    drafts.push(largeFile({ file, bytes, maxBytes: defaultLimits.maxPageBytes }))
  }
  try {
    const repository = await loadRepository(source, { project: options.project, onText: check, onLargePage })
    drafts.push(...repository.warnings.map(draftOf))
    drafts.push(...checkSizes(repository, { ...defaultSizes, ...options.sizes }))
    drafts.push(...checkListed(repository, source.files))
    drafts.push(...(await checkTexts(repository, source, { ...options, checkPage: check, largePages })))
  } catch (error) {
    if (!isImportFailure(error)) throw error
    const [, line] = /, line (\d+)/.exec(error.message) ?? []
    drafts.push({
      rule: error.code === 'too_large' && error.path !== undefined ? 'file-too-large' : 'repository',
      file: error.path ?? '',
      message: error.message,
      ...(line !== undefined && { line: Number(line) }),
    })
  }
  return finishFindings(drafts)
}

/** Checks each text once, from the first time that it is named. */
function startedOnce(check: CheckOptions['checkPage']): CheckOptions['checkPage'] {
  const started = new Map<string, Promise<CheckedPage>>()
  return text => {
    const checked = started.get(text) ?? check(text)
    if (!started.has(text)) checked.catch(() => undefined)
    started.set(text, checked)
    return checked
  }
}

function draftOf({ part, isLost, path, message, line }: RepositoryWarning): FindingDraft {
  const draft: FindingDraft = { rule: part, file: path, message, ...(line !== undefined && { line }) }
  return isLost ? { ...draft, severity: 'error' } : draft
}

async function checkTexts(
  repository: LoadedRepository,
  source: FileSource,
  options: CheckOptions & { largePages: ReadonlySet<string> },
): Promise<FindingDraft[]> {
  const { manifest, texts } = repository
  const { publicUrl = noAddress } = options
  const lookup = lookupOf(manifest, { spaceId: '', publicUrl })
  const ids = idsOfTexts(manifest, lookup)
  const checked = await Promise.all(
    [...texts].map(async ([file, text]) => ({ file, page: await options.checkPage(text) })),
  )
  // Nobody has read which headings a large page has.
  const unreadIds = new Set([...options.largePages].map(file => ids.get(file)))
  const anchors = new Map(checked.map(({ file, page }) => [ids.get(file), new Set(page.outline.anchors)]))
  const context: LinkContext = {
    content: {
      ...lookup,
      hasSpec: () => true,
      hasAnchor: (id, anchor) => unreadIds.has(id) || (anchors.get(id)?.has(anchor) ?? false),
    },
    paths: new Set(source.files.map(({ path }) => path)),
    pathsByLowerCase: new Map(source.files.map(({ path }) => [path.toLowerCase(), path])),
    otherSpaces: options.otherSpaces ?? [],
    siteFile: options.siteFile,
    spaceIds: options.spaceIds && new Set(options.spaceIds),
  }
  return checked.flatMap(({ file, page }) => checkText(page, { id: ids.get(file) ?? '', file }, context))
}

function idsOfTexts(
  { reusableContents }: LoadedRepository['manifest'],
  { entries }: RepositoryLookup,
): Map<string, string> {
  const reusable = reusableContents.map(({ git: { path } }) => [path, repositoryId('reusable-content', path)])
  const pages = entries.flatMap(({ id, page }) => (page.type === 'document' && page.git ? [[page.git.path, id]] : []))
  return new Map([...reusable, ...pages] as [string, string][])
}

const blockMessages: Record<CheckedPage['tagFaults'][number]['fault'], [Rule, string]> = {
  unknown: ['unknown-block', 'is not a block, and readers do not see it'],
  unclosed: ['unpaired-block', 'has no end'],
  unopened: ['unpaired-block', 'has an end without a start'],
}

function checkText(
  { outline, tagFaults, isBeyondBounds }: CheckedPage,
  source: LinkSource,
  context: LinkContext,
): FindingDraft[] {
  const { file } = source
  const links = outline.references.map(reference => checkReference(reference, source, context))
  const blocks = tagFaults.map(({ fault, name, line }): FindingDraft => {
    const [rule, text] = blockMessages[fault]
    return { rule, file, line, target: name, message: `{% ${name} %} ${text}` }
  })
  const bounds: FindingDraft[] = isBeyondBounds
    ? [
        {
          rule: 'page-bounds',
          file,
          message: 'The page is too deep or too large to be parsed, and is shown as it is written',
        },
      ]
    : []
  return [...bounds, ...blocks, ...links.filter(link => link !== undefined)]
}
