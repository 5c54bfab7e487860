import { Buffer } from 'node:buffer'
import { isPlainObject, MAX_DEPTH } from './canonical.ts'
import { fieldName } from './field-name.ts'
import { countPlainKeys, scanJson } from './plain-json.ts'
import { ToolError } from './tool-error.ts'

export const MAX_KEYS = 10_000

/** JSON text to a value, refusing what two parsers could read differently. */
export function parseJson(text: string, maxBytes: number): unknown {
  refuseLargeText(text, maxBytes)
  const scanned = scanJson(text, MAX_DEPTH)
  // Whatever is refused is found by the careful way, which says what and where.
  if (scanned === undefined || !(scanned.members <= MAX_KEYS)) return parseCarefully(text, maxBytes)
  const value = parse(text)
  const keys = scanned.isAscii ? countPlainKeys(value) : Number.NaN
  refuseRepeatedKeys(Number.isNaN(keys) ? guardJson(value, maxBytes) : keys, scanned.members)
  return value
}

function parseCarefully(text: string, maxBytes: number): unknown {
  const count = countMembers()
  count.add(text)
  const value = parse(text)
  refuseRepeatedKeys(guardJson(value, maxBytes), count.members())
  return value
}

function refuseLargeText(text: string, maxBytes: number): void {
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) throw tooLarge(maxBytes)
}

// JSON.parse keeps the last of two equal keys: fewer keys than colons means one was dropped
export function refuseRepeatedKeys(keys: number, members: number): void {
  if (keys !== members) throw refuse('The input repeats a key within one object.')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    // the engine's own message quotes the input, which may contain a secret
    const [, position] = /position (\d+)/.exec(cause instanceof Error ? cause.message : '') ?? []
    throw notJson(position)
  }
}

/** The refusal of a text that is no JSON, with the place where that was noticed. */
export function notJson(position?: string | number): ToolError {
  return refuse(
    `The input is not JSON${position === undefined ? '' : ` (at position ${position})`}.`,
  )
}

/** A count of the members of all objects in a text. */
export type MemberCount = {
  /** Counts in the next part of the text. Throws for too many members, or too deep ones. */
  readonly add: (part: string) => void
  readonly members: () => number
}

// colons outside strings, with depth and number checked on the way: one pass, no recursion, and
// nothing is parsed that is refused anyway
export function countMembers(most = MAX_KEYS): MemberCount {
  // at the end of the last part; `escapes`: the backslashes that it ends with, within a string
  let state = { members: 0, depth: 0, isInText: false, escapes: 0 }
  return {
    members: () => state.members,
    add(part) {
      // in variables of its own, which the engine keeps in registers
      let { members, depth, isInText, escapes } = state
      for (let at = 0; at < part.length; at++) {
        const code = part.charCodeAt(at)
        if (isInText || code === 34) {
          // the engine finds the next quote faster than a loop
          const quote = part.indexOf('"', isInText ? at : at + 1)
          at = quote < 0 ? part.length : quote
          // behind an odd run of backslashes, a quote is part of the string
          isInText = quote < 0 || countEscapes(part, quote, escapes) % 2 === 1
        } else if (code === 58) {
          if (++members > most) throw tooManyKeys()
        } else if (code === 123 || code === 91) {
          if (++depth > MAX_DEPTH) throw tooDeep()
        } else if (code === 125 || code === 93) depth--
      }
      escapes = isInText ? countEscapes(part, part.length, escapes) : 0
      state = { members, depth, isInText, escapes }
    },
  }
}

/** How many backslashes stand before this index, with those at the end of the part before. */
function countEscapes(part: string, index: number, before: number): number {
  let start = index
  while (part.charCodeAt(start - 1) === 92) start--
  return index - start + (start === 0 ? before : 0)
}

type Walk = {
  keys: number
  characters: number
  readonly maxBytes: number
  readonly path: (string | number)[]
}

/**
 * Refuses values that are too large, too deep or not plain JSON; answers how many keys there are.
 * Recursive, which takes half the time of a check that can be interrupted (json-in-turns) for the
 * small inputs of calls: every call passes through here.
 */
export function guardJson(value: unknown, maxBytes: number): number {
  const walk: Walk = { keys: 0, characters: 0, maxBytes, path: [] }
  visit(value, walk, 0, false)
  return walk.keys
}

function visit(value: unknown, walk: Walk, depth: number, isInList: boolean): void {
  switch (typeof value) {
    case 'string':
      walk.characters += value.length
      if (walk.characters > walk.maxBytes) throw tooLarge(walk.maxBytes)
      if (!value.isWellFormed())
        throw refuse('A text holds half a character (a lone surrogate).', walk.path)
      return
    case 'number':
      if (!Number.isFinite(value)) throw refuse(`${value} is not a JSON number.`, walk.path)
      if (Number.isInteger(value) && !Number.isSafeInteger(value))
        throw refuse('A whole number beyond ±2^53 loses digits; send it as text.', walk.path)
      return
    case 'boolean':
      return
    case 'undefined':
      if (isInList) throw refuse('A gap in a list is not JSON.', walk.path)
      return
    case 'object':
      if (value === null) return
      if (depth >= MAX_DEPTH) throw tooDeep()
      if (Array.isArray(value)) visitArray(value, walk, depth)
      else if (!isPlainObject(value))
        throw refuse(`A ${value.constructor?.name ?? 'class instance'} is not JSON.`, walk.path)
      else visitObject(value as Record<string, unknown>, walk, depth)
      return
    default:
      throw refuse(`A ${typeof value} is not JSON.`, walk.path)
  }
}

function visitArray(items: readonly unknown[], walk: Walk, depth: number): void {
  walk.characters += items.length
  if (walk.characters > walk.maxBytes) throw tooLarge(walk.maxBytes)
  for (let index = 0; index < items.length; index++) visitMember(items[index], index, walk, depth)
}

function visitObject(value: Record<string, unknown>, walk: Walk, depth: number): void {
  for (const key of Object.keys(value)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype')
      throw refuse(`The key "${key}" is not accepted.`, [...walk.path, key])
    walk.characters += key.length
    if (walk.characters > walk.maxBytes) throw tooLarge(walk.maxBytes)
    if (!key.isWellFormed())
      throw refuse('A key holds half a character (a lone surrogate).', walk.path)
    if (++walk.keys > MAX_KEYS) throw tooManyKeys()
    visitMember(value[key], key, walk, depth)
  }
}

function visitMember(member: unknown, step: string | number, walk: Walk, depth: number): void {
  walk.path.push(step)
  visit(member, walk, depth + 1, typeof step === 'number')
  walk.path.pop()
}

export function refuse(message: string, path: readonly (string | number)[] = []): ToolError {
  return new ToolError('TOOL_INVALID_INPUT', message, {
    details: {
      validation_errors: [{ field: fieldName(path), error: message, provided_value: null }],
    },
  })
}

export function tooDeep(): ToolError {
  return refuse(`The input is nested deeper than ${MAX_DEPTH}.`)
}

export function tooManyKeys(): ToolError {
  return refuse(`The input has more than ${MAX_KEYS} keys.`)
}

export function tooLarge(maxBytes: number): ToolError {
  return new ToolError(
    'TOOL_INPUT_TOO_LARGE',
    `The input is larger than the ${maxBytes} bytes this tool takes.`,
    {
      details: { max_bytes: maxBytes },
    },
  )
}
