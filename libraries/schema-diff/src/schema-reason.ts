import { visibleText } from '@surehand/core/host'
import { jsonText } from './schema-keywords.ts'

/**
 * Whom the sentences are about: `narrow` is the side whose values should all be valid on the other
 * one.
 */
export type Sides = { readonly direction: 'input' | 'output'; readonly narrow: 'before' | 'after' }

/** A way from a value into it. */
export type Step =
  | { readonly field: string }
  | { readonly item: number | 'any' }
  | { readonly field: undefined }

/** The place a sentence is about: as its subject, and as in `minimum of "seats"`. */
export type Place = { readonly subject: string; readonly of: string }

/**
 * Why not every value of one side is valid on the other; a tolerated reason is reported, but breaks
 * nothing.
 */
export type Reason = {
  readonly steps: readonly Step[]
  readonly say: (place: Place) => string
  readonly isTolerated: boolean
}

export type Say = Reason['say']

export function reason(say: Say): Reason {
  return { steps: [], say, isTolerated: false }
}

export function toleratedReason(say: Say): Reason {
  return { steps: [], say, isTolerated: true }
}

/** Reasons of an inner value, seen from outside. */
export function inside(step: Step, reasons: readonly Reason[]): readonly Reason[] {
  return reasons.map((one) => ({ ...one, steps: [step, ...one.steps] }))
}

export function holds(reasons: readonly Reason[]): boolean {
  return reasons.every((one) => one.isTolerated)
}

/** A path as people write it: `guests[].name`, `scores.*`. */
export function pathOf(steps: readonly Step[]): string {
  const path = steps.map((step) => {
    if ('item' in step) return step.item === 'any' ? '[]' : `[${step.item}]`
    return `.${step.field === undefined ? '*' : visibleText(step.field)}`
  })
  return path.join('').replace(/^\./, '')
}

/** The same reason in words. */
export function toChange(
  { steps, say }: Pick<Reason, 'steps' | 'say'>,
  direction: Sides['direction'],
): { readonly path: string; readonly what: string } {
  const path = pathOf(steps)
  return {
    path,
    what: say(
      path === ''
        ? { subject: `the ${direction}`, of: '' }
        : { subject: `"${path}"`, of: ` of "${path}"` },
    ),
  }
}

const LONGEST = 60
const MOST = 5

/** A JSON value, short enough for a sentence and with nothing in it that can't be seen. */
export function formatValue(value: unknown): string {
  const text = visibleText(jsonText(value))
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** A list as it is read out. */
export function formatList(words: readonly string[], last: 'and' | 'or'): string {
  if (words.length > MOST)
    return `${words.slice(0, MOST - 1).join(', ')} ${last} ${words.length - MOST + 1} more`
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}
