import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { clipVisible } from '../document/clip-text.ts'
import { LeftOut } from '../document/left-out.ts'
import { LIMITS } from '../document/limits.ts'
import { type Fields, own, ownRecord, ownText } from '../document/record.ts'
import { readAnnotations } from './annotations.ts'
import { findHiddenNames, isHidden } from './hidden-names.ts'
import {
  isLeafValue,
  isNamePattern,
  isPlain,
  isUsableName,
  KEYWORDS,
  LEAVES,
  typesOf,
} from './keywords.ts'
import type { Library } from './library.ts'
import { restrictBranches, withNull } from './unions.ts'
import type { Direction, EvaluationPoint, SchemaLoss } from './unit.ts'

type Schema = JsonSchema | boolean
type Out = Record<string, unknown>
const NO_NAMES: ReadonlySet<string> = new Set()

/**
 * Turns schemas of OpenAPI 3.0 and 3.1 into JSON Schema 2020-12. Only known keywords with valid
 * values are kept, so that any document gives a valid schema of bounded depth and size.
 */
export class SchemaReader {
  bytes = 0
  count = 0
  deepest = 0
  readonly references = new Map<string, number>()
  readonly evaluationPoints: EvaluationPoint[] = []
  readonly losses: SchemaLoss[] = []
  private readonly path: string[] = []
  private spot: EvaluationPoint | undefined
  private readonly library: Library
  private readonly direction: Direction

  constructor(library: Library, direction: Direction) {
    this.library = library
    this.direction = direction
  }

  /** Reads a schema for a value of its own: a property, an item, a root. */
  read(schema: unknown, step: string): Schema {
    const outer = this.spot
    const evaluationPoint: EvaluationPoint = { own: 0, references: [] }
    this.spot = evaluationPoint
    if (this.evaluationPoints.length === 0) this.evaluationPoints.push(evaluationPoint)
    const read = this.readAtSamePoint(schema, step, NO_NAMES)
    if (
      (evaluationPoint.own > 1 || evaluationPoint.references.length > 0) &&
      evaluationPoint !== this.evaluationPoints[0]
    )
      this.evaluationPoints.push(evaluationPoint)
    this.spot = outer
    return read
  }

  /** Reads a further schema for the same value: a branch of allOf, anyOf, oneOf, not, if. */
  private readAtSamePoint(schema: unknown, step: string, hidden: ReadonlySet<string>): Schema {
    this.library.spend(1)
    if (++this.count > LIMITS.unitSteps)
      throw new LeftOut(`${this.place} has more than ${LIMITS.unitSteps} schemas`)
    if (this.spot !== undefined) this.spot.own++
    if (typeof schema === 'boolean') return this.countBytes(schema, 6)
    if (!isRecord(schema)) return this.noteLoss(step, 'is not a schema', {})
    if (this.path.length >= LIMITS.schemaDepth)
      return this.noteLoss(step, `is nested deeper than ${LIMITS.schemaDepth}`, {})
    this.path.push(step)
    if (this.path.length > this.deepest) this.deepest = this.path.length
    const read = this.readObject(this.library.withoutSiblings(schema), hidden)
    this.path.pop()
    return read
  }

  private readObject(schema: Fields, hidden: ReadonlySet<string>): Schema {
    const out: Out = {}
    this.bytes += 2
    const at = { schema, out, hidden: findHiddenNames(schema, this, hidden) }
    this.annotate(schema, out)
    for (const readKeyword of Object.keys(schema))
      this.keyword(readKeyword, schema[readKeyword], at)
    if (Object.hasOwn(schema, 'exclusiveMinimum') || Object.hasOwn(schema, 'exclusiveMaximum'))
      this.readBounds(schema, out)
    return schema.nullable === true ? this.addNull(out) : out
  }

  private keyword(keyword: string, value: unknown, at: Context): undefined {
    switch (KEYWORDS.get(keyword)) {
      case undefined:
        return
      case '$ref':
        return this.reference(value, at)
      case 'type':
        return this.readType(value, at)
      case 'enum':
        return this.readEnum(value, at)
      case 'required':
        return this.required(value, at)
      case 'properties':
        return this.readProperties(value, at)
      case 'inner':
        return this.readInner(keyword, value, at)
      case 'same value':
        return this.write(at.out, keyword, this.readAtSamePoint(value, keyword, NO_NAMES))
      case 'same value list':
        return this.readBranches(keyword, value, at)
      case 'leaf':
        return this.readLeaf(keyword, value, at)
      case 'rare':
        return this.readRareKeyword(keyword, value, at)
    }
  }

