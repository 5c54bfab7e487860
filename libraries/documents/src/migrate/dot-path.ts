import { isPlainObject } from '@surehand/core/internal'

/** Stands in a path for every element of an array. */
export const EACH = '[]'

/**
 * `schedule.days[].name`: keys, indexes and `[]`. The path of a value, not of a pattern, has no
 * `[]`.
 */
export type Path = readonly (string | number)[]

const STEP = /(?:^|(?<!^)\.)(?<key>[^.[\]:]+)|\[(?<index>\d*)\]/y
// a path writes arrays of its own: this is how many nulls one careless index can make
const MAX_INDEX = 999
const FORBIDDEN = ['__proto__', 'constructor', 'prototype']

/** What is wrong with a dot path, in words; nothing when it is one. */
export function pathTrouble(text: string): string | undefined {
  const path = stepsOf(text)
  if (path === undefined) return `"${text}" is not a dot path such as schedule.days[].name`
  const forbidden = path.find((step) => FORBIDDEN.includes(String(step)))
  if (forbidden !== undefined) return `"${text}" goes through "${forbidden}", which is not accepted`
  if (path.some((step) => typeof step === 'number' && step > MAX_INDEX))
    return `"${text}" has an index over ${MAX_INDEX}`
  return undefined
}

/** A dot path that `pathTrouble` found nothing wrong with. */
export function parsePath(text: string): Path {
  return stepsOf(text) ?? []
}

function stepsOf(text: string): Path | undefined {
  const path: (string | number)[] = []
  for (let at = 0; at < text.length; at = STEP.lastIndex) {
    STEP.lastIndex = at
    const step = STEP.exec(text)?.groups
    if (step === undefined) return undefined
    path.push(stepOf(step.key, step.index))
  }
  return path.length === 0 ? undefined : path
}

function stepOf(key: string | undefined, index: string | undefined): string | number {
  if (index === '') return EACH
  const written = key ?? index ?? ''
  return /^\d+$/.test(written) ? Number(written) : written
}

/** Does the pattern name what stands at this path? */
export function isAt(pattern: Path, path: Path): boolean {
  return pattern.length === path.length && leadsTo(pattern, path)
}

/** Is the path on the pattern's way to what it names? */
export function goesThrough(pattern: Path, path: Path): boolean {
  return path.length < pattern.length && leadsTo(pattern, path)
}

function leadsTo(pattern: Path, path: Path): boolean {
  return path.every((step, index) =>
    pattern[index] === EACH ? typeof step === 'number' : pattern[index] === step,
  )
}

/** Can the two patterns name the same thing, or one a part of the other? */
export function overlap(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length)
  return one.slice(0, length).every((step, index) => sameStep(step, other[index]))
}

function sameStep(one: string | number, other: string | number | undefined): boolean {
  return (
    one === other ||
    (one === EACH && typeof other === 'number') ||
    (other === EACH && typeof one === 'number')
  )
}

/** Is it a path into an object, and not into a list? */
export function beginsWithKey([first]: Path): boolean {
  return typeof first === 'string' && first !== EACH
}

/** How many `[]` a pattern has: a move must have as many on both sides. */
export function eachCount(pattern: Path): number {
  return pattern.filter((step) => step === EACH).length
}

/** The target's `[]` filled, in order, with the indexes at which the source was found. */
export function placePath(target: Path, source: Path, found: Path): Path {
  const indexes = found.filter((_, index) => source[index] === EACH)
  return target.map((step) => (step === EACH ? (indexes.shift() ?? 0) : step))
}

/**
 * What a pattern names in a value: one entry for each element it passes; undefined where there is
 * nothing.
 */
export function valuesAt(
  value: unknown,
  pattern: Path,
): readonly { readonly path: Path; readonly value: unknown }[] {
  let found: { path: Path; value: unknown }[] = [{ path: [], value }]
  for (const step of pattern) {
    found = found.flatMap((one) => {
      if (step !== EACH) return [{ path: [...one.path, step], value: childOf(one.value, step) }]
      return Array.isArray(one.value)
        ? one.value.map((item, index) => ({ path: [...one.path, index], value: item }))
        : []
    })
  }
  return found
}

/** An own member of an array or a plain object; what is inherited is not there. */
export function childOf(value: unknown, step: string | number): unknown {
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined
  if (
    typeof value !== 'object' ||
    value === null ||
    !isPlainObject(value) ||
    typeof step === 'number'
  )
    return undefined
  return Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined
}
