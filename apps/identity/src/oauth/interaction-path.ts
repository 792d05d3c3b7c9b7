/** The path of what a person is asked. */
export const interactionPath = (uid: string) => `/oauth/interactions/${uid}`

/** The id of an interaction that a sign-in was begun for; undefined for what is none. */
export function interactionId(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w-]{16,64}$/.test(text) ? text : undefined
}
