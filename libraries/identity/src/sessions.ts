import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@surehand/core/ports'
import { z } from 'zod'
import { newSecret } from './secret.ts'

/** A person who is signed in on a page. */
export type Session = {
  readonly id: string
  readonly tenant: string
  readonly principal: string
  /** The token they signed in with: the session ends when it is revoked. */
  readonly token?: string
  /** The roles that an issuer claims for them, where the tenant has no record. */
  readonly claimed?: { readonly roles: readonly string[]; readonly scopes?: readonly string[] }
  readonly expiresAt: number
}

export type SessionOptions = {
  readonly clock: Clock
  /** At least 32 secret bytes. */
  readonly key: Uint8Array
  readonly lifeSeconds?: number
  /** Set it to false only where pages are served without TLS on this machine. */
  readonly secure?: boolean
}

/** Signed cookies for pages. */
export type Sessions = {
  /**
   * A new session, and the value of the `Set-Cookie` header for it. It ends no later than the
   * credential it was opened with.
   */
  readonly open: (
    who: Pick<Session, 'tenant' | 'principal' | 'token' | 'claimed'> & {
      readonly expiresAt?: number
    },
  ) => { readonly session: Session; readonly cookie: string }
  /** Reads a `Cookie` header. Undefined where no valid session is in it. */
  readonly read: (cookies: string | undefined) => Session | undefined
  readonly close: () => string
  /** A signature for this session and this purpose, for example a CSRF token. */
  readonly seal: (session: Session, purpose: string) => string
  readonly isSealed: (session: Session, purpose: string, seal: string) => boolean
}

const LIFE_SECONDS = 8 * 3_600
const MIN_KEY_BYTES = 32

const Payload = z.strictObject({
  id: z.string(),
  tenant: z.string(),
  principal: z.string(),
  token: z.string().exactOptional(),
  claimed: z
    .strictObject({ roles: z.array(z.string()), scopes: z.array(z.string()).exactOptional() })
    .exactOptional(),
  expiresAt: z.number(),
})

export function createSessions({
  clock,
  key,
  lifeSeconds = LIFE_SECONDS,
  secure = true,
}: SessionOptions): Sessions {
  if (key.byteLength < MIN_KEY_BYTES)
    throw new TypeError(`The session key must have at least ${MIN_KEY_BYTES} bytes.`)
  // With the `__Host-` prefix browsers refuse the cookie from other paths, other hosts and plain
  // HTTP.
  const name = secure ? '__Host-surehand' : 'surehand'
  const attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  // A key object, because Node makes one of raw bytes each time, which takes 25 µs.
  const signing = createSecretKey(key)
  const sign = (text: string): string =>
    createHmac('sha256', signing).update(text).digest('base64url')
  // The signed text contains its purpose, so that a seal can never be used as a cookie.
  const cookieSignature = (body: string): string => sign(`session\n${body}`)
  const seal = (session: Session, purpose: string): string =>
    sign(`seal\n${session.id}\n${session.principal}\n${purpose}`)

  return {
    open(who) {
      const latest = clock.now() + lifeSeconds * 1_000
      const session: Session = {
        ...who,
        id: newSecret(),
        expiresAt: Math.min(latest, who.expiresAt ?? latest),
      }
      const body = Buffer.from(JSON.stringify(session)).toString('base64url')
      const value = `${body}.${cookieSignature(body)}`
      return { session, cookie: `${name}=${value}; Max-Age=${lifeSeconds}; ${attributes}` }
    },
    read(cookies) {
      const [body, signature, ...rest] = findCookie(cookies, name)?.split('.') ?? []
      if (
        body === undefined ||
        signature === undefined ||
        rest.length > 0 ||
        !isSameText(signature, cookieSignature(body))
      )
        return undefined
      const parsed = Payload.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString()))
      return parsed.success && parsed.data.expiresAt > clock.now() ? parsed.data : undefined
    },
    close: () => `${name}=; Max-Age=0; ${attributes}`,
    seal,
    isSealed: (session, purpose, given) => isSameText(given, seal(session, purpose)),
  }
}

function isSameText(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

// Two cookies with the name are both refused: an attacker may have planted one.
function findCookie(cookies: string | undefined, name: string): string | undefined {
  const values = (cookies ?? '').split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.split('=')
    return key.trim() === name ? [value.join('=').trim()] : []
  })
  return values.length === 1 ? values[0] : undefined
}
