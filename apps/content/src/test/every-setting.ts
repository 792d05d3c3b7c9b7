import { readFileSync } from 'node:fs'
import { ContentChange, contentApi } from '@recto/contracts-content'
import { File, Page, ReusableContent } from '@recto/contracts-shared'
import { ImportManifest } from '@recto/contracts-git-worker-bus'
import { pageSettings, readPageSource } from '@recto/markdown'
import { loadFileIndex, loadPageIndex, loadReusableContents } from '../pages/revision-index.ts'
import { SpaceEntity } from '../resources/space.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { type ContentSetup, importInto, organization, type TestContent } from './content-setup.ts'

/** The things that can have settings. */
export const things = [
  'document',
  'entry',
  'group',
  'link',
  'computed',
  'file',
  'reusable',
  'content',
  'space',
] as const
type Thing = (typeof things)[number]

/** Fields of replies and requests that are no settings: identity, place, and what follows from other fields. */
// prettier-ignore
const noSettings = [
  'id', 'type', 'kind', 'path', 'urls', 'createdAt', 'updatedAt', 'pages', 'git', 'operation', 'page', 'ref',
  'into', 'at', 'markdown', 'documentId', 'computedSeed', 'downloadURL', 'target', 'document',
]

const shapeOf = (type: string) => Object.keys(Page.options.find(({ shape }) => shape.type.value === type)?.shape ?? {})
const requests = ContentChange.options.flatMap(({ shape }) => ('into' in shape ? Object.keys(shape) : []))
const onlyOf: Record<string, readonly Thing[]> = { metaLinks: ['document'], description: ['document', 'entry'], href: ['link'], slug: ['document', 'entry', 'group'] } // prettier-ignore
const requested = (thing: Thing) => requests.filter(name => onlyOf[name]?.includes(thing) ?? true)
const { variables, configuration } = ImportManifest.shape

/** The names of the fields of each thing, from the contract. */
const contract: Record<Thing, string[]> = {
  document: [...shapeOf('document').filter(name => name !== 'computed'), ...requested('document')],
  // An entry without file has the fields of a page, without those that only front matter sets.
  entry: requested('entry'),
  group: [...shapeOf('group'), ...requested('group')],
  link: [...shapeOf('link'), ...requested('link')],
  computed: [...shapeOf('computed'), ...requested('computed')],
  file: Object.keys(File.shape),
  reusable: Object.keys(ReusableContent.shape),
  content: [...(variables ? ['variables'] : []), ...['redirects', 'tags'].filter(name => name in configuration.shape)],
  space: Object.keys(contentApi.updateSpaceById.body.shape),
}

/** Every setting of a thing. */
export const settingsOfThing = (thing: Thing): string[] => [
  ...new Set(contract[thing].filter(name => !noSettings.includes(name))),
]

/** An image of one pixel. */
export const image = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const fileFields = { contentType: 'image/png', dimensions: { width: 1, height: 1 } }
const pageFlags = { hidden: true, noIndex: true, noRobotsIndex: true, icon: 'rocket' }
const computed = {
  type: 'builtin:openapi' as const,
  props: { models: true },
  dependencies: { spec: { ref: { kind: 'openapi' as const, spec: 'petstore' } } },
}
const markdown = `---
linkTitle: Short
description: About it
icon: rocket
hidden: true
noIndex: true
noRobotsIndex: true
if: visitor.claims.beta
cover: assets/a.png
coverY: 12
coverHeight: 300
coverTextColor: black
metaLinks:
  canonical: https://canonical.test/page
  alternates:
    - other.md
tags:
  - guide
  - tag: beta
    primary: true
layout:
  width: wide
  cover:
    mask: radial
  outline:
    visible: false
vars:
  product: Recto
---

# Heading

Text
`
const beta = { slug: 'beta', label: 'Beta', color: 'red' as const, icon: 'flask' }
const coverLook = { yPos: 12, height: 300, textColor: 'black' as const, textColorDark: 'black' as const }
const entry = { ...pageFlags, linkTitle: 'Short', emoji: '1f680', condition: 'visitor.claims.beta' }

/** A value of each setting that is not the one that it has unless it is set. A setting without a value fails the tests. */
export const examples: Record<Thing, Record<string, unknown>> = {
  document: {
    title: 'The page',
    slug: 'start',
    emoji: '1f680',
    cover: { ...coverLook, ref: { kind: 'file' } },
    ...pageSettings(readPageSource(markdown, '').frontMatter),
  },
  entry: { ...entry, title: 'The entry', slug: 'soon-set', description: 'Later' },
  group: { ...entry, title: 'The group', slug: 'group-set' },
  link: { ...entry, title: 'The link', href: 'https://link.test/' },
  computed: { ...entry, title: 'The API', computed },
  file: { name: 'logo.png', contentType: 'image/png', size: image.length, dimensions: { width: 1, height: 1 } },
  reusable: { title: 'note' },
  content: {
    variables: { version: 3 },
    redirects: { old: 'page.md' },
    tags: [beta],
  },
  space: {
    title: 'The space',
    emoji: '1f600',
    icon: 'https://icon.test/i.png',
    language: 'fr',
    editMode: 'locked',
    defaultLevel: 'create',
    mergeRules: { type: 'rules', rules: [{ rule: 'custom', expression: 'true' }] },
  },
}

/** A setting that others exclude is set in a space of its own. */
export const alternatives = [{ without: 'icon' }, { without: 'emoji' }] as const
export type Alternative = (typeof alternatives)[number]['without']

