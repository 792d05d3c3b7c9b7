import { canManage } from '../access/access.policy.ts'
import type { Role } from '@recto/actor'

/** The rights of a role on the target of a translation, for those who may read both its spaces. */
export const translationCan = {
  view: (role: Role) => role !== null,
  edit: canManage,
}

/** Who may change the glossary of an organization, by their role in it. */
export const canEditGlossary = canManage
