/** A space as content describes it to other services, with all rights on it; it has no content. */
export function describedSpace({ id, title, organization }: { id: string; title: string; organization: string }) {
  const now = new Date(0).toISOString()
  return {
    object: 'space' as const,
    id,
    title,
    organization,
    emoji: '1f4d8',
    visibility: 'private' as const,
    createdAt: now,
    updatedAt: now,
    editMode: 'live' as const,
    mergeRules: { type: 'inherit' as const },
    revision: `revision of ${id}`,
    defaultLevel: 'inherit' as const,
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    urls: { location: `http://recto.test/v1/spaces/${id}`, app: `http://recto.test/s/${id}` },
    permissions: {
      view: true,
      access: true,
      admin: true,
      viewInviteLinks: true,
      edit: true,
      triggerGitSync: true,
      comment: true,
      merge: true,
      review: true,
      installIntegration: true,
    },
  }
}
