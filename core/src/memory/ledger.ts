import type { Approval } from '../call/approval.ts'
import type { CallRow, KeyScope, NewCall } from '../call/call-row.ts'
import type { ExpiryPlace } from '../call/page.ts'
import type { Question } from '../call/question.ts'
import { scopedKey } from '../call/scope.ts'
import type { Evidence } from '../ports/calls.ts'
import type { Clock } from '../ports/clock.ts'
import type { JournalEntry } from '../ports/runs.ts'
import { findOpenApproval } from './call-row.ts'
import { sweepPeriodically } from './sweep-periodically.ts'

/**
 * The rows that calls and approvals share. Nothing awaits in here: each step is one turn of the
 * event loop, and so atomic.
 */
export type Ledger = {
  readonly byKey: (scope: KeyScope) => CallRow | undefined
  readonly byCall: (tenant: string, callId: string) => CallRow | undefined
  readonly put: (row: CallRow) => CallRow
  /** The same for a new state of a row that has just been read: it is not looked up again. */
  readonly replace: (before: CallRow, row: CallRow) => CallRow
  /** Removes a claim that was rolled back; `earlier` is the row before it. */
  readonly drop: (row: CallRow, earlier: CallRow | undefined) => void
  readonly sameInput: (call: NewCall) => readonly CallRow[]
  readonly rows: () => Iterable<CallRow>
  readonly approval: (tenant: string, id: string) => Approval | undefined
  readonly putApproval: (approval: Approval) => Approval
  readonly approvals: (tenant: string) => readonly Approval[]
  readonly addEvidence: (tenant: string, callId: string, found: Evidence) => void
  readonly evidence: (tenant: string, callId: string) => readonly Evidence[]
  /** Removed together with their calls. */
  readonly notes: RunNotes
}

type Kept = {
  readonly rows: Map<string, CallRow>
  readonly approvals: Map<string, Approval>
  readonly evidence: Map<string, readonly Evidence[]>
}

export function createLedger(clock: Clock): Ledger {
  // Call ids are unique across tenants, so they are the keys and the tenant is compared. Rows are
  // in the order of creation.
  const kept: Kept = { rows: new Map(), approvals: new Map(), evidence: new Map() }
  const { rows, approvals, evidence } = kept
  const keys = createKeyIndex()
  const inputs = createInputIndex()
  const notes = createRunNotes()
  const written = sweepPeriodically(() => prune(kept, remove, clock))

  function remove(row: CallRow): void {
    rows.delete(row.callId)
    evidence.delete(row.callId)
    notes.remove(row.callId)
    if (keys.get(row) === row.callId) keys.delete(row)
    inputs.remove(row)
  }

  function put(row: CallRow): CallRow {
    const before = rows.get(row.callId)
    if (before?.createdAt === row.createdAt) return replace(before, row)
    // A row that is created again moves to the end, where its new age belongs.
    if (before !== undefined) {
      inputs.remove(before)
      rows.delete(row.callId)
      notes.remove(row.callId)
    }
    keys.set(row, row.callId)
    inputs.add(row)
    written()
    rows.set(row.callId, row)
    return row
  }

  function replace(before: CallRow, row: CallRow): CallRow {
    if (before.inputHash !== row.inputHash || isCompared(before) !== isCompared(row)) {
      inputs.remove(before)
      inputs.add(row)
    }
    rows.set(row.callId, row)
    return row
  }

  function byCall(tenant: string, callId: string): CallRow | undefined {
    const row = rows.get(callId)
    return row?.tenant === tenant ? row : undefined
  }

  return {
    byCall,
    byKey(scope) {
      const callId = keys.get(scope)
      return callId === undefined ? undefined : rows.get(callId)
    },
    put,
    replace,
    drop(row, earlier) {
      if (earlier?.callId !== row.callId) remove(row)
      if (earlier === undefined) return
      // The raised fence stays: it counts the tries, and the pauses grow with it.
      if (earlier.callId === row.callId)
        put({ ...earlier, fence: row.fence, updatedAt: clock.now() })
      else keys.set(earlier, earlier.callId)
    },
    sameInput: (call) => inputs.get(call).flatMap((callId) => rows.get(callId) ?? []),
    rows: () => rows.values(),
    approval: (tenant, id) => withExpiry(approvals.get(scopedKey(tenant, id)), clock),
    putApproval(approval) {
      written()
      approvals.set(scopedKey(approval.tenant, approval.id), approval)
      return approval
    },
    approvals: (tenant) => listApprovals(approvals, tenant, clock),
    addEvidence(tenant, callId, found) {
      // Evidence for a pruned call is dropped.
      if (byCall(tenant, callId) !== undefined)
        evidence.set(callId, [...(evidence.get(callId) ?? []), found])
    },
    evidence: (tenant, callId) =>
      byCall(tenant, callId) === undefined ? [] : (evidence.get(callId) ?? []),
    notes,
  }
}

