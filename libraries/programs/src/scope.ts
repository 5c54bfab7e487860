import { formatList } from '@surehand/schema-diff'
import { follow } from './follow.ts'
import { parseReference, type Reference } from './reference.ts'
import { eitherOf, NOTHING, type StaticType, withoutNull } from './static-type.ts'

/** What is known of a value that a reference may begin with. */
export type Known = {
  readonly type: StaticType
  /** It may not have been done. */
  readonly mayBeSkipped: boolean
  /** Its answers are held against its schema. */
  readonly isCertain: boolean
}

/** What can be referred to at one place of a program. */
export type Scope = {
  readonly known: ReadonlyMap<string, Known>
  /** References of which a condition around says that they are there. */
  readonly guards: readonly string[]
  /** Why a step that exists can't be referred to from here. */
  readonly outOfReach: (id: string) => string | undefined
}

/** What a reference will be: its type where it is there, and whether it may be missing. */
export type Resolved = {
  readonly type: StaticType
  readonly mayMiss: boolean
  readonly isCertain: boolean
}

/** Resolves a reference; a string says what is wrong with it and how to fix it. */
export function resolve(text: string, scope: Scope): Resolved | string {
  const reference = parseReference(text)
  if (typeof reference === 'string') return reference
  const known = scope.known.get(reference.base)
  if (known === undefined) return unknownBase(reference, scope)
  return wayInto(reference, known, scope)
}

/** The type of what is filled in: null where it is missing. */
export function filledIn({ type, mayMiss }: Resolved): StaticType {
  return mayMiss ? eitherOf([type, NOTHING]) : type
}

function wayInto({ base, path, text }: Reference, known: Known, scope: Scope): Resolved | string {
  let { type } = known
  let mayMiss = known.mayBeSkipped && !isGuarded(base, scope)
  if (isGuarded(base, scope)) type = withoutNull(type)
  let at = base
  for (const step of path) {
    const next = follow(type, step)
    if (next.kind === 'nowhere') return nowhere(text, at, next)
    at = `${at}.${step}`
    const isThere = isGuarded(at, scope)
    type = isThere ? withoutNull(next.type) : next.type
    mayMiss = (mayMiss || next.mayMiss) && !isThere
  }
  return { type, mayMiss, isCertain: known.isCertain }
}

// what is inside of it is there, so it is too
function isGuarded(place: string, { guards }: Scope): boolean {
  return guards.some((guard) => guard === place || guard.startsWith(`${place}.`))
}

function nowhere(
  text: string,
  at: string,
  { names, isList }: { readonly names: readonly string[]; readonly isList: boolean },
): string {
  if (names.length > 0)
    return `refers to "${text}", which is not there: ${at} has ${formatList(names, 'and')}`
  if (isList)
    return `refers to "${text}", which is not there: ${at} is a list, whose items are named by numbers, as in ${at}.0`
  return `refers to "${text}", which is not there: ${at} has no fields; refer to ${at} itself`
}

function unknownBase({ text, base }: Reference, { known, outOfReach }: Scope): string {
  const [, id] = base.split('.')
  const why = id === undefined ? undefined : outOfReach(id)
  if (why !== undefined) return `refers to "${text}", ${why}`
  return `refers to "${text}", and there is no ${base}: there is ${formatList([...known.keys()], 'and')}`
}
