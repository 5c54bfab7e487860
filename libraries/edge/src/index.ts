export { type AuthThrottle, createAuthThrottle, DEFAULT_FAILURE_LIMIT } from './auth-throttle.ts'
export {
  type Admitted,
  type Authenticate,
  type Authenticated,
  authenticate,
  createEdge,
  type Edge,
  type EdgeOptions,
  isStillAuthenticated,
  KEEP_ALIVE_MS,
  readBearerToken,
  tooManyRequests,
} from './authenticate.ts'
export {
  bodyTooLarge,
  edgeError,
  httpStatusOf,
  type RefusalKind,
  retryAfterSeconds,
} from './edge-error.ts'
export {
  type AllowedSites,
  type BodyLimits,
  checkHeaders,
  decodeBody,
  decodeLargeBody,
  type EdgeRequest,
  fromFastPath,
  fromNode,
  isJsonType,
  readBody,
  readForm,
  readIdempotencyKey,
  readJsonBytes,
  readJsonText,
} from './edge-request.ts'
export { type FairTurns, paceWork, type TurnOptions } from './fair-turns.ts'
export { freeMemory } from './free-memory/free-memory.ts'
export type {
  FastPath,
  FastPathAnswer,
  FastPathRequest,
  FastPathResponse,
  FastPathStream,
  RequestHead,
} from './fast-path/fast-path.ts'
export { type OpenFastPath, openFastPath } from './fast-path/open-fast-path.ts'
export { streamBody } from './fast-path/stream-body.ts'
export { chargeBody, chargeNotice, paceBody } from './extra-costs.ts'
export { lingerOnClose } from './lingering-close.ts'
export type { OpenStreams, Stream, StreamLimits } from './open-streams.ts'
export {
  createRateLimiter,
  type RateLimit,
  type RateLimiter,
  type RateLimitState,
  rateLimitHeaders,
} from './rate-limiter.ts'
export { createBodyTurns, dropRestInTurns } from './read-incoming.ts'
export { LIGHT_MS } from './recent-clients.ts'
export type { RemoteClient } from './remote-address.ts'
export { repeatEvery } from './repeat-every.ts'
export { createRequestTurns, type RequestTurns } from './request-turns.ts'