function listApprovals(
  approvals: Kept['approvals'],
  tenant: string,
  clock: Clock,
): readonly Approval[] {
  return [...approvals.values()]
    .filter((approval) => approval.tenant === tenant)
    .flatMap((approval) => withExpiry(approval, clock) ?? [])
}

// No job marks requests as expired: they are read as expired once their time has passed.
function withExpiry(approval: Approval | undefined, clock: Clock): Approval | undefined {
  if (approval === undefined || clock.now() < approval.expiresAt) return approval
  return approval.state === 'pending' ||
    approval.state === 'approved' ||
    approval.state === 'denied'
    ? { ...approval, state: 'expired' }
    : approval
}

const KEEP_MS = 30 * 24 * 3_600_000

/** Removes what ended long ago; returns how much is left. */
function prune({ rows, approvals }: Kept, remove: (row: CallRow) => void, clock: Clock): number {
  const now = clock.now()
  let passed = 0
  for (const row of rows.values()) {
    // The oldest come first: from here on no row is old enough.
    if (row.createdAt > now - KEEP_MS) break
    const isOld = row.updatedAt <= now - KEEP_MS
    const mayGo = isOld && hasEnded(row, approvals, clock)
    if (mayGo && !isDoneForGood(row)) remove(row)
    else passed++
    if (mayGo && isDoneForGood(row) && row.state !== 'pruned')
      rows.set(row.callId, { ...row, state: 'pruned', input: '', answer: undefined, scopes: {} })
  }
  for (const [name, approval] of approvals) {
    const row = rows.get(approval.callId)
    const isNeeded =
      row !== undefined && row.approvalId === approval.id && !hasEnded(row, approvals, clock)
    if (approval.expiresAt <= now - KEEP_MS && !isNeeded) approvals.delete(name)
  }
  return passed + approvals.size
}

// Without its row, the key of an irreversible call would run it again.
function isDoneForGood({ irreversible, state }: CallRow): boolean {
  return irreversible && (state === 'succeeded' || state === 'failed' || state === 'pruned')
}

// Queued, parked, running and unknown calls are kept, however old they are.
function hasEnded(row: CallRow, approvals: Kept['approvals'], clock: Clock): boolean {
  const approval = (tenant: string, id: string) =>
    withExpiry(approvals.get(scopedKey(tenant, id)), clock)
  switch (row.state) {
    case 'succeeded':
    case 'failed':
    case 'cancelled':
    case 'released':
    case 'pruned':
      return true
    case 'waiting':
      return findOpenApproval(row, { approval }) === undefined
    case 'queued':
    case 'parked':
    case 'claimed':
    case 'effect_started':
    case 'unknown':
      return false
  }
}

/**
 * Ids of the calls that a call without a key is compared with, by principal, tool and input, oldest
 * first.
 */
type InputIndex = {
  readonly get: (call: NewCall) => readonly string[]
  readonly add: (row: CallRow) => void
  readonly remove: (row: CallRow) => void
}

function isCompared({ irreversible, state }: CallRow): boolean {
  return irreversible || state === 'unknown'
}

