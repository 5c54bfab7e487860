import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { LeftOut } from '../document/left-out.ts'
import { LIMITS, WORDS } from '../document/limits.ts'
import { type Fields, own, ownRecord, ownText } from '../document/record.ts'
import { isVisible, words } from '../document/words.ts'
import { branchesByName } from './discriminator.ts'
import { hiddenNames, isHidden } from './hidden-names.ts'
import {
  INNER_SCHEMAS,
  isNamePattern,
  isPlain,
  LEAVES,
  SAME_VALUE_LISTS,
  SAME_VALUE_SCHEMAS,
  typesOf,
} from './keywords.ts'
import type { Library } from './library.ts'
import { withNull } from './nullable.ts'
import type { Direction, SchemaLoss, Spot } from './unit.ts'

type Schema = JsonSchema | boolean
type Out = Record<string, unknown>
const NO_NAMES: ReadonlySet<string> = new Set()

type KeywordKind =
  | '$ref'
  | 'type'
  | 'enum'
  | 'required'
  | 'properties'
  | 'inner'
  | 'same value'
  | 'same value list'
  | 'leaf'
  | 'rare'

const RARE = [
  'prefixItems',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  'writeOnly',
  '$dynamicRef',
  '$recursiveRef',
]
const KEYWORDS: ReadonlyMap<string, KeywordKind> = new Map([
  ...(['$ref', 'type', 'enum', 'required', 'properties'] as const).map(
    (keyword) => [keyword, keyword] as const,
  ),
  ...[...INNER_SCHEMAS].map((keyword) => [keyword, 'inner'] as const),
  ...[...SAME_VALUE_SCHEMAS].map((keyword) => [keyword, 'same value'] as const),
  ...[...SAME_VALUE_LISTS].map((keyword) => [keyword, 'same value list'] as const),
  ...[...LEAVES.keys()].map((keyword) => [keyword, 'leaf'] as const),
  ...RARE.map((keyword) => [keyword, 'rare'] as const),
])

/**
 * Turns schemas of OpenAPI 3.0 and 3.1 into JSON Schema 2020-12. Only keywords it knows are kept, and only if they hold
 * what they should: whatever a document says, the result is a valid schema of bounded depth and size.
 */
export class SchemaReader {
  bytes = 0
  count = 0
  deepest = 0
  readonly references = new Map<string, number>()
  readonly spots: Spot[] = []
  readonly losses: SchemaLoss[] = []
  private readonly path: string[] = []
  private spot: Spot | undefined
  private readonly library: Library
  private readonly direction: Direction

  constructor(library: Library, direction: Direction) {
    this.library = library
    this.direction = direction
  }

  /** A schema for a value of its own. */
  read(schema: unknown, step: string): Schema {
    const outer = this.spot
    const spot: Spot = { own: 0, references: [] }
    this.spot = spot
    if (this.spots.length === 0) this.spots.push(spot)
    const read = this.together(schema, step, NO_NAMES)
    if ((spot.own > 1 || spot.references.length > 0) && spot !== this.spots[0])
      this.spots.push(spot)
    this.spot = outer
    return read
  }

  /** A further schema for a value that others look at too. */
  private together(schema: unknown, step: string, hidden: ReadonlySet<string>): Schema {
    this.library.spend(1)
    if (++this.count > LIMITS.unitSteps)
      throw new LeftOut(`${this.place} has more than ${LIMITS.unitSteps} schemas`)
    if (this.spot !== undefined) this.spot.own++
    if (typeof schema === 'boolean') return this.sized(schema, 6)
    if (!isRecord(schema)) return this.lost(step, 'is no schema', {})
    if (this.path.length >= LIMITS.schemaDepth)
      return this.lost(step, `is nested deeper than ${LIMITS.schemaDepth}`, {})
    this.path.push(step)
    if (this.path.length > this.deepest) this.deepest = this.path.length
    const read = this.whole(schema, hidden)
    this.path.pop()
    return read
  }

