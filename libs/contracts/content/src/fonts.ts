import { empty, endpoints, Id, inOrganization, list, page, text, Url } from '@recto/contracts-shared'
import { z } from 'zod'

/** Bounds of fonts: how many an organization has, how many faces a font, and bytes of a face. */
export const fontLimits = { fonts: 100, faces: 40, bytes: 5_000_000, familyLength: 50 } as const

const Weight = z.number().int().min(1).max(1000).describe('400 is regular, 700 bold')
const Family = text({ min: 1, max: fontLimits.familyLength })
const Key = text({ min: 1, max: 512 }).describe('Key of an upload of the caller: a WOFF 2 or WOFF file')

/** A font of an organization, in the form in which the customization of a site takes it. */
export const CustomFont = z
  .object({
    id: Id,
    custom: z.literal(true),
    fontFamily: z.string(),
    fontFaces: z.array(
      z.object({
        weight: Weight,
        sources: z.array(z.object({ url: Url, format: z.enum(['woff2', 'woff']) })),
      }),
    ),
    permissions: z.object({ edit: z.boolean() }),
  })
  .meta({ id: 'CustomFont', description: 'A font of an organization' })

const once = (faces: readonly { weight: number }[]) => new Set(faces.map(({ weight }) => weight)).size === faces.length

const CreateFont = z
  .object({
    fontFamily: Family,
    fontFaces: z
      .array(z.object({ weight: Weight, storageKey: Key }))
      .min(1)
      .max(fontLimits.faces)
      .refine(once, 'must have each weight once')
      .refine(faces => faces.some(({ weight }) => weight === 400), 'must have the weight 400'),
  })
  .meta({ id: 'CreateCustomFont', description: 'A font to create' })

const UpdateFont = z
  .object({
    fontFamily: Family.optional(),
    fontFaces: z
      .array(z.object({ weight: Weight, storageKey: Key.nullable().describe('null removes the weight') }))
      .max(fontLimits.faces)
      .refine(once, 'must have each weight once')
      .optional(),
  })
  .meta({ id: 'UpdateCustomFont', description: 'Fields of a font to update; weights that are not named stay' })

const fontsPath = '/orgs/{organizationId}/fonts'

/** Fonts of organizations, for their sites. */
export const fonts = endpoints({
  listCustomFonts: {
    route: `GET ${fontsPath}`,
    summary: 'List the fonts of an organization, by their families',
    description: 'All weights of a font are in its item, with the addresses of their files.',
    query: page,
    reply: list(CustomFont),
    errors: ['not_found'],
    scope: 'organization:read',
    access: inOrganization('read'),
  },
  createCustomFont: {
    route: `PUT ${fontsPath}`,
    summary: 'Create a font from files that were uploaded',
    description:
      'Sites that name it in their customization show it. Everybody may read its files. An upload that is not complete, or not yours, is refused (409), as is the 101st font of the organization; a file that is no font or larger than 5 MB is a bad request (400).',
    body: CreateFont,
    reply: CustomFont,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    scope: 'organization:write',
    access: inOrganization('create'),
    records: ['font.created'],
    examples: [{ body: { fontFamily: 'Ours', fontFaces: [{ weight: 400, storageKey: 'none' }] }, answers: 409 }],
  },
  getCustomFont: {
    route: `GET ${fontsPath}/{fontId}`,
    summary: 'Get a font',
    description: 'The addresses of its files are signed and stay valid.',
    reply: CustomFont,
    errors: ['not_found'],
    scope: 'organization:read',
    access: inOrganization('read'),
  },
  updateCustomFont: {
    route: `POST ${fontsPath}/{fontId}`,
    summary: 'Update a font: its family, and single weights',
    description:
      'Weights that are not named stay, and `storageKey: null` removes one; the weight 400 has to stay (400). Sites that name the font show the change. A file whose upload is not complete is refused (409).',
    body: UpdateFont,
    reply: CustomFont,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    scope: 'organization:write',
    access: inOrganization('create'),
    records: ['font.updated'],
    examples: [{ body: { fontFamily: 'House Sans' } }],
  },
  deleteCustomFont: {
    route: `DELETE ${fontsPath}/{fontId}`,
    summary: 'Delete a font; sites that name it show the default font instead',
    description: 'A font that is not there is no error.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    scope: 'organization:write',
    access: inOrganization('create'),
    records: ['font.deleted'],
  },
})
