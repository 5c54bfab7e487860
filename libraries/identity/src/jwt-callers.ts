import { type Caller, ToolError } from '@surehand/core'
import type { Clock } from '@surehand/core/ports'
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTPayload,
  jwtVerify,
} from 'jose'

/**
 * Asymmetric algorithms only: with HS256 in the list, the public key would be accepted as a shared
 * secret.
 */
export const JWT_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const
export type JwtAlgorithm = (typeof JWT_ALGORITHMS)[number]

export type JwtOptions = {
  readonly issuer: string
  readonly audience: string
  readonly jwksUrl: string
  readonly algorithms?: readonly JwtAlgorithm[]
  /** Maps claims to a caller, or undefined where they are not sufficient. */
  readonly callerFrom: (claims: JWTPayload) => Omit<Caller, 'session'> | undefined
  readonly clock: Clock
  readonly toleranceSeconds?: number
  /** How long after fetching keys an unknown key id does not fetch them again. */
  readonly coolDownMs?: number
  /** Fetches the keys, through egress where there is one. */
  readonly get?: FetchImplementation
}

export type JwtCallers = {
  /** Undefined where it is not a valid token of this issuer for this audience. */
  readonly read: (token: string) => Promise<JwtCaller | undefined>
}

/** The caller that a token names, and its expiry. */
export type JwtCaller = { readonly caller: Caller; readonly expiresAt: number }

const TOLERANCE_SECONDS = 30
const COOL_DOWN_MS = 30_000
const MAX_TOKEN_LENGTH = 16_384
// An RSA key of 4,096 bits takes about 800 bytes, so this is enough for hundreds of keys.
const MAX_KEYS_BYTES = 262_144

/** Authenticates callers by tokens that an OIDC issuer signs. */
export function createJwtCallers(options: JwtOptions): JwtCallers {
  const algorithms = [...(options.algorithms ?? ['RS256', 'ES256', 'EdDSA'])]
  const symmetric = algorithms.find(
    (algorithm) => !(JWT_ALGORITHMS as readonly string[]).includes(algorithm),
  )
  if (symmetric !== undefined)
    throw new TypeError(
      `The algorithm ${symmetric} is not allowed: tokens signed with it could be forged.`,
    )
  const keys = createRemoteJWKSet(new URL(options.jwksUrl), {
    cooldownDuration: options.coolDownMs ?? COOL_DOWN_MS,
    [customFetch]: withinBytes(options.get ?? fetch, MAX_KEYS_BYTES),
  })
  return {
    async read(token) {
      if (token.length > MAX_TOKEN_LENGTH) return undefined
      const claims = await verifyToken(() =>
        jwtVerify(token, keys, {
          issuer: options.issuer,
          audience: options.audience,
          algorithms,
          clockTolerance: options.toleranceSeconds ?? TOLERANCE_SECONDS,
          currentDate: new Date(options.clock.now()),
          // A token without an expiry could not be revoked by waiting.
          requiredClaims: ['exp', 'sub'],
        }),
      )
      const caller = claims === undefined ? undefined : options.callerFrom(claims)
      if (claims === undefined || caller === undefined) return undefined
      return {
        caller: { ...caller, session: `jwt:${claims.jti ?? claims.sub}` },
        expiresAt: (claims.exp ?? 0) * 1_000,
      }
    },
  }
}

/** Reads at most this much of a response: the issuer's server must not fill the memory. */
function withinBytes(get: FetchImplementation, maxBytes: number): FetchImplementation {
  return async (url, init) => {
    const response = await get(url, init)
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength
      // Leaving the loop cancels the rest of the body.
      if (bytes > maxBytes)
        throw new TypeError(`The issuer's keys are larger than ${maxBytes} bytes.`)
      chunks.push(chunk)
    }
    return new Response(bytes === 0 ? null : Buffer.concat(chunks), {
      status: response.status,
      headers: response.headers,
    })
  }
}

// These codes mean that the keys could not be fetched, not that the token is invalid.
const KEYS_UNAVAILABLE = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'])

// An invalid token means "not signed in". Keys that cannot be fetched are an error of the server.
async function verifyToken(
  verify: () => Promise<{ readonly payload: JWTPayload }>,
): Promise<JWTPayload | undefined> {
  try {
    return (await verify()).payload
  } catch (thrown) {
    if (thrown instanceof errors.JOSEError && !KEYS_UNAVAILABLE.has(thrown.code)) return undefined
    throw new ToolError(
      'TOOL_RESOURCE_UNAVAILABLE',
      "The token cannot be verified: the issuer's keys could not be fetched. Try again later.",
      {
        cause: thrown,
      },
    )
  }
}
