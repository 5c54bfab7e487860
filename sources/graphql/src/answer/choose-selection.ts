import type { JsonSchema } from '@surehand/core/internal'
import { nullable } from '../input/nullable.ts'
import { scalarSchema } from '../input/scalar-schema.ts'
import {
  type Composite,
  type Field,
  nameOf,
  type SchemaModel,
  type TypeReference,
  typeText,
  type Union,
} from '../schema/schema-model.ts'
import { type Draft, type SelectedField, type Selection, TYPENAME, weightOf } from './selection.ts'
import { createPlans, type TypePlan } from './type-plan.ts'

export type SelectionLimits = { readonly maxDepth: number; readonly maxCost: number }
export type Chooser = SelectionLimits & {
  readonly model: SchemaModel
  readonly planOf: (type: Composite) => TypePlan
}
export type Chosen = {
  readonly fields: readonly Draft[]
  readonly count: number
  readonly notes: readonly string[]
}

/** A value whose fields are still to be chosen. */
type Open = {
  readonly fields: Draft[]
  readonly type: Composite | Union
  readonly depth: number
  readonly weight: number
  /**
   * The types around this value and its own: a type that is already in the trail is not expanded
   * again.
   */
  readonly trail: readonly string[]
}

const NESTED_LEAVES = 10
const FRAGMENT_LEAVES = 6
const FRAGMENT_TYPES = 24
// Alternatives cost little in the answer, but all of them are written into the document.
const FIELDS_PER_COST = 2

export function createChooser(model: SchemaModel, limits: SelectionLimits): Chooser {
  return { ...limits, model, planOf: createPlans(model) }
}

/**
 * Selects fields of a value: its own scalars first, then those of nested objects, nearest first,
 * until the budget is spent.
 */
export function chooseSelection(type: TypeReference, chooser: Chooser): Chosen {
  return new SelectionBuilder(chooser).choose(type)
}

// Spends one budget over a tree that grows level by level.
class SelectionBuilder {
  private readonly chooser: Chooser
  private readonly queue: Open[] = []
  private readonly notes = new Set<string>()
  private cost: number
  private room: number

  constructor(chooser: Chooser) {
    this.chooser = chooser
    this.cost = chooser.maxCost
    this.room = chooser.maxCost * FIELDS_PER_COST
  }

  choose(type: TypeReference): Chosen {
    const definition = this.chooser.model.types.get(nameOf(type))
    if (
      definition === undefined ||
      definition.kind === 'scalar' ||
      definition.kind === 'enum' ||
      definition.kind === 'input'
    )
      return { fields: [], count: 0, notes: [] }
    const fields: Draft[] = []
    this.queue.push({
      fields,
      type: definition,
      depth: 0,
      weight: weightOf(type),
      trail: [definition.name],
    })
    for (let index = 0; index < this.queue.length; index++) {
      const open = this.queue[index]
      if (open !== undefined) this.expand(open)
    }
    const kept = withoutEmpty(fields)
    const count = this.chooser.maxCost * FIELDS_PER_COST - this.room
    return { fields: kept.length === 0 ? [TYPENAME] : kept, count, notes: [...this.notes] }
  }

  private expand(open: Open): void {
    if (open.type.kind !== 'object') {
      if (!this.take(open.weight)) return
      open.fields.push(TYPENAME)
    }
    if (open.type.kind !== 'union') this.own(open, this.chooser.planOf(open.type))
    if (open.type.kind !== 'object') this.fragments(open, open.type)
  }

  private own(open: Open, plan: TypePlan): void {
    const leaves = open.depth === 0 ? plan.leaves : plan.leaves.slice(0, NESTED_LEAVES)
    for (const leaf of leaves)
      if (this.take(open.weight * weightOf(leaf.type))) open.fields.push(toDraft(leaf, undefined))
    // The items of a page count as the same level as the page.
    for (const field of plan.nested)
      this.follow(
        field,
        { ...open, depth: plan.isConnection ? open.depth - 1 : open.depth },
        undefined,
      )
  }

  private follow(field: Field, open: Open, on: string | undefined): void {
    const name = nameOf(field.type)
    const type = this.chooser.model.types.get(name)
    if (type?.kind !== 'object' && type?.kind !== 'interface' && type?.kind !== 'union') return
    if (open.depth + 1 > this.chooser.maxDepth || open.trail.includes(name) || this.room <= 0)
      return
    this.room--
    const draft = { ...toDraft(field, on), fields: [] }
    open.fields.push(draft)
    // An edge is only a wrapper between a page and its item.
    const isEdge = field.name === 'edges' && type.kind === 'object'
    this.queue.push({
      fields: draft.fields,
      type,
      depth: open.depth + (isEdge ? 0 : 1),
      weight: open.weight * weightOf(field.type),
      trail: [...open.trail, name],
    })
  }

