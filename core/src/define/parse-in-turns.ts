import { z } from 'zod'
import { isRecord, MAX_DEPTH } from '../call/canonical.ts'
import type { Pace } from '../call/json-in-turns/parse-in-pieces.ts'
import { MOST_PROBLEMS, type Parsed, type Schema, toProblems, UNCOUNTED } from './schema.ts'

type Zod = z.core.$ZodType
type Run = Zod['_zod']['run']
type Payload = z.core.ParsePayload
type Issue = z.core.$ZodRawIssue
type Value = Readonly<Record<string, unknown>>

// What zod parses at once: about a millisecond, where every one of them is wrong.
const MEMBERS_A_TIME = 500

/**
 * Compares a large value with a schema as `schema.parse` does, a part at a time: first the items of
 * long lists, then the whole by a schema that takes these items as they were found. A list of which
 * more problems are known than are listed is not read to its end. Zod takes a second for a megabyte
 * of wrong items, because it describes each of them.
 *
 * Lists are found in objects, lists, records, unions and what wraps these. Others, those in tuples
 * and intersections, are parsed in one piece.
 */
export async function parseInTurns<T>(
  schema: Schema<T>,
  value: unknown,
  pace: Pace,
): Promise<Parsed<T>> {
  if (schema.zod === undefined) return schema.parse(value)
  const lists = new LongLists(pace)
  const settled = (await lists.settle(schema.zod, value, 0)) as z.ZodType<T>
  if (settled === schema.zod) return schema.parse(value)
  const result = settled.safeParse(value, { jitless: true })
  if (result.success) return { ok: true, value: result.data }
  const problems = toProblems(result.error.issues, value, schema.shape)
  return {
    ok: false,
    problems:
      lists.isCutShort && problems.length > MOST_PROBLEMS
        ? [...problems.slice(0, MOST_PROBLEMS), UNCOUNTED]
        : problems,
  }
}

const NO_ISSUES: readonly Issue[] = []

type Members = {
  readonly schema: Zod
  readonly members: readonly unknown[]
  readonly depth: number
  /** Parses the member with this index, stores its value and returns its problems. */
  readonly parse: (schema: Zod, index: number) => readonly Issue[]
}

/** Parses the items of long lists. The problems that were found so far are its state. */
class LongLists {
  /** Has a list more problems than were kept? */
  isCutShort = false
  private members = 0
  private readonly pace: Pace

  constructor(pace: Pace) {
    this.pace = pace
  }

  /** The schema for this value alone, with the long lists in it parsed; itself if there are none. */
  async settle(schema: Zod, value: unknown, depth: number): Promise<Zod> {
    // A value that contains itself is left to zod.
    if (depth > MAX_DEPTH || countMembers(value) < MEMBERS_A_TIME) return schema
    const { def } = (schema as z.core.$ZodTypes)._zod
    switch (def.type) {
      case 'array':
        return Array.isArray(value) && !exceedsLength(def.checks, value.length)
          ? withParsed(schema, await this.parseItems(def.element, value, depth))
          : schema
      case 'object':
        return isRecord(value)
          ? this.settleFields(schema as z.core.$ZodObject, value, depth)
          : schema
      case 'record':
        // A key that the schema lists may be missing: such records are left to zod.
        return isRecord(value) && def.keyType._zod.values === undefined
          ? withParsed(schema, await this.parseRecord(schema as z.core.$ZodRecord, value, depth))
          : schema
      case 'optional':
      case 'nullable':
      case 'default':
      case 'prefault':
      case 'nonoptional':
      case 'readonly': {
        const innerType = await this.settle(def.innerType, value, depth)
        return innerType === def.innerType ? schema : withDef(schema, { innerType })
      }
      case 'lazy': {
        const inner = (schema as z.core.$ZodLazy)._zod.innerType
        const settled = await this.settle(inner, value, depth + 1)
        const getter = () => settled
        return settled === inner ? schema : withDef(schema, { getter, _cachedInner: undefined })
      }
      case 'union': {
        const options: Zod[] = []
        for (const option of def.options) options.push(await this.settle(option, value, depth))
        const isSame = options.every((option, index) => option === def.options[index])
        return isSame ? schema : withDef(schema, { options })
      }
      default:
        return schema
    }
  }

  private async settleFields(schema: z.core.$ZodObject, value: Value, depth: number): Promise<Zod> {
    const { shape } = schema._zod.def
    const settled: Record<string, Zod> = {}
    for (const [name, field] of Object.entries(shape)) {
      const found = Object.hasOwn(value, name)
        ? await this.settle(field, value[name], depth + 1)
        : field
      if (found !== field) settled[name] = found
    }
    return Object.keys(settled).length === 0
      ? schema
      : withDef(schema, { shape: { ...shape, ...settled } })
  }

