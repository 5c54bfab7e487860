import {
  type Composite,
  type Field,
  nameOf,
  type SchemaModel,
  type TypeReference,
  type Union,
} from '../schema/schema-model.ts'
import { type Draft, LIST_WEIGHT, TYPENAME, weightOf } from './selection.ts'
import {
  createPlans,
  findAmount,
  isErrorLeaf,
  isErrorList,
  isPaged,
  type TypePlan,
  takesFirst,
} from './type-plan.ts'

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
  /** What was asked for: the items of a page, the object that a mutation changed. */
  readonly role: 'main' | 'part' | 'errors'
  /** Leaves that are added when every object has its telling ones. */
  rest: readonly Field[]
}

/** `answer`: what a caller gets without asking. `offered`: what a caller may ask for. */
export type SelectionSize = 'answer' | 'offered'

const TELLING_LEAVES = { main: 14, part: 3 }
const NESTED_LEAVES = 10
// What a caller may ask for is bounded as well: it is stored for every operation.
const OFFERED_COST = 6
const OFFERED_FIELDS = 300
const FRAGMENT_LEAVES = 6
const FRAGMENT_TYPES = 24
// Alternatives cost little in the answer, but all of them are written into the document.
const FIELDS_PER_COST = 2

export function createChooser(model: SchemaModel, limits: SelectionLimits): Chooser {
  return { ...limits, model, planOf: createPlans(model) }
}

/**
 * Selects fields of a value by their use: first what tells which object it is and how it stands,
 * and the same of its parts, nearest first; then further fields, until the budget is spent. The
 * object that a mutation returns comes before its errors.
 */
export function chooseSelection(
  type: TypeReference,
  chooser: Chooser,
  { kind, size = 'answer' }: { readonly kind: 'query' | 'mutation'; readonly size?: SelectionSize },
): Chosen {
  const { maxCost } = chooser
  const limits = size === 'offered' ? { ...chooser, maxCost: maxCost * OFFERED_COST } : chooser
  const room = size === 'offered' ? OFFERED_FIELDS : maxCost * FIELDS_PER_COST
  return new SelectionBuilder(limits, kind, room).choose(type)
}

// Spends one budget over a tree that grows level by level.
class SelectionBuilder {
  private readonly chooser: Chooser
  private readonly queue: Open[] = []
  private readonly notes = new Set<string>()
  private readonly kind: 'query' | 'mutation'
  private cost: number
  private room: number

