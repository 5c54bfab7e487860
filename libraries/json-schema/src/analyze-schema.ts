import { isRecord } from '@surehand/core/internal'
import { BOUNDS, refuseSchema } from './bounds.ts'
import type { Pattern, Patterns } from './patterns.ts'
import {
  isHolder,
  isSource,
  LIST_KEYWORDS,
  MAP_KEYWORDS,
  member,
  SCHEMA_KEYWORDS,
  type Source,
} from './source.ts'
import { checkBranching, isLeaf, leafProblem } from './well-formed.ts'

/** A part of a schema that could not be kept. */
export type Loss = { readonly path: string; readonly keyword: 'pattern'; readonly reason: string }

/** The result of checking a schema: it is within bounds, and all its references resolve. */
export type SchemaAnalysis = {
  readonly root: Source
  readonly targets: ReadonlyMap<Source, readonly Source[]>
  readonly patterns: ReadonlyMap<string, Pattern>
  readonly hasDefaults: boolean
  /**
   * Whether removing unknown keys can make a valid value invalid: the schema has `not`, `oneOf`,
   * counts of fields or the like.
   */
  readonly shrinkingMayInvalidate: boolean
}

export type AnalysisOptions = {
  readonly patterns: Patterns
  readonly onLoss?: (loss: Loss) => void
}

type Place = { readonly source: unknown; readonly path: string; readonly depth: number }
type Reference = { readonly from: Source; readonly text: string; readonly path: string }

const DELICATE = new Set([
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'if',
  'maxProperties',
  'minProperties',
  'not',
  'oneOf',
  'propertyNames',
  'uniqueItems',
])
// Keywords where a wider subschema makes the whole schema narrower.
const NARROWING = new Set(['if', 'maxContains', 'not', 'oneOf'])

/**
 * Visits the whole schema once and refuses anything that could not be validated in bounded time.
 */
export function analyzeSchema(root: Source, options: AnalysisOptions): SchemaAnalysis {
  const surveyor = new SchemaAnalyzer(root, options)
  surveyor.walk({ source: root, path: '#', depth: 1 })
  surveyor.resolve()
  surveyor.checkBranching()
  surveyor.settlePatterns()
  return surveyor
}

// Mutable while the schema is visited; only the finished analysis leaves it.
class SchemaAnalyzer implements SchemaAnalysis {
  readonly root: Source
  readonly targets = new Map<Source, Source[]>()
  readonly patterns = new Map<string, Pattern>()
  hasDefaults = false
  shrinkingMayInvalidate = false
  private isContrary = false
  private readonly options: AnalysisOptions
  private readonly seen = new Map<Source, string>()
  private readonly anchors = new Map<string, Source>()
  private readonly references: Reference[] = []
  private readonly unusable: Loss[] = []
  private count = 0
  private patternSizes = 0

  constructor(root: Source, options: AnalysisOptions) {
    this.root = root
    this.options = options
  }

  walk({ source, path, depth }: Place): void {
    if (++this.count > BOUNDS.subschemas)
      throw refuseSchema(path, `is one subschema too many: ${BOUNDS.subschemas} are allowed`)
    if (depth > BOUNDS.depth) throw refuseSchema(path, `is nested deeper than ${BOUNDS.depth}`)
    if (typeof source === 'boolean') return
    if (!isRecord(source)) throw refuseSchema(path, 'must be a schema: an object, true or false')
    this.seen.set(source, path)
    if (depth > 1 && typeof member(source, '$id') === 'string')
      throw refuseSchema(
        `${path}/$id`,
        'begins a document of its own within this one, which is not supported',
      )
    for (const keyword of Object.keys(source)) {
      // Most members of a document are titles and descriptions.
      if (isKeyword(keyword)) this.keyword(keyword, { source, path: `${path}/${keyword}`, depth })
    }
  }

  private keyword(
    keyword: string,
    { source, path, depth }: Place & { readonly source: Source },
  ): void {
    const value = member(source, keyword)
    const problem = leafProblem(keyword, value)
    if (problem !== undefined) throw refuseSchema(path, problem)
    if (keyword === 'default') this.hasDefaults = true
    if (DELICATE.has(keyword) || holdsObjects(keyword, value)) this.shrinkingMayInvalidate = true
    if (NARROWING.has(keyword)) this.isContrary = true
    if (keyword === 'pattern') this.pattern(String(value), path)
    if (keyword === '$anchor' || keyword === '$dynamicAnchor')
      this.anchor(String(value), source, path)
    // Within one document a dynamic reference can only lead to the one anchor of its name.
    if (keyword === '$ref' || keyword === '$dynamicRef')
      this.references.push({ from: source, text: String(value), path })
    for (const inner of subschemas(keyword, value, path))
      this.inner(keyword, { ...inner, depth: depth + 1 })
  }

