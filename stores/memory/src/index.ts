export { type MemoryOptions, memoryStores } from './memory-stores.ts'
