export * from './document/schema.ts'
