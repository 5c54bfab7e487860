import type { Line } from '../pack/program.ts'
import type { Verdict } from '../report/verdict.ts'
import { type ExpectedEffect, type PredictedOutcome, predictOutcome } from './model.ts'
import type { Plan } from './plan.ts'

/** How a program ended, according to the answer its client received. */
export type ProgramEnd =
  | { readonly end: 'done'; readonly lines: readonly Line[] }
  /** With the places that were compensated and those that were not. */
  | {
      readonly end: 'failed'
      readonly code: string
      readonly undone: readonly string[]
      readonly notUndone: readonly string[]
    }
  | { readonly end: 'diverged'; readonly message: string }
  /** The client received no final answer. */
  | { readonly end: 'no-answer'; readonly last: string }

/** `again` is the answer to a repetition under the same key. */
export type ProgramCase = {
  readonly plan: Plan
  readonly end: ProgramEnd
  readonly again: ProgramEnd | undefined
}

/** Each fault is a list of descriptions, one line per program. */
export type ProgramFaults = {
  /** The provider's effects differ from the model's prediction. */
  readonly state: readonly string[]
  /**
   * The answer differs from the model's prediction, from the effects, or from an earlier answer.
   */
  readonly answer: readonly string[]
  readonly doubled: readonly string[]
  readonly stuckRuns: readonly string[]
  readonly diverged: readonly string[]
}

/** An effect that exists: an item, and the receipt it was given. */
export type StoredEffect = { readonly item: string; readonly receipt: string }

/** Compares the effects with the model's prediction, and the clients' answers with both. */
export function judgePrograms(
  cases: readonly ProgramCase[],
  held: readonly StoredEffect[],
): Verdict<ProgramFaults> {
  const byProgram = Map.groupBy(held, ({ item }) => programOf(item))
  const judged = cases.map((one) => ({
    one,
    found: findFaults(one, byProgram.get(one.plan.program.id) ?? []),
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

/** How many of the effects are compensations. */
export function countUndone(held: readonly StoredEffect[]): number {
  return held.filter(({ item }) => item.startsWith(UNDO)).length
}

const UNDO = 'undo.'

function programOf(item: string): string {
  return (item.startsWith(UNDO) ? item.slice(UNDO.length) : item).split('.')[0] ?? ''
}

function findFaults(
  { plan, end, again }: ProgramCase,
  held: readonly StoredEffect[],
): ProgramFaults {
  const receipts = Map.groupBy(held, ({ item }) => item)
  const expected = predictOutcome(plan)
  const isOver = end.end === 'done' || end.end === 'failed'
  return {
    // A program without an end is reported as stuck, and not for its state as well.
    state: isOver ? findStateFaults(expected, receipts) : [],
    answer: isOver
      ? [...findAnswerFaults(end, expected, receipts), ...compareRepeatedEnd(end, again)]
      : [],
    doubled: [...receipts]
      .filter(([, list]) => list.length > 1)
      .map(([item, list]) => `${item} ${list.length} times`),
    stuckRuns: [end, again].flatMap((one) =>
      one?.end === 'no-answer' ? [`last reply: ${one.last}`] : [],
    ),
    diverged: [end, again].flatMap((one) => (one?.end === 'diverged' ? [one.message] : [])),
  }
}

type Receipts = ReadonlyMap<string, readonly StoredEffect[]>

function findStateFaults(
  { effects, failures }: PredictedOutcome,
  receipts: Receipts,
): readonly string[] {
  const isFailing = failures.length > 0
  const wrong = effects.flatMap((one) => {
    const [isMade, isUndone] = [receipts.has(one.item), receipts.has(`${UNDO}${one.item}`)]
    if (!isMade && one.isCertain) return [`${one.item} is missing`]
    const isToBeUndone = isFailing && isMade && one.hasUndo
    if (isUndone !== isToBeUndone) return [`${one.item} is ${isUndone ? '' : 'not '}undone`]
    return []
  })
  const foreseen = new Set(effects.flatMap(({ item }) => [item, `${UNDO}${item}`]))
  return [
    ...wrong,
    ...[...receipts.keys()]
      .filter((item) => !foreseen.has(item))
      .map((item) => `${item} should not be`),
  ]
}

function findAnswerFaults(
  end: Extract<ProgramEnd, { end: 'done' | 'failed' }>,
  expected: PredictedOutcome,
  receipts: Receipts,
): readonly string[] {
  const { effects, failures } = expected
  if (end.end === 'done')
    return failures.length > 0
      ? [`done, though it fails at ${failures[0]?.place}`]
      : findLineFaults(end.lines, expected, receipts)
  if (!failures.some(({ code }) => code === end.code)) return [`failed with ${end.code}`]
  const made = effects.filter(({ item }) => receipts.has(item))
  return [
    ...comparePlaces(
      'undone',
      end.undone,
      made.filter(({ hasUndo }) => hasUndo),
    ),
    ...comparePlaces(
      'not undone',
      end.notUndone,
      made.filter(({ hasUndo }) => !hasUndo),
    ),
  ]
}

function comparePlaces(
  what: string,
  reported: readonly string[],
  effects: readonly ExpectedEffect[],
): readonly string[] {
  const right = effects
    .map(({ place }) => place)
    .toSorted()
    .join(', ')
  return reported.toSorted().join(', ') === right
    ? []
    : [`reported as ${what}: ${reported.join(', ') || 'nothing'}; should be: ${right || 'nothing'}`]
}

function findLineFaults(
  lines: readonly Line[],
  expected: PredictedOutcome,
  receipts: Receipts,
): readonly string[] {
  const items = new Map(expected.effects.map(({ place, item }) => [place, item]))
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

function compareRepeatedEnd(end: ProgramEnd, again: ProgramEnd | undefined): readonly string[] {
  if (
    again === undefined ||
    again.end === 'no-answer' ||
    JSON.stringify(again) === JSON.stringify(end)
  )
    return []
  return [`answered ${JSON.stringify(end)}, then ${JSON.stringify(again)}`]
}
