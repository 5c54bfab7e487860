export { travelPack } from './pack.ts'
