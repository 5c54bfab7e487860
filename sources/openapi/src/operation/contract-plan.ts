import type { Duration } from '@surehand/core'
import { isRecord } from '@surehand/core/internal'
import { LeftOut } from '../document/left-out.ts'
import { own, ownList, ownText } from '../document/record.ts'
import type { ContractPlan } from './operation.ts'

/** What the importer specifies for one operation; it overrides the document. */
export type SidecarEntry = {
  /** Whether it becomes a tool, whatever the document says. */
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
  /** The API deduplicates by the idempotency key in this header. */
  readonly idempotencyHeader?: string
  /** Repeating the request has no further effect, as HTTP defines for PUT and DELETE. */
  readonly idempotent?: boolean
  readonly title?: string
  readonly description?: string
  /** How people ask for it, to find it by: "open a ticket". */
  readonly phrases?: readonly string[]
}

export const NO_ENTRY: SidecarEntry = {}

export type ContractFacts = {
  readonly namespace: string
  readonly method: string
  readonly needsCredential: boolean
  readonly hasIdempotencyHeader: boolean
  /** From the importer, who may loosen the contract. The document's hints may only tighten it. */
  readonly sidecar: SidecarEntry
  readonly hints: unknown
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const STRICTNESS = ['none', 'confirm', 'consent', 'admin'] as const

export function isRead(method: string): boolean {
  return READS.has(method)
}

/**
 * Contracts of operations without specifications of their own. There are only a few different ones,
 * so they are shared.
 */
export type SharedContracts = Map<string, ContractPlan>

/** The contract of an operation; equal contracts are one object. */
export function sharedContract(facts: ContractFacts, usual: SharedContracts): ContractPlan {
  if (facts.sidecar !== NO_ENTRY || facts.hints !== undefined) return planContract(facts)
  const name = `${facts.method} ${facts.needsCredential} ${facts.hasIdempotencyHeader}`
  const known = usual.get(name)
  if (known !== undefined) return known
  const plan = planContract(facts)
  usual.set(name, plan)
  return plan
}

/**
 * Derives the contract from the HTTP method, tightened by the document and overridden by the
 * importer.
 */
function planContract(facts: ContractFacts): ContractPlan {
  const { method, sidecar, hints, needsCredential, namespace } = facts
  const effect = sidecar.effect ?? chooseEffect(method, hints, namespace)
  const common = {
    auth: needsCredential ? ('service' as const) : ('none' as const),
    permissions: {
      roles: sidecar.permissions?.roles ?? readTexts(own(own(hints, 'permissions'), 'roles')),
      capabilities:
        sidecar.permissions?.capabilities ??
        readTexts(own(own(hints, 'permissions'), 'capabilities')),
    },
    limits: sidecar.limits ?? readLimits(hints),
    timeout: sidecar.timeout ?? readDuration(own(hints, 'timeout')),
    retries:
      sidecar.retries ??
      (isRead(method) ? Math.min(readCount(own(hints, 'retries')) ?? 1, 3) : null),
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
    approval: sidecar.approval ?? chooseStricter('confirm', ownText(hints, 'approval')),
    by: isOnce ? 'writeOnce' : 'write',
  }
}

// A document may declare a GET a write, but never a POST a read.
function chooseEffect(method: string, hints: unknown, namespace: string): ContractPlan['effect'] {
  const hinted = ownText(hints, 'effect')
  if (hinted !== undefined && /^writes\.[a-z][a-z0-9_]{0,40}$/.test(hinted))
    return hinted as `writes.${string}`
  return isRead(method) ? 'read' : `writes.${namespace}`
}

function chooseStricter(
  usual: ContractPlan['approval'],
  hinted: string | undefined,
): ContractPlan['approval'] {
  const found = STRICTNESS.find((one) => one === hinted)
  return found !== undefined && STRICTNESS.indexOf(found) > STRICTNESS.indexOf(usual)
    ? found
    : usual
}

function readLimits(hints: unknown): ContractPlan['limits'] {
  return ownList(hints, 'limits').flatMap((limit) => {
    const calls = readCount(own(limit, 'calls'))
    const per = readDuration(own(limit, 'per'))
    return calls === null || per === null ? [] : [{ calls, per }]
  })
}

function readTexts(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? value.filter((one) => typeof one === 'string' && /^[\w.:-]{1,100}$/.test(one))
    : []
}

function readCount(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 1_000_000
    ? (value as number)
    : null
}

function readDuration(value: unknown): Duration | null {
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
  'phrases',
])

/** Validates an entry from a sidecar file or an overlay. */
export function readSidecarEntry(value: unknown, key: string): SidecarEntry {
  if (value === NO_ENTRY) return NO_ENTRY
  if (!isRecord(value)) throw new LeftOut(`the sidecar entry of ${key} is not an object`)
  const unknown = Object.keys(value).find((name) => !SIDECAR_KEYS.has(name))
  if (unknown !== undefined)
    throw new LeftOut(`the sidecar entry of ${key} has the unknown field "${unknown.slice(0, 40)}"`)
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
    throw new LeftOut(`the idempotencyHeader of ${key} is not a header name`)
  const wordless = ['title', 'description'].find(
    (name) => !['undefined', 'string'].includes(typeof own(value, name)),
  )
  if (wordless !== undefined) throw new LeftOut(`the ${wordless} of ${key} is not a text`)
  if (!isPhrases(own(value, 'phrases')))
    throw new LeftOut(
      `the phrases of ${key} must be at most ${MOST_PHRASES} texts of at most ${LONGEST_PHRASE} characters`,
    )
  return value as SidecarEntry
}

const MOST_PHRASES = 50
const LONGEST_PHRASE = 200

function isPhrases(value: unknown): boolean {
  if (value === undefined) return true
  return (
    Array.isArray(value) &&
    value.length <= MOST_PHRASES &&
    value.every((one) => typeof one === 'string' && one.length <= LONGEST_PHRASE)
  )
}
