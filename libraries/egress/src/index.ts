export type { Dial } from './dial.ts'
export {
  createEgress,
  type Egress,
  type EgressOptions,
  type FetchThroughOptions,
  fetchThrough,
} from './egress.ts'
export { Exchange, readExchanges, recordToFile } from './exchange.ts'
export type { EgressLimits } from './limits.ts'
export type { AllowedHost, EgressPolicy } from './policy.ts'
export { recordingEgress } from './recording-egress.ts'
export { replayingEgress } from './replaying-egress.ts'
export type { EgressRequest } from './request.ts'
export type { Resolve } from './resolve.ts'
export type { EgressResponse, EgressResponseStream } from './response.ts'
export { readTarget } from './target.ts'