  private readRareKeyword(keyword: string, value: unknown, at: Context): undefined {
    switch (keyword) {
      case 'prefixItems':
        if (Array.isArray(value) && value.length > 0)
          this.write(
            at.out,
            keyword,
            value.map((one, index) => this.read(one, `prefixItems/${index}`)),
          )
        return
      case 'patternProperties':
        return this.readPatternProperties(value, at)
      case 'dependentRequired':
        return this.readDependentRequired(value, at)
      case 'dependentSchemas':
        return this.readDependentSchemas(value, at)
      case 'writeOnly':
        // Marks a secret, which is hidden wherever inputs are shown.
        if (value === true && this.direction === 'input') this.write(at.out, keyword, true)
        return
      case '$dynamicRef':
      case '$recursiveRef':
        this.noteLoss(keyword, 'is not followed', undefined)
    }
  }

  private reference(value: unknown, { out }: Context): undefined {
    if (typeof value !== 'string') return this.noteLoss('$ref', 'is not a text', undefined)
    const failure = this.failureOf(value)
    if (failure !== undefined) {
      // An answer can do without a description; a request cannot be built without its schema.
      if (this.direction === 'input') throw failure
      return this.noteLoss('$ref', failure.message, undefined)
    }
    this.references.set(value, (this.references.get(value) ?? 0) + 1)
    this.spot?.references.push(value)
    this.write(out, '$ref', `#/$defs/${this.library.nameOf(value)}`)
  }

  private failureOf(pointer: string): LeftOut | undefined {
    try {
      const target = this.library.target(pointer)
      return isRecord(target) || typeof target === 'boolean'
        ? undefined
        : new LeftOut(`"${pointer.slice(0, 200)}" is not a schema`)
    } catch (error) {
      if (error instanceof LeftOut) return error
      throw error
    }
  }

  private readType(value: unknown, { out }: Context): undefined {
    const types = typesOf(value)
    if (types === undefined)
      return this.noteLoss(
        'type',
        `is not a type: ${JSON.stringify(value)?.slice(0, 60)}`,
        undefined,
      )
    this.write(out, 'type', types)
  }

  private readEnum(value: unknown, { out }: Context): undefined {
    if (!Array.isArray(value) || value.length === 0)
      return this.noteLoss('enum', 'lists no values', undefined)
    if (value.length > LIMITS.enumValues)
      return this.noteLoss('enum', `lists more than ${LIMITS.enumValues} values`, undefined)
    const kept = [...new Set(value)].filter((one) => isPlain(one, 4))
    if (kept.length < new Set(value).size)
      this.noteLoss('enum', 'lists values that are invisible or not plain JSON', undefined)
    if (kept.length > 0) this.write(out, 'enum', kept)
  }

  private required(value: unknown, { out, hidden }: Context): undefined {
    // Draft 3, still in use: `required: true` inside a field.
    if (!Array.isArray(value))
      return typeof value === 'boolean'
        ? undefined
        : this.noteLoss('required', 'is not a list', undefined)
    const names = [...new Set(value)].filter(
      (name): name is string => typeof name === 'string' && !hidden.has(name),
    )
    const usable = names.filter(isUsableName)
    const unusable = names.find((name) => !isUsableName(name))
    // Without a required field the request cannot be made; an answer is only described less.
    if (unusable !== undefined && this.direction === 'input')
      throw new LeftOut(
        `${this.place} requires a field called ${JSON.stringify(unusable.slice(0, 60))}`,
      )
    if (usable.length > 0) this.write(out, 'required', usable)
  }

  private readProperties(value: unknown, { out, hidden }: Context): undefined {
    if (!isRecord(value)) return this.noteLoss('properties', 'is not an object', undefined)
    const kept: Out = {}
    for (const name of Object.keys(value)) {
      if (hidden.has(name)) continue
      if (!isUsableName(name)) {
        this.noteLoss(
          'properties',
          `has the unusable field name ${JSON.stringify(name.slice(0, 60))}`,
          undefined,
        )
        continue
      }
      this.bytes += name.length + 4
      kept[name] = this.read(value[name], name)
    }
    out.properties = kept
    this.bytes += 16
  }

  private readInner(keyword: string, value: unknown, { out }: Context): undefined {
    if (Array.isArray(value)) return this.noteLoss(keyword, 'is a list', undefined)
    this.write(out, keyword, this.read(value, keyword))
  }

  private readBranches(
    keyword: string,
    value: unknown,
    { schema, out, hidden }: Context,
  ): undefined {
    if (!Array.isArray(value) || value.length === 0)
      return this.noteLoss(keyword, 'is not a list of schemas', undefined)
    const branches = value.map((one, index) => this.readBranch(one, `${keyword}/${index}`, hidden))
    const discriminator =
      keyword === 'allOf' || this.direction === 'output'
        ? undefined
        : ownRecord(schema, 'discriminator')
    const named =
      discriminator === undefined ? branches : restrictBranches(branches, value, discriminator)
    if (named !== branches) this.countAdded(named.length * 3, named.length * 60)
    // Real answers often match two branches: a warning for each would not help.
    this.write(out, keyword === 'oneOf' && this.direction === 'output' ? 'anyOf' : keyword, named)
  }