  private fragments(open: Open, type: Composite | Union): void {
    const possible = this.chooser.model.possible.get(type.name) ?? []
    if (possible.length > FRAGMENT_TYPES) {
      this.notes.add(
        `${type.name} can be ${possible.length} types: only the fields that all of them share are selected.`,
      )
      return
    }
    const shared = new Set(type.kind === 'union' ? [] : type.fields.map(({ name }) => name))
    // The answer contains one of them, so the largest one counts.
    const affordable = Math.min(FRAGMENT_LEAVES, Math.floor(this.cost / open.weight))
    let most = 0
    for (const name of possible) {
      const member = this.chooser.model.types.get(name)
      if (member?.kind !== 'object' || open.trail.includes(name)) continue
      const plan = this.chooser.planOf(member)
      const leaves = plan.leaves
        .filter((leaf) => !shared.has(leaf.name) && weightOf(leaf.type) === 1)
        .slice(0, Math.min(affordable, this.room))
      open.fields.push(...leaves.map((leaf) => toDraft(leaf, name)))
      this.room -= leaves.length
      most = Math.max(most, leaves.length)
      // Alternatives within alternatives are seldom useful, so they are not expanded.
      for (const field of open.depth > 0 ? [] : plan.nested) {
        if (!shared.has(field.name))
          this.follow(field, { ...open, trail: [...open.trail, name] }, name)
      }
    }
    this.cost -= most * open.weight
  }

  private take(weight: number): boolean {
    if (this.cost < weight || this.room <= 0) return false
    this.cost -= weight
    this.room--
    return true
  }
}

function toDraft({ name, type }: Field, on: string | undefined): Draft {
  return { name, type, on, fields: undefined }
}

// An empty selection is not valid in a document.
function withoutEmpty(fields: readonly Draft[]): readonly Draft[] {
  return fields.flatMap((draft) => {
    if (draft.fields === undefined) return [draft]
    const kept = withoutEmpty(draft.fields)
    return kept.length === 0 ? [] : [{ ...draft, fields: [...kept] }]
  })
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Finishes a selection for sending: fields of different types that would collide in the answer get
 * aliases.
 */
export function finishSelection(drafts: readonly Draft[]): Selection {
  const contested = findConflictingNames(drafts)
  const taken =
    contested.size === 0
      ? undefined
      : new Set(drafts.flatMap(({ name }) => (contested.has(name) ? [] : [name])))
  return drafts.map((draft): SelectedField => {
    const { name, on, fields } = draft
    const alias =
      on !== undefined && taken !== undefined && contested.has(name)
        ? freeName(`${on}__${name}`, taken)
        : undefined
    return {
      name,
      ...(alias === undefined ? {} : { alias }),
      ...(on === undefined ? {} : { on }),
      ...(fields === undefined ? {} : { fields: finishSelection(fields) }),
    }
  })
}

// GraphQL allows the same name in two fragments only for scalars of the same type.
function findConflictingNames(drafts: readonly Draft[]): ReadonlySet<string> {
  if (drafts.every(({ on }) => on === undefined)) return NONE
  const groups = Map.groupBy(drafts, ({ name }) => name)
  const isContested = (group: readonly Draft[]): boolean =>
    group.length > 1 &&
    (group.some(({ fields }) => fields !== undefined) ||
      new Set(group.map(({ type }) => typeText(type))).size > 1)
  return new Set([...groups].flatMap(([name, group]) => (isContested(group) ? [name] : [])))
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted
  for (let index = 2; taken.has(name); index++) name = `${wanted}_${index}`
  taken.add(name)
  return name
}

/** The schema of what a selection returns. Nothing in it is required: a caller may select less. */
export function outputSchema(
  type: TypeReference,
  fields: readonly Draft[] | undefined,
  model: SchemaModel,
): JsonSchema {
  switch (type.kind) {
    case 'nonNull':
      return nonNullSchema(type.of, fields, model)
    case 'list':
    case 'named':
      return nullable(nonNullSchema(type, fields, model))
  }
}

function nonNullSchema(
  type: TypeReference,
  fields: readonly Draft[] | undefined,
  model: SchemaModel,
): JsonSchema {
  if (type.kind === 'list') return { type: 'array', items: outputSchema(type.of, fields, model) }
  if (fields !== undefined) return { type: 'object', properties: propertiesOf(fields, model) }
  const definition = model.types.get(nameOf(type))
  if (definition?.kind === 'enum') return { type: 'string' }
  const schema = definition?.kind === 'scalar' ? scalarSchema(definition) : undefined
  // Formats are left out: servers write dates in their own ways.
  return typeof schema?.type === 'string' ? { type: schema.type } : {}
}

function propertiesOf(fields: readonly Draft[], model: SchemaModel): JsonSchema {
  const properties = new Map<string, JsonSchema>()
  for (const draft of fields) {
    const schema = outputSchema(draft.type, draft.fields, model)
    const other = properties.get(draft.name)
    // Alternatives with different schemas: any value is accepted.
    const isOne = other === undefined || JSON.stringify(other) === JSON.stringify(schema)
    properties.set(draft.name, isOne ? schema : {})
  }
  return Object.fromEntries(properties)
}
