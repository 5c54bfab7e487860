import type { AuditRecord } from './audit.ts'

/** How many answers of a time took how long and ended how. */
export type CallFigures = {
  /** A tool, by the hour; `ALL_TOOLS` by five minutes, `ALL_BY_HOUR` by the hour. */
  readonly tool: string
  /** Where its time begins, in milliseconds since 1970. */
  readonly at: number
  readonly calls: number
  readonly failures: number
  readonly unknown: number
  /** How many took as long as each bin says, by the number of the bin. */
  readonly times: Readonly<Record<number, number>>
  readonly outcomes: Readonly<Record<string, number>>
  readonly codes: Readonly<Record<string, number>>
}

export type FiguresFilter = {
  readonly tenant: string
  readonly tool: string
  readonly since: number
}

/** `complete: false`: too many records are not counted yet, and those are left out. */
export type FiguresFound = { readonly slots: readonly CallFigures[]; readonly complete: boolean }

/** All tools together, those that do not exist included; no tool has these names. */
export const ALL_TOOLS = ''
export const ALL_BY_HOUR = '*'

// The points of a chart over a few hours are minutes apart; longer times are read by the hour, so
// that few rows are read.
export const SLOT_MS: number = 5 * 60_000
export const HOUR_SLOT_MS: number = 60 * 60_000

// Each bin ends a fifth above the one before: a percentile is at most a tenth beside the truth.
const FIRST_BIN_MS = 0.1
const BIN_GROWTH = 1.2

const LOG_GROWTH = Math.log(BIN_GROWTH)

function binOf(ms: number): number {
  return ms <= FIRST_BIN_MS ? 0 : Math.ceil(Math.log(ms / FIRST_BIN_MS) / LOG_GROWTH)
}

/** The duration in the middle of a bin. */
function midOf(bin: number): number {
  const ms = FIRST_BIN_MS * BIN_GROWTH ** (bin - 0.5)
  return Number(ms.toPrecision(3))
}

type Outcome = Pick<
  AuditRecord,
  'phase' | 'tool_name' | 'tool_version' | 'outcome' | 'code' | 'duration_ms' | 'created_at'
>

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }
type OpenFigures = Writable<Omit<CallFigures, 'times' | 'outcomes' | 'codes'>> & {
  readonly times: Record<number, number>
  readonly outcomes: Record<string, number>
  readonly codes: Record<string, number>
}

/**
 * The figures of records, by slot: of all tools together, and of each. Every record of the audit
 * goes through here, so its slots are counted up in place: a sum of objects for each record took a
 * sixth of the writer's time.
 */
export function figuresOf(records: readonly Outcome[]): readonly CallFigures[] {
  const slots = new Map<string, OpenFigures[]>()
  for (const record of records) {
    if (record.phase !== 'outcome') continue
    const bin = binOf(record.duration_ms)
    const add = (tool: string, slotMs: number): void =>
      countCall(openSlot(slots, tool, Math.floor(record.created_at / slotMs) * slotMs), record, bin)
    add(ALL_TOOLS, SLOT_MS)
    add(ALL_BY_HOUR, HOUR_SLOT_MS)
    // A tool without a version was not found: its name is whatever the caller wrote.
    if (record.tool_version !== '') add(record.tool_name, HOUR_SLOT_MS)
  }
  return [...slots.values()].flat()
}

// Few times for each tool: records are counted soon after they are written, the newest last.
function openSlot(slots: Map<string, OpenFigures[]>, tool: string, at: number): OpenFigures {
  const ofTool = slots.get(tool) ?? []
  const known = ofTool.findLast((slot) => slot.at === at)
  if (known !== undefined) return known
  const counts = { times: {}, outcomes: {}, codes: {} }
  const slot: OpenFigures = { tool, at, calls: 0, failures: 0, unknown: 0, ...counts }
  ofTool.push(slot)
  slots.set(tool, ofTool)
  return slot
}

function countCall(slot: OpenFigures, { code, outcome }: Outcome, bin: number): void {
  slot.calls++
  if (code !== '') slot.failures++
  if (outcome === 'unknown') slot.unknown++
  slot.times[bin] = (slot.times[bin] ?? 0) + 1
  slot.outcomes[outcome] = (slot.outcomes[outcome] ?? 0) + 1
  if (code !== '') slot.codes[code] = (slot.codes[code] ?? 0) + 1
}

/** The sum; its tool and time are those of the first. */
export function addFigures(left: CallFigures, right: CallFigures): CallFigures {
  return {
    ...left,
    calls: left.calls + right.calls,
    failures: left.failures + right.failures,
    unknown: left.unknown + right.unknown,
    times: addCounts(left.times, right.times),
    outcomes: addCounts(left.outcomes, right.outcomes),
    codes: addCounts(left.codes, right.codes),
  }
}

type Counts = Readonly<Record<string, number>>

function addCounts(left: Counts, right: Counts): Counts {
  const sum: Record<string, number> = { ...left }
  for (const [name, count] of Object.entries(right)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

/** How long the given share of the answers took at most; null where there are none. */
export function percentile({ calls, times }: CallFigures, share: number): number | null {
  let left = Math.ceil(calls * share)
  for (const bin of Object.keys(times)
    .map(Number)
    .sort((one, other) => one - other)) {
    left -= times[bin] ?? 0
    if (left <= 0) return midOf(bin)
  }
  return null
}

/** How many answers took longer than this, as far as bins tell. */
export function countOver({ times }: CallFigures, ms: number): number {
  return Object.entries(times)
    .filter(([bin]) => midOf(Number(bin)) > ms)
    .reduce((sum, [, count]) => sum + count, 0)
}
