export { personalPack } from './pack.ts'
