import { signDownload } from '@recto/blobs'
import type { CustomFont } from '@recto/contracts-content'
import type { z } from 'zod'
import type { BaseContext } from '../shared/context.ts'
import type { FontRow } from './font.entity.ts'

/** The address of a font never expires: sites are read by everybody, and the font is deleted when it is to be read no more. */
const never = new Date('9999-01-01T00:00:00Z')

/** A font with the addresses of its files. */
export function presentFont(
  { id, family, faces }: FontRow,
  { canEdit }: { canEdit: boolean },
  { publicUrl, signingSecret: secret }: Pick<BaseContext, 'publicUrl' | 'signingSecret'>,
): z.input<typeof CustomFont> {
  return {
    id,
    custom: true,
    fontFamily: family,
    fontFaces: faces.map(({ weight, hash, format }) => {
      const file = { hash, name: `${weight}.${format}`, contentType: `font/${format}` }
      return { weight, sources: [{ url: signDownload({ ...file, expiresAt: never, secret, publicUrl }), format }] }
    }),
    permissions: { edit: canEdit },
  }
}