/** The content of its repository: with all settings of Recto's own file, or without that file. */
const content: TestContent = {
  pages: { page: markdown, other: '# Other\n' },
  fields: {
    page: {
      title: 'The page',
      slug: 'start',
      hasOwnSlug: true,
      emoji: '1f680',
      ...pageSettings(readPageSource(markdown, '').frontMatter),
      cover: { path: 'assets/a.png', ...coverLook },
    },
  } as NonNullable<TestContent['fields']>,
  files: { 'a.png': image },
  fileFields: { ...fileFields, name: 'logo.png', hasOwnName: true },
  reusable: { note: 'A note\n' },
  variables: { version: 3 },
  redirects: { old: 'page.md' },
  tags: [beta],
  settingsFile: 'read',
  entries: [
    { type: 'document', ...entry, title: 'The entry', slug: 'soon-set', hasOwnSlug: true, description: 'Later', pages: [] }, // prettier-ignore
    { type: 'link', ...entry, title: 'The link', href: 'https://link.test/' },
    { type: 'computed', ...entry, title: 'The API', computed },
    { type: 'group', ...entry, title: 'The group', slug: 'group-set', hasOwnSlug: true, pages: [] },
  ],
}

/** The same content in a repository without Recto's own file. */
export const contentWithoutOwnFile: TestContent = {
  ...content,
  fields: {
    page: {
      title: 'The page',
      ...pageSettings(readPageSource(markdown, '').frontMatter),
      cover: { path: 'assets/a.png', ...coverLook },
    },
  } as NonNullable<TestContent['fields']>,
  fileFields,
  settingsFile: 'absent',
  entries: [
    { type: 'document', title: 'The entry', slug: 'the-entry', pages: [] },
    { type: 'link', title: 'The link', href: 'https://link.test/' },
    { type: 'computed', title: 'petstore', computed },
    { type: 'group', title: 'The group', slug: 'the-group', pages: [] },
  ],
}

/** The same content, whose page has no front matter either. */
export const contentWithoutSettings: TestContent = {
  ...contentWithoutOwnFile,
  pages: { page: '# Heading\n\nText\n', other: '# Other\n' },
  fields: { page: { title: 'The page' } },
}

/** A space in which everything that can be set is set. */
export async function aSpaceWithEverySetting(
  setup: ContentSetup,
  {
    without = 'icon',
    locked = false,
    isPlain = false,
    isNamed = true,
  }: { without?: Alternative; locked?: boolean; isPlain?: boolean; isNamed?: boolean } = {},
): Promise<string> {
  const admin = setup.as('admin')
  const { id: spaceId } = await admin.createSpace({ params: { organizationId: organization }, body: {} })
  const contentWithNames = { ...contentWithoutOwnFile, ...(isNamed && { fileFields: content.fileFields ?? {} }) }
  await importInto(setup, spaceId, isPlain ? contentWithNames : content)
  const { editMode, ...settings } = examples.space
  const body = { ...settings, ...(locked && { editMode }) } as Record<string, unknown>
  delete body[without]
  await admin.updateSpaceById({ params: { spaceId }, body })
  return spaceId
}

/** Every setting of a space and its content as it is stored: replies do not have all of them. */
export async function settingsOfSpace(
  { service: { db } }: ContentSetup,
  spaceId: string,
): Promise<Record<Thing, Record<string, unknown>>> {
  const space = await db.findOneByOrFail(SpaceEntity, { id: spaceId })
  const revision = await revisions.get(db, space.revision)
  const pages = (await loadPageIndex(db, revision)).inOrder()
  const [file] = (await loadFileIndex(db, revision.filesRoot)).inOrder
  const [reusable] = await loadReusableContents(db, revision.reusableRoot)
  const record = {
    document: pages.find(page => page.type === 'document' && page.slug?.startsWith('start')),
    entry: pages.find(page => page.type === 'document' && page.slug?.startsWith('soon')),
    group: pages.find(({ type }) => type === 'group'),
    link: pages.find(({ type }) => type === 'link'),
    computed: pages.find(({ type }) => type === 'computed'),
    file,
    reusable,
    space,
    content: {
      variables: revision.variables,
      redirects: revision.configuration?.redirects,
      tags: revision.configuration?.tags,
    },
  } as unknown as Record<Thing, Record<string, unknown> | undefined>
  return Object.fromEntries(
    things.map(thing => [thing, Object.fromEntries(settingsOfThing(thing).map(name => [name, record[thing]?.[name]]))]),
  ) as Record<Thing, Record<string, unknown>>
}

/** The ways of `docs/settings-on-every-way.md`, with the settings that each of them does not carry, such as `space.*`. */
export function documentedWays(): Map<string, string[]> {
  const page = readFileSync(new URL('../../../../docs/settings-on-every-way.md', import.meta.url), 'utf8')
  const rows = page.split('\n').flatMap(line => {
    const cells = line.split('|').map(cell => cell.trim())
    const [, way = '', , exceptions = '', why = ''] = cells
    return cells.length === 6 && /^`[^`]+`$/.test(way) ? [{ way, exceptions, why }] : []
  })
  return new Map(
    rows.map(({ way, exceptions, why }) => {
      const names = Array.from(exceptions.matchAll(/`([a-z]+\.[\w*]+)`/gi), ([, name = '']) => name)
      if (names.length > 0 && why === '') throw new Error(`${way} does not say why`)
      return [way.slice(1, -1), names]
    }),
  )
}
