import { fieldName, isPlainObject } from '@surehand/core/internal'
import { childOf, goesThrough, isAt, type Path, placePath } from './dot-path.ts'

/** One field's way to another place, and what becomes of its value. */
export type Move = {
  readonly from: Path
  readonly to: Path
  readonly change: (value: unknown, at: Path) => unknown
}

export type Moved =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly field: string }

type Leaf = { readonly path: Path; readonly value: unknown }

/**
 * A new value with its fields moved, all at once, so that two may change places. What no move names
 * stays where it is; what was emptied by a move goes. Not ok, with the field, when two values would
 * stand at one place.
 */
export function moveFields(value: unknown, moves: readonly Move[]): Moved {
  if (moves.length === 0) return { ok: true, value }
  return build(leavesOf(value, [], moves))
}

/** A new value in which this stands at the path, whatever stood there before. */
export function setField(value: unknown, path: Path, set: unknown): Moved {
  const others = leavesOf(value, [], [{ from: path, to: path, change: (same) => same }]).filter(
    (leaf) => !isAt(path, leaf.path),
  )
  return build([...others, { path, value: set }])
}

function leavesOf(value: unknown, path: Path, moves: readonly Move[]): readonly Leaf[] {
  const move = moves.find((one) => isAt(one.from, path))
  if (move !== undefined)
    return [{ path: placePath(move.to, move.from, path), value: move.change(value, path) }]
  // whatever no move passes is handed on as it is: it is neither copied nor written into
  if (!moves.some((one) => goesThrough(one.from, path) || goesThrough(one.to, path)))
    return [{ path, value }]
  const members = membersOf(value)
  if (members.length === 0) return [{ path, value }]
  return members.flatMap(([step, member]) => leavesOf(member, [...path, step], moves))
}

function membersOf(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((item, index) => [index, item] as const)
  return typeof value === 'object' && value !== null && isPlainObject(value)
    ? Object.entries(value)
    : []
}

type Container = Record<string | number, unknown>

function build(leaves: readonly Leaf[]): Moved {
  const root: Container = {}
  // only what was made here is written into; the rest still belongs to the input
  const made = new Set<unknown>([root])
  for (const { path, value } of leaves) {
    if (!put({ root, made }, ['root', ...path], value)) return { ok: false, field: fieldName(path) }
  }
  for (const container of made) if (Array.isArray(container)) fillHoles(container)
  return { ok: true, value: root.root }
}

type Building = { readonly root: Container; readonly made: Set<unknown> }

function put({ root, made }: Building, path: Path, value: unknown): boolean {
  let container = root
  for (const [index, step] of path.slice(0, -1).entries()) {
    const next =
      childOf(container, step) ?? make(made, typeof path[index + 1] === 'number' ? [] : {})
    if (!made.has(next) || Array.isArray(next) !== (typeof path[index + 1] === 'number'))
      return false
    setOwn(container, step, next)
    container = next as Container
  }
  const last = path[path.length - 1] ?? ''
  const existing = childOf(container, last) ?? null
  if (existing === null)
    setOwn(container, last, isEmpty(value) ? make(made, Array.isArray(value) ? [] : {}) : value)
  // null is how v1 says "not given": it makes way
  else if (value !== null && value !== undefined)
    return isEmpty(value) && Array.isArray(value) === Array.isArray(existing) && made.has(existing)
  return true
}

function make(made: Set<unknown>, container: object): object {
  made.add(container)
  return container
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return (
    typeof value === 'object' &&
    value !== null &&
    isPlainObject(value) &&
    Object.keys(value).length === 0
  )
}

function setOwn(container: Container, step: string | number, value: unknown): void {
  // a plain assignment to __proto__ would change the prototype instead of writing a key
  if (step === '__proto__')
    Object.defineProperty(container, step, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  else container[step] = value
}

function fillHoles(items: unknown[]): void {
  for (let index = 0; index < items.length; index++) if (!(index in items)) items[index] = null
}
