export { eventsPack } from './pack.ts'
