/** Questions as events, one by one. */
export async function* eventsOf(read: () => Promise<string[]>): AsyncGenerator<{ question: string }> {
  for (const question of await read()) yield { question }
}
