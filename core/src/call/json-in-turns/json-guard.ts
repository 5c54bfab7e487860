import { MAX_DEPTH } from '../canonical.ts'
import { MAX_KEYS, refuse, tooDeep, tooLarge, tooManyKeys } from '../json.ts'

/** The check of a value, which can be interrupted. */
export type JsonGuard = {
  /** Looks at so many members; true when it has seen all. Throws for what is refused. */
  readonly run: (most: number) => boolean
  readonly keys: () => number
}

/** A list or an object whose members are being looked at; `keys` of an object only. */
type Visited = {
  readonly members: Readonly<Record<string | number, unknown>>
  readonly keys: readonly string[] | undefined
  readonly length: number
  next: number
}

/** For a value of JSON.parse: refuses what `guardJson` refuses, a part at a time. */
export function createJsonGuard(root: unknown, maxBytes: number): JsonGuard {
  let [keys, characters] = [0, 0]
  // from the root to what is being looked at; without recursion, so that it can be interrupted
  const open: Visited[] = []
  const path = (): readonly (string | number)[] =>
    open.map(({ keys: names, next }) => names?.[next - 1] ?? next - 1)

  function count(more: number): void {
    characters += more
    if (characters > maxBytes) throw tooLarge(maxBytes)
  }

  function visit(value: unknown): void {
    switch (typeof value) {
      case 'string':
        count(value.length)
        if (!value.isWellFormed())
          throw refuse('A text holds half a character (a lone surrogate).', path())
        return
      case 'number':
        if (!Number.isFinite(value)) throw refuse(`${value} is not a JSON number.`, path())
        if (Number.isInteger(value) && !Number.isSafeInteger(value))
          throw refuse('A whole number beyond ±2^53 loses digits; send it as text.', path())
        return
      case 'object':
        if (value !== null) enter(value)
    }
  }

  function enter(value: object): void {
    if (open.length >= MAX_DEPTH) throw tooDeep()
    const names = Array.isArray(value) ? undefined : Object.keys(value)
    const length = names?.length ?? (value as readonly unknown[]).length
    if (names === undefined) count(length)
    open.push({ members: value as Visited['members'], keys: names, length, next: 0 })
  }

  function visitKey(key: string): void {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype')
      throw refuse(`The key "${key}" is not accepted.`, path())
    count(key.length)
    if (!key.isWellFormed())
      throw refuse('A key holds half a character (a lone surrogate).', path().slice(0, -1))
    if (++keys > MAX_KEYS) throw tooManyKeys()
  }

  visit(root)
  return {
    keys: () => keys,
    run(most) {
      for (let looked = 0; looked < most; looked++) {
        const visited = open.at(-1)
        if (visited === undefined) return true
        if (visited.next === visited.length) {
          open.pop()
          continue
        }
        const at = visited.next++
        const key = visited.keys?.[at]
        if (key !== undefined) visitKey(key)
        visit(visited.members[key ?? at])
      }
      return open.length === 0
    },
  }
}
