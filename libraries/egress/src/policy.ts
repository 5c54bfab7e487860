import { nameFault } from './host-name.ts'
import { type Judged, judgeAddress } from './judge-address.ts'
import { refusal } from './refusal.ts'
import { type Target, whereOf } from './target.ts'

/** One host at one port, opened though it is local or private, or though the port is not one of the web. */
export type AllowedHost = { readonly host: string; readonly port: number }

export type EgressPolicy = {
  /** The ports of public hosts that may be reached; 80 and 443 where nothing is said. */
  readonly ports?: readonly number[]
  /** Each opens exactly this name, or this address, at this port. Metadata services stay closed. */
  readonly allow?: readonly AllowedHost[]
}

/** How far a policy lets a target go: to public addresses, or to private ones too. */
export type Reach = 'public' | 'opened'

const WEB_PORTS: readonly number[] = [80, 443]

/** Judges what a URL says, before its name is looked up. */
export function admitTarget(target: Target, policy: EgressPolicy): Reach {
  const fault = target.isAddress ? undefined : nameFault(target.host)
  if (fault?.kind === 'malformed')
    throw refusal({
      where: whereOf(target),
      why: fault.what,
      todo: 'Send a URL with a real host name.',
    })
  if (policy.allow?.some((allowed) => isFor(allowed, target))) return 'opened'
  if (fault !== undefined)
    throw refusal({ where: whereOf(target), why: fault.what, todo: howToOpen(target) })
  const ports = policy.ports ?? WEB_PORTS
  if (!ports.includes(target.port))
    throw refusal({
      where: whereOf(target),
      why: `port ${target.port} is not among ${ports.join(', ')}`,
      todo: howToOpen(target),
    })
  return 'public'
}

/** Judges every address a name was found to have: one that is not allowed refuses them all. */
export function admitAddresses(
  target: Target,
  reach: Reach,
  found: readonly string[],
): readonly string[] {
  return found.map((text) => {
    const judged = judgeAddress(text)
    if (judged.standing === 'public' || (judged.standing === 'private' && reach === 'opened'))
      return judged.address
    throw refused(target, judged)
  })
}

function refused(target: Target, { address, standing, what }: Judged): Error {
  const why = target.isAddress ? `it is ${what}` : `it leads to ${address}, which is ${what}`
  const todo = standing === 'closed' ? 'No policy opens this address.' : howToOpen(target)
  return refusal({ where: whereOf(target), why, todo })
}

function howToOpen({ host, port }: Target): string {
  return `If it is meant, an administrator allows { host: "${host}", port: ${port} } in the tenant's egress policy.`
}

function isFor(allowed: AllowedHost, { host, port }: Target): boolean {
  return allowed.port === port && hostOf(allowed.host) === host
}

// the same reading as a target's: 127.1, LOCALHOST and Bücher.local are what URL makes of them
function hostOf(text: string): string | undefined {
  const url = URL.parse(
    `http://${text.includes(':') && !text.startsWith('[') ? `[${text}]` : text}`,
  )
  return url?.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