  private whole(schema: Fields, hidden: ReadonlySet<string>): Schema {
    const out: Out = {}
    this.bytes += 2
    const at = { schema, out, hidden: hiddenNames(schema, this, hidden) }
    this.describe(schema, out)
    for (const keyword of Object.keys(schema)) this.keyword(keyword, schema[keyword], at)
    if (Object.hasOwn(schema, 'exclusiveMinimum') || Object.hasOwn(schema, 'exclusiveMaximum'))
      this.bounds(schema, out)
    return schema.nullable === true ? this.nullable(out) : out
  }

  private keyword(keyword: string, value: unknown, at: At): undefined {
    switch (KEYWORDS.get(keyword)) {
      case undefined:
        return
      case '$ref':
        return this.reference(value, at)
      case 'type':
        return this.type(value, at)
      case 'enum':
        return this.enumeration(value, at)
      case 'required':
        return this.required(value, at)
      case 'properties':
        return this.properties(value, at)
      case 'inner':
        return this.inner(keyword, value, at)
      case 'same value':
        return this.keep(at.out, keyword, this.together(value, keyword, NO_NAMES))
      case 'same value list':
        return this.sameValue(keyword, value, at)
      case 'leaf':
        return this.leaf(keyword, value, at)
      case 'rare':
        return this.rare(keyword, value, at)
    }
  }

  private rare(keyword: string, value: unknown, at: At): undefined {
    switch (keyword) {
      case 'prefixItems':
        if (Array.isArray(value) && value.length > 0)
          this.keep(
            at.out,
            keyword,
            value.map((one, index) => this.read(one, `prefixItems/${index}`)),
          )
        return
      case 'patternProperties':
        return this.patternProperties(value, at)
      case 'dependentRequired':
        return this.dependentRequired(value, at)
      case 'dependentSchemas':
        return this.dependentSchemas(value, at)
      case 'writeOnly':
        // a secret on its way in: shown to nobody afterwards
        if (value === true && this.direction === 'input') this.keep(at.out, keyword, true)
        return
      case '$dynamicRef':
      case '$recursiveRef':
        this.lost(keyword, 'is not followed', undefined)
    }
  }

  private reference(value: unknown, { out }: At): undefined {
    if (typeof value !== 'string') return this.lost('$ref', 'is no text', undefined)
    const failure = this.failureOf(value)
    if (failure !== undefined) {
      // an answer that is described less is still an answer
      if (this.direction === 'input') throw failure
      return this.lost('$ref', failure.message, undefined)
    }
    this.references.set(value, (this.references.get(value) ?? 0) + 1)
    this.spot?.references.push(value)
    this.keep(out, '$ref', `#/$defs/${this.library.nameOf(value)}`)
  }

  private failureOf(pointer: string): LeftOut | undefined {
    try {
      const target = this.library.target(pointer)
      return isRecord(target) || typeof target === 'boolean'
        ? undefined
        : new LeftOut(`"${pointer.slice(0, 200)}" is no schema`)
    } catch (error) {
      if (error instanceof LeftOut) return error
      throw error
    }
  }

  private type(value: unknown, { out }: At): undefined {
    const types = typesOf(value)
    if (types === undefined)
      return this.lost('type', `names no type: ${JSON.stringify(value)?.slice(0, 60)}`, undefined)
    this.keep(out, 'type', types)
  }

  private enumeration(value: unknown, { out }: At): undefined {
    if (!Array.isArray(value) || value.length === 0)
      return this.lost('enum', 'lists no values', undefined)
    if (value.length > LIMITS.enumValues)
      return this.lost('enum', `lists more than ${LIMITS.enumValues} values`, undefined)
    const kept = [...new Set(value)].filter((one) => isPlain(one, 4))
    if (kept.length < new Set(value).size)
      this.lost('enum', 'lists values that nobody can see or send', undefined)
    if (kept.length > 0) this.keep(out, 'enum', kept)
  }

