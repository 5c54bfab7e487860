export { sitePack } from './pack.ts'