  // If one part of an allOf hides a field, no other part may require or show it.
  private readBranch(schema: unknown, step: string, hidden: ReadonlySet<string>): Schema {
    const readReference = ownText(schema, '$ref')
    if (
      hidden.size === 0 ||
      readReference === undefined ||
      this.failureOf(readReference) !== undefined
    )
      return this.readAtSamePoint(schema, step, hidden)
    const target = this.library.target(readReference)
    const readRequired = own(target, 'required')
    const asks = Array.isArray(readRequired) && readRequired.some((name) => hidden.has(name))
    const shows = Object.keys(ownRecord(target, 'properties') ?? {}).some((name) =>
      hidden.has(name),
    )
    return this.readAtSamePoint(asks || shows ? target : schema, step, hidden)
  }

  private readLeaf(keyword: string, value: unknown, { out }: Context): undefined {
    if (LEAVES.get(keyword)?.(value) === true) return this.write(out, keyword, value)
    this.noteLoss(keyword, 'has an invalid value', undefined)
  }

  private readPatternProperties(value: unknown, { out }: Context): undefined {
    if (!isRecord(value)) return this.noteLoss('patternProperties', 'is not an object', undefined)
    const names = Object.keys(value)
    if (!names.every(isNamePattern))
      return this.noteLoss(
        'patternProperties',
        'has a pattern that cannot run in linear time',
        undefined,
      )
    this.write(
      out,
      'patternProperties',
      Object.fromEntries(names.map((name) => [name, this.read(value[name], name)])),
    )
  }

  private readDependentRequired(value: unknown, { out, hidden }: Context): undefined {
    const isNames = (names: unknown): names is string[] =>
      Array.isArray(names) && names.every((name) => typeof name === 'string' && isUsableName(name))
    const entries = Object.entries(isRecord(value) ? value : {}).flatMap(([name, names]) =>
      isUsableName(name) && isNames(names)
        ? [[name, [...new Set(names)].filter((one) => !hidden.has(one))] as const]
        : [],
    )
    if (entries.length > 0) this.write(out, 'dependentRequired', Object.fromEntries(entries))
  }

  private readDependentSchemas(value: unknown, { out, hidden }: Context): undefined {
    const entries = Object.entries(isRecord(value) ? value : {}).filter(([name]) =>
      isUsableName(name),
    )
    if (entries.length === 0) return
    this.write(
      out,
      'dependentSchemas',
      Object.fromEntries(
        entries.map(([name, one]) => [name, this.readAtSamePoint(one, name, hidden)]),
      ),
    )
  }

  private annotate(schema: Fields, out: Out): undefined {
    const { description, examples } = readAnnotations(schema, this.direction)
    if (description !== undefined) this.write(out, 'description', description)
    if (examples !== undefined) this.write(out, 'examples', examples)
  }

  // In OpenAPI 3.0 `exclusiveMinimum` is a boolean beside `minimum`; in 3.1 it is the number
  // itself.
  private readBounds(schema: Fields, out: Out): undefined {
    for (const [exclusive, plain] of [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum'],
    ] as const) {
      const value = own(schema, exclusive)
      if (typeof value === 'number' && Number.isFinite(value)) this.write(out, exclusive, value)
      if (value !== true || typeof out[plain] !== 'number') continue
      this.write(out, exclusive, out[plain])
      delete out[plain]
    }
  }

  private addNull(out: Out): JsonSchema {
    this.bytes += 30
    const wider = withNull(out)
    if (wider === out) return out
    this.countAdded(2, 0)
    return wider
  }

  // Counts schemas that are added around those of the document.
  private countAdded(count: number, bytes: number): undefined {
    this.count += count
    this.bytes += bytes
    if (this.spot !== undefined) this.spot.own += count
  }

  private write(out: Out, keyword: string, value: unknown): undefined {
    out[keyword] = value
    // Nested schemas have already been counted.
    this.bytes +=
      keyword.length +
      5 +
      (typeof value === 'string'
        ? value.length
        : isLeafValue(keyword)
          ? JSON.stringify(value).length
          : 0)
  }

  private countBytes<T>(value: T, bytes: number): T {
    this.bytes += bytes
    return value
  }

  private noteLoss<T>(step: string, what: string, instead: T): T {
    // There may be many losses; the first ones are enough.
    if (this.losses.length < 20)
      this.losses.push({
        place: clipVisible(`${this.place}/${step}`, 200),
        what: clipVisible(what, 200),
      })
    return instead
  }

  private get place(): string {
    return this.path.join('/')
  }

  /** Whether a field is readOnly in an input or writeOnly in an output. */
  isHidden(schema: unknown): boolean {
    return isHidden(schema, { library: this.library, direction: this.direction })
  }

  /** The target of a reference, or the schema itself. */
  resolve(schema: unknown): unknown {
    const reference = ownText(schema, '$ref')
    return reference === undefined || this.failureOf(reference) !== undefined
      ? schema
      : this.library.target(reference)
  }
}

type Context = { readonly schema: Fields; readonly out: Out; readonly hidden: ReadonlySet<string> }
