import { isRecord } from '@surehand/core/internal'
import { documentError } from './document-error.ts'
import { LIMITS } from './limits.ts'
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

/** A value in a document, and the object or list that contains it. */
export type FoundValue = {
  readonly value: unknown
  readonly holder: object | undefined
  readonly name: string
}

type Step =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'all' }
  | { readonly kind: 'deep' }
  | {
      readonly kind: 'where'
      readonly field: string
      readonly equals: unknown
      readonly isNot: boolean
    }

const NAME = /^\.?([A-Za-z_$][\w$-]*)/
const QUOTED = /^\[\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\]/
const INDEX = /^\[\s*(\d{1,9})\s*\]/
const ALL = /^(?:\.\*|\[\s*\*\s*\])/
const WHERE =
  /^\[\s*\?\s*\(?\s*@(?:\.([\w$-]+)|\[\s*['"]([^'"\]]+)['"]\s*\])\s*(?:(==|!=)\s*('[^']*'|"[^"]*"|true|false|null|-?\d+(?:\.\d+)?)\s*)?\)?\s*\]/

/**
 * Finds the values that a JSONPath (RFC 9535) selects. Names, indices, wildcards, descent and
 * filters by one field are supported; the rest is refused.
 */
function findByPath(root: unknown, path: string): readonly FoundValue[] {
  let found: readonly FoundValue[] = [{ value: root, holder: undefined, name: '' }]
  let steps = 0
  for (const step of parseSteps(path)) {
    found = found.flatMap((one) => takeStep(one, step, (count) => (steps += count)))
    if (steps > LIMITS.overlaySteps)
      throw documentError(
        `the overlay's target "${path.slice(0, 200)}" matches more than ${LIMITS.overlaySteps} places.`,
      )
  }
  return found
}

function parseSteps(path: string): readonly Step[] {
  if (!path.startsWith('$') || path.length > 2_000) throw unsupportedPath(path)
  const steps: Step[] = []
  let rest = path.slice(1)
  while (rest.length > 0) {
    if (rest.startsWith('..')) {
      steps.push({ kind: 'deep' })
      rest = rest.startsWith('..[') ? rest.slice(2) : rest.slice(1)
    }
    const [step, length] = nextStep(rest) ?? [undefined, 0]
    if (step === undefined) throw unsupportedPath(path)
    steps.push(step)
    rest = rest.slice(length)
  }
  return steps
}

function nextStep(rest: string): readonly [Step, number] | undefined {
  const all = ALL.exec(rest)
  if (all !== null) return [{ kind: 'all' }, all[0].length]
  const where = WHERE.exec(rest)
  if (where !== null) return [parseFilter(where), where[0].length]
  const quoted = QUOTED.exec(rest)
  if (quoted !== null)
    return [
      { kind: 'name', name: (quoted[1] ?? quoted[2] ?? '').replaceAll(/\\(.)/g, '$1') },
      quoted[0].length,
    ]
  const plain = INDEX.exec(rest) ?? (rest.startsWith('.') ? NAME.exec(rest) : null)
  return plain === null ? undefined : [{ kind: 'name', name: plain[1] ?? '' }, plain[0].length]
}

function parseFilter(match: RegExpExecArray): Step {
  const literal = match[4]
  const equals =
    literal === undefined
      ? undefined
      : /^['"]/.test(literal)
        ? literal.slice(1, -1)
        : JSON.parse(literal)
  return { kind: 'where', field: match[1] ?? match[2] ?? '', equals, isNot: match[3] === '!=' }
}

function takeStep(
  one: FoundValue,
  step: Step,
  spend: (count: number) => void,
): readonly FoundValue[] {
  switch (step.kind) {
    case 'name':
      return membersOf(one.value, spend, step.name)
    case 'all':
      return membersOf(one.value, spend)
    case 'where':
      return membersOf(one.value, spend).filter(({ value }) =>
        matchesFilter(own(value, step.field), step),
      )
    case 'deep':
      return descent(one, spend)
  }
}

function matchesFilter(
  value: unknown,
  { equals, isNot }: { readonly equals: unknown; readonly isNot: boolean },
): boolean {
  if (equals === undefined) return value !== undefined
  return (value === equals) !== isNot
}

function descent(start: FoundValue, spend: (count: number) => void): readonly FoundValue[] {
  const all: FoundValue[] = [start]
  const seen = new Set<unknown>()
  for (const one of all) {
    if (seen.has(one.value) || all.length > LIMITS.overlaySteps) continue
    if (typeof one.value === 'object') seen.add(one.value)
    for (const inner of membersOf(one.value, spend)) all.push(inner)
  }
  return all
}

function membersOf(
  value: unknown,
  spend: (count: number) => void,
  only?: string,
): readonly FoundValue[] {
  if (!isRecord(value) && !Array.isArray(value)) return []
  const fields = value as Readonly<Record<string, unknown>>
  const names = only === undefined ? Object.keys(value) : Object.hasOwn(value, only) ? [only] : []
  spend(names.length + 1)
  return names.map((name) => ({ value: fields[name], holder: value, name }))
}

function unsupportedPath(path: string): Error {
  return documentError(
    `the overlay's target "${path.slice(0, 200)}" is not supported. Use names, [index], [*], .. and filters by one field.`,
  )
}
