import type { AttributeLeaf, AttributeRule } from '../call/attribute-rule.ts'
import type { Caller } from '../call/caller.ts'
import { DAYS } from '../define/condition.ts'
import type { Tool } from '../define/tool.ts'
import { wallMinute, weekdayOf } from './time-window.ts'

/**
 * Whose rights to which tool are query for, and when. A `Call` is such a question;
 * before a call there is no input, and rules over it are left to the call.
 */
export type AccessQuery = {
  readonly tool: Tool
  readonly caller: Caller
  readonly startedAt: number
  readonly input?: unknown
}

/**
 * What an attribute is: a JSON value, undefined where it is missing, NOT_YET where there is no
 * input to look into.
 */
export type Attributes = (name: string) => unknown

export const NOT_YET = Symbol('judged at the call')

/**
 * The attributes that rules speak about. Caller's roles are those it was given, without those they
 * include.
 */
export function attributesOf({ tool, caller, startedAt, input }: AccessQuery): Attributes {
  return (name) => {
    const [family, ...path] = name.split('.')
    const [field = ''] = path
    switch (family) {
      case 'caller':
        return caller[field as keyof Caller]
      case 'tool':
        return toolAttribute(tool, field)
      case 'moment':
        return momentAttribute(wallMinute(startedAt, caller.timeZone ?? 'UTC'), field)
      case 'input':
        return input === undefined ? NOT_YET : valueAt(input, path)
      default:
        return undefined
    }
  }
}

function toolAttribute(tool: Tool, field: string): unknown {
  switch (field) {
    case 'id':
      return tool.id
    case 'category':
      return tool.category
    case 'effect':
      return tool.contract.effect
    case 'security_level':
      return tool.contract.securityLevel
    case 'reversible':
      return tool.contract.reversible
    default:
      return undefined
  }
}

function momentAttribute(wall: number, field: string): unknown {
  const day = Math.floor(wall / 1440)
  switch (field) {
    case 'hour':
      return Math.floor((wall - day * 1440) / 60)
    case 'weekday':
      return DAYS[weekdayOf(day)]
    case 'date':
      return new Date(wall * 60_000).toISOString().slice(0, 10)
    default:
      return undefined
  }
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    // an array's length is its own property, but no part of the JSON
    if (Array.isArray(found) && step === 'length') return undefined
    found = (found as Readonly<Record<string, unknown>>)[step]
  }
  return found
}

/** Does the rule hold? A leaf over a missing attribute is false, and types are never converted. */
export function evaluate(rule: AttributeRule, attributes: Attributes): boolean {
  return judgeRule(rule, attributes) === true
}

/** True, false, or undefined where it hangs on an input that is not there yet. */
export function judgeRule(rule: AttributeRule, attributes: Attributes): boolean | undefined {
  if ('all' in rule) return joinVerdicts(rule.all, attributes, false)
  if ('any' in rule) return joinVerdicts(rule.any, attributes, true)
  if ('not' in rule) {
    const inner = judgeRule(rule.not, attributes)
    return inner === undefined ? undefined : !inner
  }
  const value = attributes(rule.attribute)
  return value === NOT_YET ? undefined : leafHolds(rule, value)
}

// one false settles `all`, one true settles `any`; otherwise doubt stays doubt
function joinVerdicts(
  rules: readonly AttributeRule[],
  attributes: Attributes,
  settling: boolean,
): boolean | undefined {
  let isOpen = false
  for (const rule of rules) {
    const part = judgeRule(rule, attributes)
    if (part === settling) return settling
    if (part === undefined) isOpen = true
  }
  return isOpen ? undefined : !settling
}

function leafHolds({ op, value }: AttributeLeaf, found: unknown): boolean {
  if (found === undefined) return false
  switch (op) {
    case 'exists':
      return true
    case 'eq':
      return isSame(found, value)
    case 'ne':
      return !isSame(found, value)
    case 'in':
      return isAmong(found, value)
    case 'not_in':
      return !isAmong(found, value)
    case 'lt':
      return order(found, value) < 0
    case 'lte':
      return order(found, value) <= 0
    case 'gt':
      return order(found, value) > 0
    case 'gte':
      return order(found, value) >= 0
    case 'contains':
      return Array.isArray(found)
        ? isAmong(value, found)
        : typeof found === 'string' && typeof value === 'string' && found.includes(value)
    case 'starts_with':
      return typeof found === 'string' && typeof value === 'string' && found.startsWith(value)
  }
}

// numbers with numbers, texts with texts; NaN is neither before, nor after, nor the same
function order(found: unknown, value: unknown): number {
  if (typeof found === 'number' && typeof value === 'number') return found - value
  if (typeof found !== 'string' || typeof value !== 'string') return Number.NaN
  return found < value ? -1 : found > value ? 1 : 0
}

function isAmong(found: unknown, list: unknown): boolean {
  return Array.isArray(list) && list.some((value) => isSame(found, value))
}

function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const leftKeys = Object.keys(left)
  if (leftKeys.length !== Object.keys(right).length) return false
  return leftKeys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      isSame((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  )
}