  private required(value: unknown, { out, hidden }: At): undefined {
    // draft 3, still met: a field that calls itself required
    if (!Array.isArray(value))
      return typeof value === 'boolean' ? undefined : this.lost('required', 'is no list', undefined)
    const names = [...new Set(value)].filter(
      (name): name is string => typeof name === 'string' && !hidden.has(name),
    )
    const usable = names.filter(isUsableName)
    const unusable = names.find((name) => !isUsableName(name))
    // a required field that can't be named is a request that can't be made; an answer just says less
    if (unusable !== undefined && this.direction === 'input')
      throw new LeftOut(
        `${this.place} requires a field called ${JSON.stringify(unusable.slice(0, 60))}`,
      )
    if (usable.length > 0) this.keep(out, 'required', usable)
  }

  private properties(value: unknown, { out, hidden }: At): undefined {
    if (!isRecord(value)) return this.lost('properties', 'is no object', undefined)
    const kept: Out = {}
    for (const name of Object.keys(value)) {
      if (hidden.has(name)) continue
      if (!isUsableName(name)) {
        this.lost('properties', `names a field ${JSON.stringify(name.slice(0, 60))}`, undefined)
        continue
      }
      this.bytes += name.length + 4
      kept[name] = this.read(value[name], name)
    }
    out.properties = kept
    this.bytes += 16
  }

  private inner(keyword: string, value: unknown, { out }: At): undefined {
    if (Array.isArray(value)) return this.lost(keyword, 'is a list', undefined)
    this.keep(out, keyword, this.read(value, keyword))
  }

  private sameValue(keyword: string, value: unknown, { schema, out, hidden }: At): undefined {
    if (!Array.isArray(value) || value.length === 0)
      return this.lost(keyword, 'is no list of schemas', undefined)
    const branches = value.map((one, index) => this.branch(one, `${keyword}/${index}`, hidden))
    const discriminator =
      keyword === 'allOf' || this.direction === 'output'
        ? undefined
        : ownRecord(schema, 'discriminator')
    const named =
      discriminator === undefined ? branches : branchesByName(branches, value, discriminator)
    if (named !== branches) this.add(named.length * 3, named.length * 60)
    // an answer may fit two of them: nobody is helped by refusing it
    this.keep(out, keyword === 'oneOf' && this.direction === 'output' ? 'anyOf' : keyword, named)
  }

  // what one part of an allOf calls read-only, another must not require
  private branch(schema: unknown, step: string, hidden: ReadonlySet<string>): Schema {
    const reference = ownText(schema, '$ref')
    if (hidden.size === 0 || reference === undefined || this.failureOf(reference) !== undefined)
      return this.together(schema, step, hidden)
    const target = this.library.target(reference)
    const required = own(target, 'required')
    const asks = Array.isArray(required) && required.some((name) => hidden.has(name))
    const shows = Object.keys(ownRecord(target, 'properties') ?? {}).some((name) =>
      hidden.has(name),
    )
    return this.together(asks || shows ? target : schema, step, hidden)
  }

  private leaf(keyword: string, value: unknown, { out }: At): undefined {
    if (LEAVES.get(keyword)?.(value) === true) return this.keep(out, keyword, value)
    this.lost(keyword, 'does not hold what it should', undefined)
  }

  private patternProperties(value: unknown, { out }: At): undefined {
    if (!isRecord(value)) return this.lost('patternProperties', 'is no object', undefined)
    const names = Object.keys(value)
    if (!names.every(isNamePattern))
      return this.lost('patternProperties', 'has a pattern that has no linear-time form', undefined)
    this.keep(
      out,
      'patternProperties',
      Object.fromEntries(names.map((name) => [name, this.read(value[name], name)])),
    )
  }

  private dependentRequired(value: unknown, { out, hidden }: At): undefined {
    const isNames = (names: unknown): names is string[] =>
      Array.isArray(names) && names.every((name) => typeof name === 'string' && isUsableName(name))
    const entries = Object.entries(isRecord(value) ? value : {}).flatMap(([name, names]) =>
      isUsableName(name) && isNames(names)
        ? [[name, [...new Set(names)].filter((one) => !hidden.has(one))] as const]
        : [],
    )
    if (entries.length > 0) this.keep(out, 'dependentRequired', Object.fromEntries(entries))
  }

