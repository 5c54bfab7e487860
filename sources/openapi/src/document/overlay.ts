import { isRecord } from '@surehand/core/internal'
import { documentError } from './document-error.ts'
import { findByPath } from './json-path.ts'
import { type Fields, own, ownText, setOwn } from './record.ts'

/** A document with an overlay applied, and the extension objects that come from the importer. */
export type OverlaidDocument = {
  readonly root: Fields
  readonly fromImporter: WeakSet<object>
  readonly notes: readonly string[]
}

// If an overlay sets these, they count as the importer's word and may loosen a contract.
const EXTENSIONS = new Set(['x-surehand', 'x-agent'])
const DEEPEST = 64

/** Applies an OpenAPI Overlay 1.0. Changes the document in place. */
export function applyOverlay(root: Fields, overlay: Fields): OverlaidDocument {
  if (!/^1\./.test(ownText(overlay, 'overlay') ?? ''))
    throw documentError('its overlay is not an OpenAPI Overlay 1.0.')
  const actions = own(overlay, 'actions')
  if (!Array.isArray(actions)) throw documentError('its overlay has no actions.')
  const said = new WeakSet<object>()
  const notes = actions.flatMap((action) => applyAction(root, action, said))
  return { root, fromImporter: said, notes }
}

function applyAction(root: Fields, action: unknown, said: WeakSet<object>): readonly string[] {
  const target = ownText(action, 'target')
  if (target === undefined) throw documentError('an action of its overlay has no target.')
  const places = findByPath(root, target)
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
  if (holder === undefined) throw documentError('its overlay removes the whole document.')
  if (Array.isArray(holder)) holder.splice(Number(name), 1)
  else delete (holder as Record<string, unknown>)[name]
}

type Place = { readonly value: unknown; readonly holder: object | undefined; readonly name: string }

function update({ value, holder, name }: Place, change: unknown, said: WeakSet<object>): void {
  if (Array.isArray(value))
    value.push(...(Array.isArray(change) ? change : [change]).map((one) => structuredClone(one)))
  else if (isRecord(value) && isRecord(change))
    merge(value as Record<string, unknown>, change, { said, depth: 0 })
  // Overlay 1.1: a scalar replaces the old value.
  else if (holder !== undefined)
    setOwn(holder as Record<string, unknown>, name, structuredClone(change))
}

function merge(
  target: Record<string, unknown>,
  change: Fields,
  at: { readonly said: WeakSet<object>; readonly depth: number },
): void {
  if (at.depth > DEEPEST) throw documentError(`its overlay is nested deeper than ${DEEPEST}.`)
  for (const name of Object.keys(change)) {
    const wanted = change[name]
    const there = own(target, name)
    if (EXTENSIONS.has(name) && isRecord(wanted))
      setOwn(target, name, markFromImporter(structuredClone(wanted), at.said))
    else if (isRecord(there) && isRecord(wanted))
      merge(there as Record<string, unknown>, wanted, { said: at.said, depth: at.depth + 1 })
    else if (Array.isArray(there) && Array.isArray(wanted)) there.push(...structuredClone(wanted))
    else setOwn(target, name, structuredClone(wanted))
  }
}

function markFromImporter<T extends object>(value: T, said: WeakSet<object>): T {
  said.add(value)
  return value
}