  constructor(chooser: Chooser, kind: 'query' | 'mutation', room: number) {
    this.chooser = chooser
    this.kind = kind
    this.cost = chooser.maxCost
    this.room = room
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
      role: 'main',
      rest: [],
    })
    // What tells the objects of a level comes before the parts of any of them: the parts of an
    // order must not use up what its refund needs.
    for (let start = 0; start < this.queue.length; ) {
      const level = this.queue.slice(start)
      start = this.queue.length
      for (const open of level) this.takeTelling(open)
      for (const open of level) this.expand(open)
    }
    for (const open of this.queue) this.takeLeaves(open, open.rest)
    const kept = withoutEmpty(fields)
    const count = countFields(kept)
    return { fields: kept.length === 0 ? [TYPENAME] : kept, count, notes: [...this.notes] }
  }

  private takeTelling(open: Open): void {
    if (open.type.kind !== 'object') {
      if (!this.take(open.weight)) return
      open.fields.push(TYPENAME)
    }
    if (open.type.kind === 'union') return
    const { leaves, telling } = leavesFor(open, this.chooser.planOf(open.type))
    this.takeLeaves(open, leaves.slice(0, telling))
    open.rest = leaves.slice(telling)
  }

  private expand(open: Open): void {
    if (open.type.kind !== 'union') this.followParts(open, this.chooser.planOf(open.type))
    if (open.type.kind !== 'object') this.fragments(open, open.type)
  }

  private followParts(open: Open, plan: TypePlan): void {
    const isResult = this.kind === 'mutation' && open === this.queue[0]
    const objects = plan.nested.filter((field) => !isErrorList(field))
    const guarded = plan.guarded.filter((field) =>
      isPaged(field) ? takesFirst(field) && objects.length === 0 : true,
    )
    // The items of a page count as the same level as the page, and so do the parts of an object
    // that has no values of its own.
    const isWrapper = plan.isConnection || (!isResult && plan.leaves.length === 0)
    for (const field of [...(isResult ? guarded : []), ...plan.nested])
      this.follow(
        field,
        { ...open, depth: isWrapper ? open.depth - 1 : open.depth },
        { role: this.roleOf(field, open, plan) },
      )
  }

  private takeLeaves(open: Open, leaves: readonly Field[]): void {
    for (const leaf of leaves)
      if (this.take(open.weight * weightOf(leaf.type))) open.fields.push(toDraft(leaf, undefined))
  }

  private roleOf(field: Field, open: Open, { isConnection }: TypePlan): Open['role'] {
    if (isErrorList(field)) return 'errors'
    const isWrapped = isConnection || (this.kind === 'mutation' && open === this.queue[0])
    return open.role === 'main' && isWrapped && field.name !== 'pageInfo' ? 'main' : 'part'
  }

  private follow(
    field: Field,
    open: Open,
    { role, on }: { readonly role: Open['role']; readonly on?: string },
  ): void {
    const name = nameOf(field.type)
    const type = this.chooser.model.types.get(name)
    if (type?.kind !== 'object' && type?.kind !== 'interface' && type?.kind !== 'union') return
    if (open.depth + 1 > this.chooser.maxDepth || open.trail.includes(name) || this.room <= 0)
      return
    if (open.fields.some((one) => one.name === field.name && one.on === on)) return
    this.room--
    const first = isPaged(field) && takesFirst(field) ? { first: LIST_WEIGHT } : {}
    const draft = { ...toDraft(field, on), ...first, fields: [] }
    open.fields.push(draft)
    // An edge is only a wrapper between a page and its item.
    const isEdge = field.name === 'edges' && type.kind === 'object'
    this.queue.push({
      fields: draft.fields,
      type,
      depth: open.depth + (isEdge ? 0 : 1),
      weight: open.weight * (role === 'errors' ? 1 : weightOf(field.type)),
      trail: [...open.trail, name],
      role: isEdge ? open.role : role,
      rest: [],
    })
    if (type.kind === 'object')
      this.takeAmount(draft.fields, type, open.weight * weightOf(field.type))
  }

  // A price without its amount says nothing, so it does not wait for its turn.
  private takeAmount(fields: Draft[], type: Composite, weight: number): void {
    const amount = findAmount(type, this.chooser.model)
    if (amount === undefined) return
    const leaves = amount.leaves.filter(() => this.take(weight))
    if (leaves.length > 0)
      fields.push({
        ...toDraft(amount.field, undefined),
        fields: leaves.map((leaf) => toDraft(leaf, undefined)),
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
          this.follow(field, { ...open, trail: [...open.trail, name] }, { role: 'part', on: name })
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

function leavesFor(
  { role }: Open,
  { leaves, telling }: TypePlan,
): Pick<TypePlan, 'leaves' | 'telling'> {
  switch (role) {
    case 'main':
      return { leaves, telling: Math.min(telling, TELLING_LEAVES.main) }
    case 'part':
      return {
        leaves: leaves.slice(0, NESTED_LEAVES),
        telling: Math.min(telling, TELLING_LEAVES.part),
      }
    case 'errors': {
      const needed = leaves.filter(isErrorLeaf)
      const kept = needed.length === 0 ? leaves.slice(0, TELLING_LEAVES.part) : needed
      return { leaves: kept, telling: kept.length }
    }
  }
}

function toDraft({ name, type }: Field, on: string | undefined): Draft {
  return { name, type, on, fields: undefined }
}

function countFields(fields: readonly Draft[]): number {
  return fields.reduce((sum, one) => sum + 1 + countFields(one.fields ?? []), 0)
}

// An empty selection is not valid in a document.
function withoutEmpty(fields: readonly Draft[]): readonly Draft[] {
  return fields.flatMap((draft) => {
    if (draft.fields === undefined) return [draft]
    const kept = withoutEmpty(draft.fields)
    return kept.length === 0 ? [] : [{ ...draft, fields: [...kept] }]
  })
}
