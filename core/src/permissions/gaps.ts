import type { RequiredCapability } from '../define/contract.ts'
import type { Scope } from '../define/data-scope.ts'
import { widthOf } from '../define/data-scope.ts'
import type { Asked } from './attributes.ts'
import { isDelegated, readableTerms, type Standing, standings } from './grants.ts'
import type { PermissionScheme } from './permissions.ts'
import { areOpen, type Terms, zoneOf } from './terms.ts'
import { nextOpening } from './time-window.ts'

/** Why a capability is not there. */
export type Gap =
  | { readonly kind: 'delegation' }
  | { readonly kind: 'capability' }
  | { readonly kind: 'scope'; readonly held: Scope }
  | { readonly kind: 'time'; readonly opensAt: number | undefined; readonly zone: string }
  | { readonly kind: 'attribute'; readonly why: string }
  | { readonly kind: 'malformed'; readonly whose: 'tool' | 'grant'; readonly trouble: string }

/** Everything between the caller and one needed capability; nothing where it is met. */
export function gapsOf(
  need: RequiredCapability,
  asked: Asked,
  scheme: PermissionScheme,
): readonly Gap[] {
  const handed: readonly Gap[] = isDelegated(asked.caller, need.name)
    ? []
    : [{ kind: 'delegation' }]
  const terms = readableTerms(need)
  if (typeof terms === 'string')
    return [...handed, { kind: 'malformed', whose: 'tool', trouble: terms }]
  const held = standings(need, asked, scheme)
  const gap = grantGap(held)
  const isClosed = !areOpen(terms.windows, asked) || gap === 'closed'
  return [
    ...handed,
    ...(gap === undefined || gap === 'closed' ? [] : [gap]),
    ...(isClosed ? [timeGap(terms, held, asked)] : []),
  ]
}

// one usable grant is enough; without any, a malformed one is told first, since only an administrator can mend it
function grantGap(
  held: readonly Standing[],
): Exclude<Gap, { kind: 'time' }> | 'closed' | undefined {
  if (held.some(({ kind }) => kind === 'usable')) return undefined
  const malformed = held.find((standing) => standing.kind === 'malformed')
  if (malformed !== undefined)
    return { kind: 'malformed', whose: 'grant', trouble: malformed.trouble }
  if (held.some(({ kind }) => kind === 'closed')) return 'closed'
  const ruledOut = held.find((standing) => standing.kind === 'ruled_out')
  if (ruledOut !== undefined) return { kind: 'attribute', why: ruledOut.why }
  const [first, ...rest] = held.flatMap((standing) =>
    standing.kind === 'too_narrow' ? [standing.scope] : [],
  )
  if (first === undefined) return { kind: 'capability' }
  return {
    kind: 'scope',
    held: rest.reduce(
      (widest, scope) => (widthOf(scope) > widthOf(widest) ? scope : widest),
      first,
    ),
  }
}

// the tool's hours and those of one of the grants must be open together
function timeGap(needed: Terms, held: readonly Standing[], asked: Asked): Gap {
  const inTime = held.flatMap((standing) =>
    standing.kind === 'usable' || standing.kind === 'closed' ? [standing.terms.windows] : [],
  )
  const ways = (inTime.length === 0 ? [[]] : inTime).map((windows) => [
    ...needed.windows,
    ...windows,
  ])
  const openings = ways.map((windows) =>
    nextOpening(windows, asked.startedAt, (window) => zoneOf(window, asked)),
  )
  const zones = new Set(ways.flat().map((window) => zoneOf(window, asked)))
  const [zone = 'UTC'] = zones
  const opensAt = Math.min(...openings.map((opening) => opening ?? Number.POSITIVE_INFINITY))
  return {
    kind: 'time',
    opensAt: Number.isFinite(opensAt) ? opensAt : undefined,
    zone: zones.size === 1 ? zone : 'UTC',
  }
}