  private inner(keyword: string, place: Place & { readonly name: string }): void {
    if (keyword === 'properties' && place.name === '__proto__')
      throw refuseSchema(place.path, 'names a field "__proto__"')
    if (keyword === 'patternProperties') this.namePattern(place.name, place.path)
    this.walk(place)
  }

  private anchor(name: string, source: Source, path: string): void {
    const other = this.anchors.get(name)
    if (other !== undefined && other !== source)
      throw refuseSchema(path, `uses the anchor "${name}" a second time`)
    this.anchors.set(name, source)
  }

  private pattern(text: string, path: string): void {
    if (this.patterns.has(text)) return
    try {
      this.take(text)
    } catch (cause) {
      this.unusable.push({
        path,
        keyword: 'pattern',
        reason: cause instanceof Error ? cause.message : String(cause),
      })
    }
  }

  private namePattern(text: string, path: string): void {
    if (this.patterns.has(text)) return
    try {
      this.take(text)
    } catch (cause) {
      throw refuseSchema(path, cause instanceof Error ? cause.message : String(cause))
    }
  }

  private take(text: string): void {
    const pattern = this.options.patterns.of(text)
    this.patternSizes += pattern.size
    if (this.patternSizes > BOUNDS.patternSizes)
      throw new Error('is one pattern too many for this schema')
    this.patterns.set(text, pattern)
  }

  /**
   * Follows every reference. Targets may be outside known keywords and contain references
   * themselves.
   */
  resolve(): void {
    for (const { from, text, path } of this.references) {
      const target = this.target(text)
      if (!isSource(target))
        throw refuseSchema(path, `refers to "${text.slice(0, 200)}", which is not in this document`)
      this.targets.set(from, [...(this.targets.get(from) ?? []), target])
      if (typeof target === 'object' && !this.seen.has(target))
        this.walk({ source: target, path: text, depth: 2 })
    }
  }

  checkBranching(): void {
    checkBranching(this.seen, this.targets)
  }

  private target(text: string): unknown {
    if (text === '#' || text.startsWith('#/')) return resolvePointer(this.root, text.slice(1))
    return text.startsWith('#') ? this.anchors.get(text.slice(1)) : undefined
  }

  /**
   * Compiles all patterns. One that cannot run is left out and reported, but only where that makes
   * the schema wider.
   */
  settlePatterns(): void {
    const [first] = this.unusable
    if (first === undefined) return
    const { onLoss } = this.options
    if (onLoss === undefined || this.isContrary) throw refuseSchema(first.path, first.reason)
    for (const loss of this.unusable) onLoss(loss)
  }
}

type Inner = { readonly source: unknown; readonly path: string; readonly name: string }

function subschemas(keyword: string, value: unknown, path: string): readonly Inner[] {
  if (!isHolder(keyword)) return []
  if (keyword === 'items')
    return Array.isArray(value) ? fromList(value, path) : [{ source: value, path, name: '' }]
  if (SCHEMA_KEYWORDS.includes(keyword)) return [{ source: value, path, name: '' }]
  if (LIST_KEYWORDS.includes(keyword)) {
    if (!Array.isArray(value) || value.length === 0)
      throw refuseSchema(path, 'must be a list of schemas')
    return fromList(value, path)
  }
  if (MAP_KEYWORDS.includes(keyword)) return fromMap(value, path)
  // Draft 7: `dependencies` mixes lists of names and schemas.
  return fromMap(value, path).filter(({ source }) => !Array.isArray(source))
}

function fromList(value: readonly unknown[], path: string): readonly Inner[] {
  return value.map((source, index) => ({ source, path: `${path}/${index}`, name: String(index) }))
}

function fromMap(value: unknown, path: string): readonly Inner[] {
  if (!isRecord(value)) throw refuseSchema(path, 'must be an object of schemas')
  return Object.entries(value).map(([name, source]) => ({
    source,
    path: `${path}/${escapeStep(name)}`,
    name,
  }))
}

// An enum of texts and numbers does not constrain objects.
function holdsObjects(keyword: string, value: unknown): boolean {
  if (keyword === 'const') return typeof value === 'object' && value !== null
  return (
    keyword === 'enum' &&
    Array.isArray(value) &&
    value.some((one) => typeof one === 'object' && one !== null)
  )
}

function isKeyword(name: string): boolean {
  return isHolder(name) || isLeaf(name) || name === 'default' || name === 'const'
}

function escapeStep(step: string): string {
  if (!step.includes('/') && !step.includes('~')) return step
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Resolves a JSON Pointer (RFC 6901, as a URI fragment) through own members only. */
function resolvePointer(root: unknown, pointer: string): unknown {
  let current = root
  for (const step of pointer.split('/').slice(1)) {
    const name = decodeStep(step)
    if (
      name === undefined ||
      typeof current !== 'object' ||
      current === null ||
      !Object.hasOwn(current, name)
    )
      return undefined
    current = (current as Readonly<Record<string, unknown>>)[name]
  }
  return current
}

function decodeStep(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined // a % that encodes nothing leads nowhere
  }
}
