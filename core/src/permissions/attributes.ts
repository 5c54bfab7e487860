import type { Caller } from '../call/caller.ts'
import { DAYS } from '../define/condition.ts'
import type { Tool } from '../define/tool.ts'
import { weekdayOf } from './time-window.ts'
import { wallMinute } from './zone-time.ts'

/**
 * Whose rights to which tool are asked for, and when. A `Call` is such a question;
 * before a call there is no input, and rules over it are left to the call.
 */
export type Asked = {
  readonly tool: Tool
  readonly caller: Caller
  readonly startedAt: number
  readonly input?: unknown
}

/** What an attribute is: a JSON value, undefined where it is missing, NOT_YET where there is no input to look into. */
export type Attributes = (name: string) => unknown

export const NOT_YET = Symbol('judged at the call')

/** The attributes that rules speak about. Caller's roles are those it was given, without those they include. */
export function attributesOf({ tool, caller, startedAt, input }: Asked): Attributes {
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
        return input === undefined ? NOT_YET : at(input, path)
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

function at(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    // an array's length is its own property, but no part of the JSON
    if (Array.isArray(found) && step === 'length') return undefined
    found = (found as Readonly<Record<string, unknown>>)[step]
  }
  return found
}
