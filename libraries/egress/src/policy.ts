import { type AddressVerdict, classifyAddress } from './classify-address.ts'
import { accessDenied } from './egress-errors.ts'
import { formatTarget, type Target } from './target.ts'

/**
 * A problem with a host name that is found before DNS. A `malformed` name is always refused; a
 * `local` one can be allowed by policy.
 */
type NameProblem = { readonly kind: 'malformed' | 'local'; readonly what: string }

const MAX_NAME_LENGTH = 253
const LABEL = /^[a-z0-9_-]{1,63}$/

// These names are private to a local network. On the internet, an attacker could register or answer
// them.
const LOCAL_ENDINGS = new Set([
  'alt',
  'arpa',
  'corp',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'private',
])

/** Checks a host name as the URL parser returns it: lower case, with IDNA applied. */
function checkHostName(name: string): NameProblem | undefined {
  const labels = name.split('.')
  if (name.length > MAX_NAME_LENGTH || !labels.every((label) => LABEL.test(label)))
    return { kind: 'malformed', what: 'it is not a valid host name' }
  const ending = labels.at(-1) ?? ''
  if (ending === 'localhost') return { kind: 'local', what: 'it is the name of this machine' }
  if (labels.length === 1)
    return { kind: 'local', what: 'a name without a dot belongs to the local network' }
  if (LOCAL_ENDINGS.has(ending))
    return { kind: 'local', what: `names under .${ending} belong to local networks` }
  return undefined
}

/**
 * One host and port that is allowed although it is local or private, or the port is not a web port.
 */
export type AllowedHost = { readonly host: string; readonly port: number }

export type EgressPolicy = {
  /** The ports of public hosts that may be reached. Default: 80 and 443. */
  readonly ports?: readonly number[]
  /**
   * Each entry allows exactly this name or address on this port. Metadata services are never
   * allowed.
   */
  readonly allow?: readonly AllowedHost[]
}

/** Which addresses a target may resolve to: public ones only, or private ones too (`opened`). */
export type AllowedReach = 'public' | 'opened'

const WEB_PORTS: readonly number[] = [80, 443]

/** Checks the host and port of a URL before DNS. */
export function checkTarget(target: Target, policy: EgressPolicy): AllowedReach {
  const fault = target.isAddress ? undefined : checkHostName(target.host)
  if (fault?.kind === 'malformed')
    throw accessDenied({
      where: formatTarget(target),
      why: fault.what,
      todo: 'Send a URL with a real host name.',
    })
  if (policy.allow?.some((allowed) => isEntryFor(allowed, target))) return 'opened'
  if (fault !== undefined)
    throw accessDenied({ where: formatTarget(target), why: fault.what, todo: howToAllow(target) })
  const ports = policy.ports ?? WEB_PORTS
  if (!ports.includes(target.port))
    throw accessDenied({
      where: formatTarget(target),
      why: `port ${target.port} is not among ${ports.join(', ')}`,
      todo: howToAllow(target),
    })
  return 'public'
}

/** Checks every address of a name. One that is not allowed refuses the request. */
export function checkAddresses(
  target: Target,
  reach: AllowedReach,
  found: readonly string[],
): readonly string[] {
  return found.map((text) => {
    const verdict = classifyAddress(text)
    if (verdict.access === 'public' || (verdict.access === 'private' && reach === 'opened'))
      return verdict.address
    throw addressDenied(target, verdict)
  })
}

function addressDenied(target: Target, { address, access, what }: AddressVerdict): Error {
  const why = target.isAddress ? `it is ${what}` : `it resolves to ${address}, which is ${what}`
  const todo = access === 'closed' ? 'No policy can allow this address.' : howToAllow(target)
  return accessDenied({ where: formatTarget(target), why, todo })
}

function howToAllow({ host, port }: Target): string {
  return `If the request is intended, an administrator can allow { host: "${host}", port: ${port} } in the tenant's egress policy.`
}

function isEntryFor(allowed: AllowedHost, { host, port }: Target): boolean {
  return allowed.port === port && normalizeHost(allowed.host) === host
}

// Parsed like a target, so that 127.1, LOCALHOST and Bücher.local match what the URL parser
// returns.
function normalizeHost(text: string): string | undefined {
  const url = URL.parse(
    `http://${text.includes(':') && !text.startsWith('[') ? `[${text}]` : text}`,
  )
  return url?.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
