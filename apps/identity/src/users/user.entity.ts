import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

export interface UserRow {
  id: string
  email: string
  displayName: string
  photoUrl: string | null
  platformAdmin: boolean
  /** The organization whose single sign-on alone asserted the email; null where a platform administrator did. */
  emailAssertedBy: string | null
  createdAt: Date
  /** The organization that it is a service account of; null or absent for a person. */
  serviceAccountOf?: string | null
}

export const UserEntity = new EntitySchema<UserRow>({
  name: 'User',
  tableName: 'users',
  columns: {
    id: { type: 'text', primary: true },
    email: { type: 'text' },
    displayName: { type: 'text', name: 'display_name' },
    photoUrl: { type: 'text', name: 'photo_url', nullable: true },
    platformAdmin: { type: 'boolean', name: 'platform_admin' },
    emailAssertedBy: { type: 'text', name: 'email_asserted_by', nullable: true },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    serviceAccountOf: { type: 'text', name: 'service_account_of', nullable: true },
  } satisfies EntityColumns<UserRow>,
})
