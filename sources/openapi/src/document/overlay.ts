import { isRecord } from '@surehand/core/internal'
import { find } from './json-path.ts'
import { type Fields, own, ownText, setOwn } from './record.ts'
import { refused } from './refused.ts'

/** A document with an overlay on it, and what of it the importer rather than the document says. */
export type Overlaid = {
  readonly root: Fields
  readonly said: WeakSet<object>
  readonly notes: readonly string[]
}

// what these say is the importer's word once an overlay has written them
const EXTENSIONS = new Set(['x-surehand', 'x-agent'])
const DEEPEST = 64

/** Applies an OpenAPI Overlay 1.0 to a document that is ours to change. */
export function overlaid(root: Fields, overlay: Fields): Overlaid {
  if (!/^1\./.test(ownText(overlay, 'overlay') ?? ''))
    throw refused('its overlay is no OpenAPI Overlay 1.0.')
  const actions = own(overlay, 'actions')
  if (!Array.isArray(actions)) throw refused('its overlay has no actions.')
  const said = new WeakSet<object>()
  const notes = actions.flatMap((action) => applied(root, action, said))
  return { root, said, notes }
}

function applied(root: Fields, action: unknown, said: WeakSet<object>): readonly string[] {
  const target = ownText(action, 'target')
  if (target === undefined) throw refused('an action of its overlay has no target.')
  const places = find(root, target)
  if (places.length === 0)
    return [`The overlay's target ${target.slice(0, 200)} is not in the document.`]
  if (own(action, 'remove') === true)
    for (const { holder, name } of [...places].reverse()) remove(holder, name)
  else
    for (const { value, holder, name } of places)
      update({ value, holder, name }, own(action, 'update'), said)
  return []
}

function remove(holder: object | undefined, name: string): void {
  if (holder === undefined) throw refused('its overlay removes the whole document.')
  if (Array.isArray(holder)) holder.splice(Number(name), 1)
  else delete (holder as Record<string, unknown>)[name]
}

type Place = { readonly value: unknown; readonly holder: object | undefined; readonly name: string }

function update({ value, holder, name }: Place, change: unknown, said: WeakSet<object>): void {
  if (Array.isArray(value))
    value.push(...(Array.isArray(change) ? change : [change]).map((one) => structuredClone(one)))
  else if (isRecord(value) && isRecord(change))
    merge(value as Record<string, unknown>, change, { said, depth: 0 })
  // overlay 1.1: a plain value stands in for the old one
  else if (holder !== undefined)
    setOwn(holder as Record<string, unknown>, name, structuredClone(change))
}

function merge(
  target: Record<string, unknown>,
  change: Fields,
  at: { readonly said: WeakSet<object>; readonly depth: number },
): void {
  if (at.depth > DEEPEST) throw refused(`its overlay is nested deeper than ${DEEPEST}.`)
  for (const name of Object.keys(change)) {
    const wanted = change[name]
    const there = own(target, name)
    if (EXTENSIONS.has(name) && isRecord(wanted))
      setOwn(target, name, noted(structuredClone(wanted), at.said))
    else if (isRecord(there) && isRecord(wanted))
      merge(there as Record<string, unknown>, wanted, { said: at.said, depth: at.depth + 1 })
    else if (Array.isArray(there) && Array.isArray(wanted)) there.push(...structuredClone(wanted))
    else setOwn(target, name, structuredClone(wanted))
  }
}

function noted<T extends object>(value: T, said: WeakSet<object>): T {
  said.add(value)
  return value
}
