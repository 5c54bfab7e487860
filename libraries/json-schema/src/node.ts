import type { SchemaAnalysis } from './analyze-schema.ts'
import type { Evaluation } from './evaluation.ts'
import { inPlaceRules } from './in-place-rules.ts'
import {
  itemRules,
  memberRules,
  unevaluatedItems,
  unevaluatedMembers,
} from './array-and-object-rules.ts'
import type { Pattern } from './patterns.ts'
import type { Run } from './run.ts'
import {
  hasSubschemas,
  listSubschemas,
  member,
  namedSubschemas,
  type Source,
  singleSubschema,
} from './source.ts'
import { valueRules } from './value-rules.ts'

/** Checks one keyword, or a few that belong together. */
export type Rule = (evaluation: Evaluation, run: Run) => void

/** One subschema. Its parts and rules are created on first use. */
export class SchemaNode {
  readonly source: Source
  readonly graph: Graph
  private madeRules: readonly Rule[] | undefined
  private madeParts: Parts | undefined

  constructor(source: Source, graph: Graph) {
    this.source = source
    this.graph = graph
  }

  get rules(): readonly Rule[] {
    this.madeRules ??= createRules(this)
    return this.madeRules
  }

  get parts(): Parts {
    this.madeParts ??= partsOf(this.source, this.graph)
    return this.madeParts
  }

  keyword(name: string): unknown {
    return member(this.source, name)
  }
}

/** The subschemas of a subschema, by purpose. */
export type Parts = {
  readonly targets: readonly SchemaNode[]
  readonly allOf: readonly SchemaNode[]
  readonly anyOf: readonly SchemaNode[]
  readonly oneOf: readonly SchemaNode[]
  readonly not: SchemaNode | undefined
  readonly condition: SchemaNode | undefined
  readonly whenMet: SchemaNode | undefined
  readonly whenNotMet: SchemaNode | undefined
  readonly dependents: ReadonlyMap<string, SchemaNode>
  readonly properties: ReadonlyMap<string, SchemaNode>
  readonly patternProperties: readonly (readonly [Pattern, SchemaNode])[]
  readonly additionalProperties: SchemaNode | undefined
  readonly unevaluatedProperties: SchemaNode | undefined
  readonly propertyNames: SchemaNode | undefined
  readonly prefixItems: readonly SchemaNode[]
  readonly items: SchemaNode | undefined
  readonly unevaluatedItems: SchemaNode | undefined
  readonly contains: SchemaNode | undefined
}

/** A default that matches its schema, and the steps that filling it took. */
export type Default = { readonly value: unknown; readonly steps: number }

/** All nodes of one schema. */
export class Graph {
  readonly analysis: SchemaAnalysis
  readonly defaults = new Map<SchemaNode, Default | undefined>()
  private readonly nodes = new Map<Source, SchemaNode>()

  constructor(survey: SchemaAnalysis) {
    this.analysis = survey
  }

  get root(): SchemaNode {
    return this.node(this.analysis.root)
  }

  node(source: Source): SchemaNode {
    const known = this.nodes.get(source)
    if (known !== undefined) return known
    const node = new SchemaNode(source, this)
    this.nodes.set(source, node)
    return node
  }
}

const NO_PARTS: Parts = {
  targets: [],
  allOf: [],
  anyOf: [],
  oneOf: [],
  not: undefined,
  condition: undefined,
  whenMet: undefined,
  whenNotMet: undefined,
  dependents: new Map(),
  properties: new Map(),
  patternProperties: [],
  additionalProperties: undefined,
  unevaluatedProperties: undefined,
  propertyNames: undefined,
  prefixItems: [],
  items: undefined,
  unevaluatedItems: undefined,
  contains: undefined,
}

function partsOf(source: Source, graph: Graph): Parts {
  const targets = (graph.analysis.targets.get(source) ?? []).map((target) => graph.node(target))
  if (!hasSubschemas(source)) return targets.length === 0 ? NO_PARTS : { ...NO_PARTS, targets }
  const node = (inner: Source | undefined) => (inner === undefined ? undefined : graph.node(inner))
  const list = (keyword: string) =>
    listSubschemas(source, keyword).map((inner) => graph.node(inner))
  const map = (keyword: string) =>
    namedSubschemas(source, keyword).map(([name, inner]) => [name, graph.node(inner)] as const)
  // Draft 7 uses a list in `items` for the first items, and `additionalItems` for the others.
  const isOldTuple = Array.isArray(member(source, 'items'))
  return {
    targets,
    allOf: list('allOf'),
    anyOf: list('anyOf'),
    oneOf: list('oneOf'),
    not: node(singleSubschema(source, 'not')),
    condition: node(singleSubschema(source, 'if')),
    whenMet: node(singleSubschema(source, 'then')),
    whenNotMet: node(singleSubschema(source, 'else')),
    dependents: new Map([...map('dependentSchemas'), ...map('dependencies')]),
    properties: new Map(map('properties')),
    patternProperties: map('patternProperties').map(([name, inner]) => [
      patternOf(name, graph),
      inner,
    ]),
    additionalProperties: node(singleSubschema(source, 'additionalProperties')),
    unevaluatedProperties: node(singleSubschema(source, 'unevaluatedProperties')),
    propertyNames: node(singleSubschema(source, 'propertyNames')),
    prefixItems: isOldTuple ? list('items') : list('prefixItems'),
    items: node(
      isOldTuple ? singleSubschema(source, 'additionalItems') : singleSubschema(source, 'items'),
    ),
    unevaluatedItems: node(singleSubschema(source, 'unevaluatedItems')),
    contains: node(singleSubschema(source, 'contains')),
  }
}

// The analysis has refused patterns that cannot run.
function patternOf(source: string, graph: Graph): Pattern {
  const pattern = graph.analysis.patterns.get(source)
  if (pattern === undefined) throw new Error(`The pattern ${source} was not analyzed.`)
  return pattern
}

/**
 * The rules of a subschema in evaluation order: cheap ones first, those that need the results of
 * others last.
 */
export function createRules(node: SchemaNode): readonly Rule[] {
  if (node.source === true) return []
  if (node.source === false)
    return [(evaluation) => evaluation.fault('value', () => 'is not allowed here')]
  return [
    ...valueRules(node),
    ...inPlaceRules(node),
    ...memberRules(node),
    ...itemRules(node),
    ...unevaluatedMembers(node),
    ...unevaluatedItems(node),
  ]
}
