import { type Day, daysBetween } from '@surehand/dates'
import type { Evidence } from '../ai/evidence.ts'
import { type Factors, type Part, weigh } from '../ai/weigh.ts'
import { HEALTHS, type HealthName, type ProjectState, type Severity } from './shapes.ts'

/** The facts that the health of a project is judged by. */
export type HealthFacts = {
  readonly today: Day
  readonly state: ProjectState
  readonly createdOn: Day
  readonly targetDay: Day | undefined
  /** Per cent. */
  readonly progress: number | undefined
  readonly isProgressGiven: boolean
  readonly openTasks: number
  readonly doneTasks: number
  /** Open tasks with a due date. */
  readonly datedTasks: number
  readonly overdueTasks: number
  readonly openBlocks: number
  readonly oldestBlockDay: Day | undefined
  readonly blocksEver: number
  readonly openRisks: Readonly<Record<Severity, number>>
  readonly risksEver: number
  /** The day of the last change; undefined when nothing happened after the creation. */
  readonly lastActivityDay: Day | undefined
}

export type SignalId = 'schedule' | 'overdue' | 'blocked' | 'activity' | 'risks'
export type SignalEvidence = Readonly<Partial<Record<SignalId, readonly Evidence[]>>>

export type Health = {
  readonly level: HealthName | 'unknown'
  readonly factors: Factors
  /** The name of a signal so bad that the others cannot outweigh it. */
  readonly cappedBy: string | undefined
}

// Safe to change: they need not sum to 1, because the weights of the signals that apply are
// normalised.
const WEIGHTS: Readonly<Record<SignalId, number>> = {
  schedule: 0.3,
  overdue: 0.25,
  blocked: 0.2,
  activity: 0.15,
  risks: 0.1,
}

export const LEVELS: readonly { readonly level: HealthName; readonly from: number }[] = [
  { level: 'excellent', from: 8.5 },
  { level: 'good', from: 6.5 },
  { level: 'warning', from: 4 },
  { level: 'critical', from: 0 },
]
// The best level that a bad signal allows, so that good signals cannot hide it. Risks do not cap:
// they may never happen.
const CAPS: readonly { readonly upTo: number; readonly at: HealthName }[] = [
  { upTo: 2, at: 'warning' },
  { upTo: 5, at: 'good' },
]
const QUIET_DAYS = 3
const DEAD_DAYS = 30
const SILENT_FROM_START_DAYS = 14

/**
 * Judges the health of a project by weighted signals from 0 (bad) to 10. Without any signal the
 * level is "unknown".
 */
export function judgeHealth(facts: HealthFacts, evidence: SignalEvidence = {}): Health {
  const parts = isJudged(facts)
    ? [
        scheduleSignal(facts),
        overdueSignal(facts),
        blockedSignal(facts),
        activitySignal(facts),
        risksSignal(facts),
      ]
    : []
  const signals = parts.flatMap((part) =>
    part === undefined ? [] : [{ ...part, evidence: evidence[part.id] ?? [] }],
  )
  const factors = weigh(signals)
  if (signals.length === 0) return { level: 'unknown', factors, cappedBy: undefined }
  const level = LEVELS.find(({ from }) => factors.total_score >= from)?.level ?? 'critical'
  const worst = factors.factors
    .filter(({ id }) => id !== 'risks')
    .sort((one, other) => one.raw_score - other.raw_score)[0]
  const cap = worst === undefined ? undefined : CAPS.find(({ upTo }) => worst.raw_score <= upTo)?.at
  if (worst === undefined || cap === undefined || HEALTHS.indexOf(cap) <= HEALTHS.indexOf(level))
    return { level, factors, cappedBy: undefined }
  return { level: cap, factors, cappedBy: worst.name }
}

// A completed, archived or deleted project has no health.
function isJudged({ state }: HealthFacts): boolean {
  return state === 'active' || state === 'on_hold'
}

type Signal = Omit<Part, 'evidence'> & { readonly id: SignalId }

function signal(
  id: SignalId,
  name: string,
  judged: { readonly category: string; readonly raw: number; readonly confidence: number },
): Signal {
  return { id, name, weight: WEIGHTS[id], ...judged }
}

function scheduleSignal({
  today,
  createdOn,
  targetDay,
  progress,
  ...facts
}: HealthFacts): Signal | undefined {
  if (targetDay === undefined || progress === undefined) return undefined
  const counted = facts.openTasks + facts.doneTasks
  const judged = {
    category: 'time',
    confidence: facts.isProgressGiven ? 0.7 : counted / (counted + 3),
  }
  const name = 'Progress against the target date'
  if (progress >= 100) return signal('schedule', name, { ...judged, raw: 10 })
  const lateDays = daysBetween(targetDay, today)
  if (lateDays > 0)
    return signal('schedule', name, { ...judged, raw: Math.max(0, 3 - lateDays / 7) })
  const span = Math.max(1, daysBetween(createdOn, targetDay))
  const expected = Math.min(1, Math.max(0, daysBetween(createdOn, today) / span)) * 100
  return signal('schedule', name, { ...judged, raw: 10 - Math.max(0, expected - progress) / 5 })
}

function overdueSignal({ datedTasks, overdueTasks }: HealthFacts): Signal | undefined {
  if (datedTasks === 0) return undefined
  const kept = 1 - overdueTasks / datedTasks
  return signal('overdue', 'Overdue tasks', {
    category: 'tasks',
    raw: 10 * kept * kept,
    confidence: datedTasks / (datedTasks + 2),
  })
}

function blockedSignal({
  today,
  openBlocks,
  oldestBlockDay,
  blocksEver,
}: HealthFacts): Signal | undefined {
  if (blocksEver === 0) return undefined
  const ageDays = oldestBlockDay === undefined ? 0 : Math.max(0, daysBetween(oldestBlockDay, today))
  const raw = openBlocks === 0 ? 10 : 5 - ageDays / 2 - (openBlocks - 1)
  return signal('blocked', 'Open obstacles', {
    category: 'obstacles',
    raw,
    confidence: 0.9,
  })
}

// A project on hold is inactive on purpose.
function activitySignal({
  today,
  state,
  createdOn,
  lastActivityDay,
}: HealthFacts): Signal | undefined {
  if (state === 'on_hold') return undefined
  if (lastActivityDay === undefined && daysBetween(createdOn, today) < SILENT_FROM_START_DAYS)
    return undefined
  const idleDays = daysBetween(lastActivityDay ?? createdOn, today)
  const raw = 10 * (1 - Math.max(0, idleDays - QUIET_DAYS) / (DEAD_DAYS - QUIET_DAYS))
  return signal('activity', 'Time since the last activity', {
    category: 'activity',
    raw,
    confidence: 0.9,
  })
}

function risksSignal({ openRisks, risksEver }: HealthFacts): Signal | undefined {
  if (risksEver === 0) return undefined
  const raw = 10 - 4 * openRisks.high - 2 * openRisks.medium - openRisks.low
  return signal('risks', 'Open risks', { category: 'obstacles', raw, confidence: 0.7 })
}

/** The progress that was set, else the share of completed tasks. */
export function computeProgress(
  given: number | undefined,
  { doneTasks, openTasks }: Pick<HealthFacts, 'doneTasks' | 'openTasks'>,
): number | undefined {
  if (given !== undefined) return given
  const all = doneTasks + openTasks
  return all === 0 ? undefined : Math.round((doneTasks / all) * 1000) / 10
}
