import { systemClock } from '@surehand/core/ports'
import { createJwtCallers, type JwtCallers } from '@surehand/identity'
import { callerFrom, type JwtSettings } from './jwt-claims.ts'

/** Identifies callers by tokens of an external issuer. */
export function jwtIdentity(settings: JwtSettings): JwtCallers {
  const { issuer, audience, jwksUrl, algorithms } = settings
  return createJwtCallers({
    issuer,
    audience,
    jwksUrl,
    clock: systemClock(),
    callerFrom: callerFrom(settings),
    // jwtCallers refuses unknown algorithms itself
    ...(algorithms === undefined ? {} : { algorithms: algorithms as never }),
  })
}
