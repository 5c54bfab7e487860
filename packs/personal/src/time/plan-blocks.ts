import type { Level } from '../task/task.ts'

/** A task or habit to be placed in the day. */
export type PlanItem = {
  readonly id: string
  readonly kind: 'task' | 'habit'
  readonly title: string
  readonly minutes: number
  /** It is due by the end of the day, or overdue. */
  readonly isDue: boolean
  /** The instant by which it has to be done, when that is today. */
  readonly deadline?: number
  /** A fixed start time. */
  readonly at?: number
  /** How much it is worth to do it, for each level of energy. */
  readonly worth: Readonly<Record<Level, number>>
}

export type Block = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'task' | 'habit'; readonly wish: PlanItem }
  | { readonly kind: 'break' }
)
type Unplaced = { readonly wish: PlanItem; readonly why: string }

type WorkingDay = {
  /** The working hours, as instants. */
  readonly start: number
  readonly end: number
  readonly energyAt: (atMs: number) => Level
}

export type Plan = { readonly blocks: readonly Block[]; readonly unplaced: readonly Unplaced[] }

const MINUTE_MS = 60_000
const STEP_MS = 5 * MINUTE_MS
const BREAK_MS = 10 * MINUTE_MS
/** The longest stretch of work without a break. */
const LONGEST_STRETCH_MS = 90 * MINUTE_MS

/**
 * Plans the blocks of a day: items with a fixed time first, then the gaps are filled with what is
 * due, then with the rest, each time with the item that is worth most at the energy of the hour.
 * Blocks never overlap and never leave the working hours, because a gap is only filled from its
 * start.
 */
export function planBlocks(wishes: readonly PlanItem[], day: WorkingDay): Plan {
  const { blocks: fixed, unplaced: late } = placeFixed(
    wishes.filter(({ at }) => at !== undefined),
    day,
  )
  const left = new Set(wishes.filter(({ at }) => at === undefined))
  const filled: Block[] = []
  let longest = 0
  for (const gap of findGaps(fixed, day)) {
    longest = Math.max(longest, gap.end - gap.start)
    filled.push(...fillGap(gap, left, day))
  }
  const blocks = [...fixed, ...filled].sort((one, other) => one.start - other.start)
  const rest = [...left]
    .filter(({ isDue }) => isDue)
    .map((wish) => ({ wish, why: explainUnplaced(wish, longest) }))
  return { blocks, unplaced: [...late, ...rest] }
}

function explainUnplaced({ minutes }: PlanItem, longestMs: number): string {
  const room = Math.floor(longestMs / MINUTE_MS)
  return minutes > room
    ? `it takes ${minutes} minutes without interruption, and the longest gap is ${room}`
    : 'the day is full'
}

function placeFixed(wishes: readonly PlanItem[], day: WorkingDay): Plan {
  const blocks: Block[] = []
  const unplaced: Unplaced[] = []
  let free = day.start
  for (const wish of wishes.toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0))) {
    const start = Math.max(free, wish.at ?? 0)
    const end = start + wish.minutes * MINUTE_MS
    if (wish.at === undefined || wish.at < day.start || end > day.end) {
      unplaced.push({ wish, why: 'its time is outside the planned hours' })
      continue
    }
    blocks.push({ start, end, kind: wish.kind, wish })
    free = end
  }
  return { blocks, unplaced }
}

type Gap = { readonly start: number; readonly end: number }

function findGaps(fixed: readonly Block[], day: WorkingDay): readonly Gap[] {
  const starts = [day.start, ...fixed.map(({ end }) => end)]
  const ends = [...fixed.map(({ start }) => start), day.end]
  return starts
    .map((start, index) => ({
      start: Math.ceil(start / STEP_MS) * STEP_MS,
      end: ends[index] ?? start,
    }))
    .filter(({ start, end }) => end > start)
}

// Removes the items that it places from `left`.
function fillGap(gap: Gap, left: Set<PlanItem>, { energyAt }: WorkingDay): readonly Block[] {
  const blocks: Block[] = []
  let stretch = 0
  for (let at = gap.start; at < gap.end; ) {
    const next = pickBest(left, { at, room: gap.end - at, energy: energyAt(at) })
    if (next === undefined) break
    const length = next.minutes * MINUTE_MS
    if (stretch > 0 && stretch + length > LONGEST_STRETCH_MS && at + BREAK_MS + length <= gap.end) {
      blocks.push({ start: at, end: at + BREAK_MS, kind: 'break' })
      at += BREAK_MS
      stretch = 0
      continue
    }
    blocks.push({ start: at, end: at + length, kind: next.kind, wish: next })
    left.delete(next)
    stretch += length
    at = Math.ceil((at + length) / STEP_MS) * STEP_MS
  }
  return blocks
}

function pickBest(
  left: Iterable<PlanItem>,
  { at, room, energy }: { at: number; room: number; energy: Level },
): PlanItem | undefined {
  let found: PlanItem | undefined
  for (const wish of left) {
    if (
      wish.minutes * MINUTE_MS <= room &&
      (found === undefined || isPreferred(wish, found, { at, energy }))
    )
      found = wish
  }
  return found
}

function isPreferred(
  one: PlanItem,
  other: PlanItem,
  { at, energy }: { at: number; energy: Level },
): boolean {
  if (one.isDue !== other.isDue) return one.isDue
  const [oneEnds, otherEnds] = [reachableDeadline(one, at), reachableDeadline(other, at)]
  if (oneEnds !== otherEnds) return oneEnds < otherEnds
  if (one.worth[energy] !== other.worth[energy]) return one.worth[energy] > other.worth[energy]
  return one.title < other.title || (one.title === other.title && one.id < other.id)
}

// A deadline that can no longer be met is ignored, so that it does not displace items that can
// still be in time.
function reachableDeadline({ deadline, minutes }: PlanItem, at: number): number {
  return deadline === undefined || at + minutes * MINUTE_MS > deadline
    ? Number.POSITIVE_INFINITY
    : deadline
}
