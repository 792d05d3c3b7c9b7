/** The module of the worker threads that read specifications, and write them; a bundle of its own. */
export { readSpecification } from './processing/read-specification.ts'
export { writeYaml } from './contents/write-yaml.ts'
