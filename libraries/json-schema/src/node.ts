import type { Pattern } from './patterns.ts'
import { rulesOf } from './rules.ts'
import type { Run } from './run.ts'
import { hasSubschemas, listed, member, named, type Source, single } from './source.ts'
import type { Spot } from './spot.ts'
import type { Survey } from './survey.ts'

/** Looks at one keyword, or at a few that belong together. */
export type Rule = (spot: Spot, run: Run) => void

/** One subschema, with its parts and rules made when they are first needed. */
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
    this.madeRules ??= rulesOf(this)
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

/** The subschemas of a subschema, by what they are for. */
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

/** A default that was found to fit, and how much work that was. */
export type Default = { readonly value: unknown; readonly steps: number }

/** All nodes of one schema. */
export class Graph {
  readonly survey: Survey
  readonly defaults = new Map<SchemaNode, Default | undefined>()
  private readonly nodes = new Map<Source, SchemaNode>()

  constructor(survey: Survey) {
    this.survey = survey
  }

  get root(): SchemaNode {
    return this.node(this.survey.root)
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
  const targets = (graph.survey.targets.get(source) ?? []).map((target) => graph.node(target))
  if (!hasSubschemas(source)) return targets.length === 0 ? NO_PARTS : { ...NO_PARTS, targets }
  const node = (inner: Source | undefined) => (inner === undefined ? undefined : graph.node(inner))
  const list = (keyword: string) => listed(source, keyword).map((inner) => graph.node(inner))
  const map = (keyword: string) =>
    named(source, keyword).map(([name, inner]) => [name, graph.node(inner)] as const)
  // draft 7 wrote the first items as a list, and the others as additionalItems
  const isOldTuple = Array.isArray(member(source, 'items'))
  return {
    targets,
    allOf: list('allOf'),
    anyOf: list('anyOf'),
    oneOf: list('oneOf'),
    not: node(single(source, 'not')),
    condition: node(single(source, 'if')),
    whenMet: node(single(source, 'then')),
    whenNotMet: node(single(source, 'else')),
    dependents: new Map([...map('dependentSchemas'), ...map('dependencies')]),
    properties: new Map(map('properties')),
    patternProperties: map('patternProperties').map(([name, inner]) => [
      patternOf(name, graph),
      inner,
    ]),
    additionalProperties: node(single(source, 'additionalProperties')),
    unevaluatedProperties: node(single(source, 'unevaluatedProperties')),
    propertyNames: node(single(source, 'propertyNames')),
    prefixItems: isOldTuple ? list('items') : list('prefixItems'),
    items: node(isOldTuple ? single(source, 'additionalItems') : single(source, 'items')),
    unevaluatedItems: node(single(source, 'unevaluatedItems')),
    contains: node(single(source, 'contains')),
  }
}

// the survey has refused names whose pattern can't run
function patternOf(source: string, graph: Graph): Pattern {
  const pattern = graph.survey.patterns.get(source)
  if (pattern === undefined) throw new Error(`The pattern ${source} was not surveyed.`)
  return pattern
}
