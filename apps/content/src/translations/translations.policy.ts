import { canManage } from '../access/access.policy.ts'
import type { Role } from '@recto/actor'

/** The rights of a role on the target of a translation, for those who may read both its spaces. */
export const translationCan = {
  view: (role: Role) => role !== null,
  edit: canManage,
}

/** Whether a role in an organization may change its glossary. */
export const canEditGlossary = canManage
