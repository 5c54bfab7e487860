import type { Line } from '../pack/program.ts'
import type { Verdict } from '../report/verdict.ts'
import { type Due, type Expected, expectedOf } from './model.ts'
import type { Plan } from './plan.ts'

/** How a program ended, as its client was told. */
export type ProgramEnd =
  | { readonly end: 'done'; readonly lines: readonly Line[] }
  /** With the places that were taken back, and those that were not. */
  | {
      readonly end: 'failed'
      readonly code: string
      readonly undone: readonly string[]
      readonly notUndone: readonly string[]
    }
  | { readonly end: 'diverged'; readonly message: string }
  /** Nobody gave its client an answer to keep. */
  | { readonly end: 'nothing'; readonly last: string }

/** `again`: what its client was told when it came again. */
export type ProgramCase = {
  readonly plan: Plan
  readonly end: ProgramEnd
  readonly again: ProgramEnd | undefined
}

/** Each is a list of what went wrong, one line a program. */
export type ProgramFaults = {
  /** The provider holds something else than the model says. */
  readonly state: readonly string[]
  /** The program answered something else than the model says, than it did, or than it answered before. */
  readonly answer: readonly string[]
  readonly doubled: readonly string[]
  readonly stuckRuns: readonly string[]
  readonly diverged: readonly string[]
}

/** What is really there: an item, and the receipt it was given. */
export type Held = { readonly item: string; readonly receipt: string }

/** Holds what the provider has against what the model says, and what clients were told against both. */
export function judgePrograms(
  cases: readonly ProgramCase[],
  held: readonly Held[],
): Verdict<ProgramFaults> {
  const byProgram = Map.groupBy(held, ({ item }) => programOf(item))
  const judged = cases.map((one) => ({
    one,
    found: faultsOf(one, byProgram.get(one.plan.program.id) ?? []),
  }))
  const about = (name: keyof ProgramFaults): readonly string[] =>
    judged.flatMap(({ one, found }) =>
      found[name].map((words) => `${one.plan.program.id}: ${words}`),
    )
  return {
    faults: {
      state: about('state'),
      answer: about('answer'),
      doubled: about('doubled'),
      stuckRuns: about('stuckRuns'),
      diverged: about('diverged'),
    },
    unknowns: 0,
    effects: held.length,
  }
}

/** How many of the effects took something back. */
export function undoneAmong(held: readonly Held[]): number {
  return held.filter(({ item }) => item.startsWith(UNDO)).length
}

const UNDO = 'undo.'

function programOf(item: string): string {
  return (item.startsWith(UNDO) ? item.slice(UNDO.length) : item).split('.')[0] ?? ''
}

function faultsOf({ plan, end, again }: ProgramCase, held: readonly Held[]): ProgramFaults {
  const receipts = Map.groupBy(held, ({ item }) => item)
  const expected = expectedOf(plan)
  const isOver = end.end === 'done' || end.end === 'failed'
  return {
    // what has not ended is stuck, and only that
    state: isOver ? stateFaults(expected, receipts) : [],
    answer: isOver ? [...answerFaults(end, expected, receipts), ...otherAgain(end, again)] : [],
    doubled: [...receipts]
      .filter(([, list]) => list.length > 1)
      .map(([item, list]) => `${item} ${list.length} times`),
    stuckRuns: [end, again].flatMap((one) => (one?.end === 'nothing' ? [`told ${one.last}`] : [])),
    diverged: [end, again].flatMap((one) => (one?.end === 'diverged' ? [one.message] : [])),
  }
}

type Receipts = ReadonlyMap<string, readonly Held[]>

function stateFaults({ due, failures }: Expected, receipts: Receipts): readonly string[] {
  const isFailing = failures.length > 0
  const wrong = due.flatMap((one) => {
    const [isMade, isUndone] = [receipts.has(one.item), receipts.has(`${UNDO}${one.item}`)]
    if (!isMade && one.isSure) return [`${one.item} is missing`]
    const isToBeUndone = isFailing && isMade && one.hasUndo
    if (isUndone !== isToBeUndone) return [`${one.item} is ${isUndone ? '' : 'not '}undone`]
    return []
  })
  const foreseen = new Set(due.flatMap(({ item }) => [item, `${UNDO}${item}`]))
  return [
    ...wrong,
    ...[...receipts.keys()]
      .filter((item) => !foreseen.has(item))
      .map((item) => `${item} should not be`),
  ]
}

function answerFaults(
  end: Extract<ProgramEnd, { end: 'done' | 'failed' }>,
  expected: Expected,
  receipts: Receipts,
): readonly string[] {
  const { due, failures } = expected
  if (end.end === 'done')
    return failures.length > 0
      ? [`done, though it fails at ${failures[0]?.place}`]
      : linesFaults(end.lines, expected, receipts)
  if (!failures.some(({ code }) => code === end.code)) return [`failed with ${end.code}`]
  const made = due.filter(({ item }) => receipts.has(item))
  return [
    ...otherPlaces(
      'undone',
      end.undone,
      made.filter(({ hasUndo }) => hasUndo),
    ),
    ...otherPlaces(
      'not undone',
      end.notUndone,
      made.filter(({ hasUndo }) => !hasUndo),
    ),
  ]
}

function otherPlaces(
  what: string,
  told: readonly string[],
  due: readonly Due[],
): readonly string[] {
  const right = due
    .map(({ place }) => place)
    .toSorted()
    .join(', ')
  return told.toSorted().join(', ') === right
    ? []
    : [`told as ${what}: ${told.join(', ') || 'nothing'}; should be: ${right || 'nothing'}`]
}

function linesFaults(
  lines: readonly Line[],
  expected: Expected,
  receipts: Receipts,
): readonly string[] {
  const items = new Map(expected.due.map(({ place, item }) => [place, item]))
  const isRight = ({ place, what, value }: Line): boolean =>
    what !== 'made' ||
    receipts.get(items.get(place) ?? '')?.some(({ receipt }) => receipt === value) === true
  const isForeseen =
    lines.length === expected.lines.length &&
    expected.lines.every(({ place, what, value }, index) => {
      const line = lines[index]
      return (
        line?.place === place && line.what === what && (value === undefined || line.value === value)
      )
    })
  const wrong = lines
    .filter((line) => !isRight(line))
    .map(({ place, value }) => `${place} answered ${value}, which is not its receipt`)
  return isForeseen ? wrong : [`answered ${JSON.stringify(lines)}`, ...wrong]
}

function otherAgain(end: ProgramEnd, again: ProgramEnd | undefined): readonly string[] {
  if (
    again === undefined ||
    again.end === 'nothing' ||
    JSON.stringify(again) === JSON.stringify(end)
  )
    return []
  return [`told ${JSON.stringify(end)}, then ${JSON.stringify(again)}`]
}