  private async parseItems(
    element: Zod,
    items: readonly unknown[],
    depth: number,
  ): Promise<Payload> {
    const value = items.slice()
    const parse = (schema: Zod, index: number): readonly Issue[] => {
      const found = runZod(schema, items[index], schema !== element)
      value[index] = found.value
      if (found.issues.length === 0) return NO_ISSUES
      return found.issues.map((issue) => ({ ...issue, path: [index, ...(issue.path ?? [])] }))
    }
    const issues = await this.parseMembers({ schema: element, members: items, depth, parse })
    return { value, issues }
  }

  // A record is parsed as records of one key: what is wrong with one does not depend on the others.
  private async parseRecord(
    record: z.core.$ZodRecord,
    given: Value,
    depth: number,
  ): Promise<Payload> {
    const { valueType } = record._zod.def
    const unchecked = withDef(record, { checks: [] })
    const entries = Object.entries(given)
    const value = {}
    const parse = (schema: Zod, index: number): readonly Issue[] => {
      const single = schema === valueType ? unchecked : withDef(unchecked, { valueType: schema })
      const found = runZod(single, Object.fromEntries(entries.slice(index, index + 1)), true)
      Object.assign(value, found.value)
      return found.issues
    }
    const members = entries.map(([, member]) => member)
    const issues = await this.parseMembers({ schema: valueType, members, depth, parse })
    return { value, issues }
  }

  /** The first problems of the members, as many as are listed and one more. */
  private async parseMembers({ schema, members, depth, parse }: Members): Promise<Issue[]> {
    const kept: Issue[] = []
    let isAborted = false
    for (let index = 0; index < members.length; index++) {
      const count = countMembers(members[index])
      const settled =
        count < MEMBERS_A_TIME ? schema : await this.settle(schema, members[index], depth + 1)
      for (const issue of parse(settled, index)) {
        const isFirstToAbort: boolean = !isAborted && issue.continue !== true
        isAborted ||= isFirstToAbort
        if (kept.length <= MOST_PROBLEMS || isFirstToAbort) kept.push(issue)
        else this.isCutShort = true
      }
      this.members += count
      if (this.members >= MEMBERS_A_TIME) {
        this.members = 0
        await this.pace()
      }
      // Checks of the whole list are made only where no problem of an item aborts.
      if (isAborted && kept.length > MOST_PROBLEMS) {
        this.isCutShort ||= index < members.length - 1
        break
      }
    }
    return kept
  }
}

function runZod(schema: Zod, value: unknown, isUsedOnce: boolean): Payload {
  const result = schema._zod.run({ value, issues: [] }, { async: false, jitless: isUsedOnce })
  if (result instanceof Promise) throw new z.core.$ZodAsyncError()
  return result
}

/** The schema of a list or a record, which has parsed this one; its checks are still to be made. */
function withParsed(schema: Zod, { value, issues }: Payload): Zod {
  const settled = withDef(schema, {})
  const parse: Run = (payload) => {
    payload.value = value
    // Who receives an issue changes its path.
    for (const issue of issues) payload.issues.push({ ...issue, path: [...(issue.path ?? [])] })
    return payload
  }
  settled._zod.parse = parse
  return (schema._zod.def.checks ?? []).length === 0 ? withRun(settled, parse) : settled
}

function withDef(schema: Zod, changes: object): Zod {
  // erased: a definition of the same kind
  return z.core.clone(schema, { ...schema._zod.def, ...changes } as typeof schema._zod.def)
}

function withRun(schema: Zod, run: Run): Zod {
  schema._zod.run = run
  return schema
}

const LENGTH_CHECKS: ReadonlySet<string> = new Set(['min_length', 'max_length', 'length_equals'])

/** Is the list refused for its length before zod looks at any item? */
function exceedsLength(checks: z.core.$ZodTypeDef['checks'], length: number): boolean {
  for (const check of checks ?? []) {
    const def = check._zod.def as { check: string; maximum?: number; length?: number }
    if (!LENGTH_CHECKS.has(def.check)) return false
    if (length > (def.maximum ?? def.length ?? Number.POSITIVE_INFINITY)) return true
  }
  return false
}

/** How many values there are in this one, itself included; not counted beyond what is large. */
function countMembers(value: unknown, most = MEMBERS_A_TIME): number {
  if (typeof value !== 'object' || value === null) return 1
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  if (members.length >= most) return most
  let count = 1
  for (let index = 0; index < members.length && count < most; index++)
    count += countMembers(members[index], most - count)
  return count
}
