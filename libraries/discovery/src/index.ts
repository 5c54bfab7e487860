export { miniSearchIndex } from './text-index.ts'