function createInputIndex(): InputIndex {
  const inputs = new Map<string, string[]>()
  return {
    // Nearly always empty: then no name is made.
    get: (call) => (inputs.size === 0 ? [] : (inputs.get(inputName(call)) ?? [])),
    add(call) {
      if (!isCompared(call)) return
      const name = inputName(call)
      const same = inputs.get(name)
      if (same === undefined) inputs.set(name, [call.callId])
      else same.push(call.callId)
    },
    remove(call) {
      if (!isCompared(call)) return
      const name = inputName(call)
      const left = inputs.get(name)?.filter((callId) => callId !== call.callId) ?? []
      if (left.length === 0) inputs.delete(name)
      else inputs.set(name, left)
    },
  }
}

function inputName(call: NewCall): string {
  return scopedKey(call.tenant, call.principal, call.toolId, call.inputHash)
}

/**
 * Call ids by scope and key. Nested maps, because building and hashing a long string for every
 * look-up is slower.
 */
type KeyIndex = {
  readonly get: (scope: KeyScope) => string | undefined
  readonly set: (scope: KeyScope, callId: string) => void
  readonly delete: (scope: KeyScope) => void
}

type Keys = Map<string, string>
type Tools = Map<string, Keys>
type Principals = Map<string, Tools>

function createKeyIndex(): KeyIndex {
  const tenants = new Map<string, Principals>()
  return {
    get: ({ tenant, principal, toolId, key }) =>
      tenants.get(tenant)?.get(principal)?.get(toolId)?.get(key),
    set({ tenant, principal, toolId, key }, callId) {
      const principals = inner(tenants, tenant)
      const tools = inner(principals, principal)
      inner<string, string>(tools, toolId).set(key, callId)
    },
    delete({ tenant, principal, toolId, key }) {
      const principals = tenants.get(tenant)
      const tools = principals?.get(principal)
      const keys = tools?.get(toolId)
      keys?.delete(key)
      // Callers who came once must not leave empty maps behind.
      if (keys?.size === 0) tools?.delete(toolId)
      if (tools?.size === 0) principals?.delete(principal)
      if (principals?.size === 0) tenants.delete(tenant)
    },
  }
}

function inner<K, V>(outer: Map<string, Map<K, V>>, name: string): Map<K, V> {
  const known = outer.get(name)
  if (known !== undefined) return known
  const made = new Map<K, V>()
  outer.set(name, made)
  return made
}

/**
 * Journals, questions, progress and wake-up times of runs: by call id, questions by their own id.
 */
type RunNotes = {
  readonly journals: Map<string, Map<string, JournalEntry>>
  readonly questions: Map<string, Question>
  readonly progress: Map<string, { readonly number: number; readonly json: string }>
  readonly wakeAt: Map<string, { readonly tenant: string; readonly at: number }>
  /** How many answers the journal had when its process died. */
  readonly deathAt: Map<string, number>
  readonly remove: (callId: string) => void
}

function createRunNotes(): RunNotes {
  const notes = {
    journals: new Map(),
    questions: new Map(),
    progress: new Map(),
    wakeAt: new Map(),
    deathAt: new Map(),
  } as Omit<RunNotes, 'remove'>
  return {
    ...notes,
    remove(callId) {
      for (const { what, child } of notes.journals.get(callId)?.values() ?? [])
        if (what === 'ask') notes.questions.delete(child)
      for (const kept of [notes.journals, notes.progress, notes.wakeAt, notes.deathAt])
        kept.delete(callId)
    },
  }
}

/** What expires after a place, in the order in which it expires. */
export function listByExpiry<Item extends { readonly expiresAt: number; readonly id: string }>(
  items: readonly Item[],
  after: ExpiryPlace,
): readonly Item[] {
  return items
    .filter(
      ({ expiresAt, id }) => expiresAt > after.at || (expiresAt === after.at && id > after.id),
    )
    .toSorted((one, other) => one.expiresAt - other.expiresAt || (one.id < other.id ? -1 : 1))
}
