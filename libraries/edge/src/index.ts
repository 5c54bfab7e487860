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
  readBearerToken,
} from './authenticate.ts'
export { type AllowedSites, checkHeaders, readIdempotencyKey } from './check-headers.ts'
export { bodyTooLarge, edgeError, httpStatusOf, type RefusalKind } from './edge-error.ts'
export { type EdgeRequest, fromFastPath, fromNode } from './edge-request.ts'
export type {
  FastPath,
  FastPathRequest,
  FastPathResponse,
  RequestHead,
} from './fast-path/fast-path.ts'
export { type OpenFastPath, openFastPath } from './fast-path/open-fast-path.ts'
export {
  createRateLimiter,
  type RateLimit,
  type RateLimiter,
  type RateLimitState,
  rateLimitHeaders,
} from './rate-limiter.ts'
export {
  type BodyLimits,
  isJsonType,
  readBody,
  readForm,
  readJsonBytes,
  readJsonText,
} from './read-body.ts'
export type { RemoteClient } from './remote-address.ts'
export { repeatEvery, STREAM_CHECK_MS } from './repeat-every.ts'
