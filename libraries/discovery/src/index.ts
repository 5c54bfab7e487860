export {
  decodeVector,
  type Embeddings,
  encodeVector,
  LOCAL_MODEL,
  localEmbeddings,
} from './local-embeddings.ts'
export { miniSearchIndex, splitWords } from './text-index.ts'
export { toolIndex } from './tool-index.ts'
