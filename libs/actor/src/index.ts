export * from './actor.ts'
export * from './token.ts'
