export { parseWithFaults, type Parsed, type SchemaFault } from './schema-faults.ts'
