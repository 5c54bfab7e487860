import {
  type Composite,
  type Field,
  nameOf,
  type SchemaModel,
  type TypeReference,
  type Union,
} from '../schema/schema-model.ts'
import { type Draft, TYPENAME, weightOf } from './selection.ts'
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
