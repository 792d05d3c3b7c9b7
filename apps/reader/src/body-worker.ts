/** The module of the worker threads that write bodies; a bundle of its own. */
export { renderBody } from './blocks/render-body.tsx'
