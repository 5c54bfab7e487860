export { marketplacePack } from './pack.ts'
