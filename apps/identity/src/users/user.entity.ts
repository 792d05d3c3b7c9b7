import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

export interface UserRow {
  id: string
  email: string
  displayName: string
  photoUrl: string | null
  platformAdmin: boolean
  createdAt: Date
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
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<UserRow>,
})
