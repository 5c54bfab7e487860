export { type Listening, type ListenOptions, listen } from './listen.ts'
export type { HttpAudit, HttpIdentity, HttpOptions } from './options.ts'
export { httpSurface } from './surface.ts'
export type { Wire } from './wire.ts'
