/** The module of the worker threads that read specifications; a bundle of its own. */
export { readSpecification } from './processing/read-specification.ts'
