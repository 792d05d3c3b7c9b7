/** Folders of projects that are linted on their own, since their types fill a process. */
export const largeProjects = ['apps/content', 'apps/reader', 'e2e']