  private dependentSchemas(value: unknown, { out, hidden }: At): undefined {
    const entries = Object.entries(isRecord(value) ? value : {}).filter(([name]) =>
      isUsableName(name),
    )
    if (entries.length === 0) return
    this.keep(
      out,
      'dependentSchemas',
      Object.fromEntries(entries.map(([name, one]) => [name, this.together(one, name, hidden)])),
    )
  }

  private describe(schema: Fields, out: Out): undefined {
    const text = ownText(schema, 'description') || ownText(schema, 'title')
    const value = own(schema, 'default')
    // never as a keyword: whoever fills in defaults would turn a change of one field into a change of all
    const remark =
      value === undefined || this.direction === 'output' || !isPlain(value, 2)
        ? ''
        : defaultWords(value)
    if (text !== undefined || remark !== '') {
      const length = WORDS[this.direction]
      this.keep(
        out,
        'description',
        text === undefined ? remark : `${words(text, length)}${remark === '' ? '' : ` ${remark}`}`,
      )
    }
    if (this.direction === 'input') this.example(schema, out)
  }

  private example(schema: Fields, out: Out): undefined {
    const several = own(schema, 'examples')
    const example = Array.isArray(several) ? several[0] : own(schema, 'example')
    if (example === undefined || !isPlain(example, 2)) return
    if (JSON.stringify(example).length <= LIMITS.exampleLength)
      this.keep(out, 'examples', [example])
  }

  // 3.0 says with true or false what 3.1 says with the number itself
  private bounds(schema: Fields, out: Out): undefined {
    for (const [exclusive, plain] of [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum'],
    ] as const) {
      const value = own(schema, exclusive)
      if (typeof value === 'number' && Number.isFinite(value)) this.keep(out, exclusive, value)
      if (value !== true || typeof out[plain] !== 'number') continue
      this.keep(out, exclusive, out[plain])
      delete out[plain]
    }
  }

  private nullable(out: Out): JsonSchema {
    this.bytes += 30
    const wider = withNull(out)
    if (wider === out) return out
    this.add(2, 0)
    return wider
  }

  // schemas that we put around those of the document
  private add(count: number, bytes: number): undefined {
    this.count += count
    this.bytes += bytes
    if (this.spot !== undefined) this.spot.own += count
  }

  private keep(out: Out, keyword: string, value: unknown): undefined {
    out[keyword] = value
    // schemas within have counted themselves
    this.bytes +=
      keyword.length +
      5 +
      (typeof value === 'string'
        ? value.length
        : isLeafValue(keyword)
          ? JSON.stringify(value).length
          : 0)
  }

  private sized<T>(value: T, bytes: number): T {
    this.bytes += bytes
    return value
  }

  private lost<T>(step: string, what: string, instead: T): T {
    // losses may be many: the first tell the story
    if (this.losses.length < 20)
      this.losses.push({ place: words(`${this.place}/${step}`, 200), what: words(what, 200) })
    return instead
  }

  private get place(): string {
    return this.path.join('/')
  }

  /** Whether a field's schema says that it does not travel this way. */
  isHidden(schema: unknown): boolean {
    return isHidden(schema, { library: this.library, direction: this.direction })
  }

  /** The schema behind a reference, if there is one. */
  behind(schema: unknown): unknown {
    const reference = ownText(schema, '$ref')
    return reference === undefined || this.failureOf(reference) !== undefined
      ? schema
      : this.library.target(reference)
  }
}

type At = { readonly schema: Fields; readonly out: Out; readonly hidden: ReadonlySet<string> }

function isUsableName(name: string): boolean {
  return name !== '__proto__' && name.length <= 200 && isVisible(name)
}

function isLeafValue(keyword: string): boolean {
  return (
    keyword === 'enum' ||
    keyword === 'required' ||
    keyword === 'type' ||
    keyword === 'examples' ||
    LEAVES.has(keyword)
  )
}

function defaultWords(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 80 ? '' : `Default: ${text}.`
}
