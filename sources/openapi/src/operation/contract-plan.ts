import type { Duration } from '@surehand/core'
import { isRecord } from '@surehand/core/internal'
import { LeftOut } from '../document/left-out.ts'
import { own, ownList, ownText } from '../document/record.ts'
import type { ContractPlan } from './operation.ts'

/** What the importer says of one operation, beside or against the document. */
export type SidecarEntry = {
  /** Taken or left out, whatever the document says. */
  readonly allow?: boolean
  readonly effect?: 'read' | `writes.${string}`
  readonly reversible?: boolean
  readonly approval?: 'none' | 'confirm' | 'consent' | 'admin'
  readonly permissions?: {
    readonly roles?: readonly string[]
    readonly capabilities?: readonly string[]
  }
  readonly limits?: readonly { readonly calls: number; readonly per: Duration }[]
  readonly timeout?: Duration
  readonly retries?: number
  /** The API takes the call's key in this header and does nothing twice. */
  readonly idempotencyHeader?: string
  /** Done twice it is done once, as HTTP says of PUT and DELETE. */
  readonly idempotent?: boolean
  readonly title?: string
  readonly description?: string
}

export const NOTHING_SAID: SidecarEntry = {}

export type ContractFacts = {
  readonly namespace: string
  readonly method: string
  readonly needsCredential: boolean
  readonly hasIdempotencyHeader: boolean
  /** From the importer: may loosen. From the document: may only tighten. */
  readonly sidecar: SidecarEntry
  readonly hints: unknown
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const STRICTNESS = ['none', 'confirm', 'consent', 'admin'] as const

export function isRead(method: string): boolean {
  return READS.has(method)
}

/** Contracts of operations of which nobody says anything of their own: there are few different ones. */
export type UsualContracts = Map<string, ContractPlan>

/** The contract of an operation, the same one for all that are under the same. */
export function contractFor(facts: ContractFacts, usual: UsualContracts): ContractPlan {
  if (facts.sidecar !== NOTHING_SAID || facts.hints !== undefined) return contractPlan(facts)
  const name = `${facts.method} ${facts.needsCredential} ${facts.hasIdempotencyHeader}`
  const known = usual.get(name)
  if (known !== undefined) return known
  const plan = contractPlan(facts)
  usual.set(name, plan)
  return plan
}

/** The contract of an operation: what HTTP says of its method, tightened by the document, decided by the importer. */
function contractPlan(facts: ContractFacts): ContractPlan {
  const { method, sidecar, hints, needsCredential, namespace } = facts
  const effect = sidecar.effect ?? effectOf(method, hints, namespace)
  const common = {
    auth: needsCredential ? ('service' as const) : ('none' as const),
    permissions: {
      roles: sidecar.permissions?.roles ?? texts(own(own(hints, 'permissions'), 'roles')),
      capabilities:
        sidecar.permissions?.capabilities ?? texts(own(own(hints, 'permissions'), 'capabilities')),
    },
    limits: sidecar.limits ?? limitsOf(hints),
    timeout: sidecar.timeout ?? durationOf(own(hints, 'timeout')),
    retries:
      sidecar.retries ?? (isRead(method) ? Math.min(countOf(own(hints, 'retries')) ?? 1, 3) : null),
  }
  if (effect === 'read')
    return { ...common, effect, reversible: true, approval: 'none', by: 'read' }
  const isOnce =
    facts.hasIdempotencyHeader ||
    sidecar.idempotencyHeader !== undefined ||
    sidecar.idempotent === true
  return {
    ...common,
    effect,
    reversible: sidecar.reversible ?? (method !== 'DELETE' && own(hints, 'reversible') !== false),
    approval: sidecar.approval ?? stricter('confirm', ownText(hints, 'approval')),
    by: isOnce ? 'writeOnce' : 'write',
  }
}

// a document may call a read a write, never a write a read
function effectOf(method: string, hints: unknown, namespace: string): ContractPlan['effect'] {
  const hinted = ownText(hints, 'effect')
  if (hinted !== undefined && /^writes\.[a-z][a-z0-9_]{0,40}$/.test(hinted))
    return hinted as `writes.${string}`
  return isRead(method) ? 'read' : `writes.${namespace}`
}

function stricter(
  usual: ContractPlan['approval'],
  hinted: string | undefined,
): ContractPlan['approval'] {
  const found = STRICTNESS.find((one) => one === hinted)
  return found !== undefined && STRICTNESS.indexOf(found) > STRICTNESS.indexOf(usual)
    ? found
    : usual
}

function limitsOf(hints: unknown): ContractPlan['limits'] {
  return ownList(hints, 'limits').flatMap((limit) => {
    const calls = countOf(own(limit, 'calls'))
    const per = durationOf(own(limit, 'per'))
    return calls === null || per === null ? [] : [{ calls, per }]
  })
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? value.filter((one) => typeof one === 'string' && /^[\w.:-]{1,100}$/.test(one))
    : []
}

function countOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 1_000_000
    ? (value as number)
    : null
}

function durationOf(value: unknown): Duration | null {
  return typeof value === 'string' && /^[1-9]\d{0,5}(?:ms|s|m|h|d)$/.test(value)
    ? (value as Duration)
    : null
}

const SIDECAR_KEYS = new Set([
  'allow',
  'effect',
  'reversible',
  'approval',
  'permissions',
  'limits',
  'timeout',
  'retries',
  'idempotencyHeader',
  'idempotent',
  'title',
  'description',
])

/** An entry that came as a file, or from an overlay. */
export function sidecarEntry(value: unknown, key: string): SidecarEntry {
  if (value === NOTHING_SAID) return NOTHING_SAID
  if (!isRecord(value)) throw new LeftOut(`what is said of ${key} is no object`)
  const unknown = Object.keys(value).find((name) => !SIDECAR_KEYS.has(name))
  if (unknown !== undefined)
    throw new LeftOut(`"${unknown.slice(0, 40)}" is said of ${key}, which means nothing`)
  const effect = own(value, 'effect')
  if (
    effect !== undefined &&
    effect !== 'read' &&
    !/^writes\.[a-z][a-z0-9_]{0,40}$/.test(String(effect))
  )
    throw new LeftOut(`the effect of ${key} must be "read" or "writes.something"`)
  const approval = own(value, 'approval')
  if (approval !== undefined && !STRICTNESS.some((one) => one === approval))
    throw new LeftOut(`the approval of ${key} must be one of ${STRICTNESS.join(', ')}`)
  const header = own(value, 'idempotencyHeader')
  if (header !== undefined && !/^[A-Za-z0-9-]{1,60}$/.test(String(header)))
    throw new LeftOut(`the idempotencyHeader of ${key} is no header`)
  const wordless = ['title', 'description'].find(
    (name) => !['undefined', 'string'].includes(typeof own(value, name)),
  )
  if (wordless !== undefined) throw new LeftOut(`the ${wordless} of ${key} is no text`)
  return value as SidecarEntry
}
