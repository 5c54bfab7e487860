import { isRecord, sha256 } from '@surehand/core/internal'
import { LeftOut } from '../document/left-out.ts'
import { LIMITS } from '../document/limits.ts'
import type { Fields } from '../document/record.ts'
import { resolveReference } from '../document/references.ts'
import { readUnit } from './read-unit.ts'
import type { Direction, Unit } from './unit.ts'

/** The schemas of one document, each read when it is first needed and never again. */
export type Library = {
  readonly root: Fields
  readonly unit: (pointer: string, direction: Direction) => Unit
  /** The raw schema behind a reference. */
  readonly target: (pointer: string) => unknown
  /** What a component is called in `$defs`: the same in every tool, whoever comes first. */
  readonly nameOf: (pointer: string) => string
  readonly pointerOf: (name: string) => string
  readonly spend: (steps: number) => void
}

const COMPONENT = /^#\/components\/schemas\/([A-Za-z0-9._-]{1,100})$/

export function createLibrary(root: Fields): Library {
  const units = {
    input: new Map<string, Unit | LeftOut>(),
    output: new Map<string, Unit | LeftOut>(),
  }
  const names = new Map<string, string>()
  const pointers = new Map<string, string>()
  const targets = new Map<string, unknown>()
  let steps = 0

  const library: Library = {
    root,
    unit(pointer, direction) {
      const known = units[direction].get(pointer) ?? attempt(pointer, direction)
      if (known instanceof LeftOut) throw known
      return known
    },
    target(pointer) {
      if (!targets.has(pointer)) targets.set(pointer, resolveReference(root, pointer))
      return targets.get(pointer)
    },
    nameOf(pointer) {
      const known = names.get(pointer)
      if (known !== undefined) return known
      const plain = COMPONENT.exec(pointer)?.[1]
      const name = plain ?? `${lastWord(pointer)}_${sha256(pointer).slice(0, 10)}`
      names.set(pointer, name)
      pointers.set(name, pointer)
      return name
    },
    pointerOf: (name) => pointers.get(name) ?? '',
    spend(count) {
      steps += count
      if (steps > LIMITS.documentSteps)
        throw new LeftOut(
          `the document has more schemas than are read of one (${LIMITS.documentSteps})`,
        )
    },
  }

  function attempt(pointer: string, direction: Direction): Unit | LeftOut {
    const unit = orReason(() => readComponent(library, pointer, direction))
    units[direction].set(pointer, unit)
    return unit
  }
  return library
}

function readComponent(library: Library, pointer: string, direction: Direction): Unit {
  const schema = library.target(pointer)
  if (!isRecord(schema) && typeof schema !== 'boolean')
    throw new LeftOut(`"${pointer.slice(0, 200)}" is no schema`)
  return readUnit(library, direction, (reader) => reader.read(schema, pointer))
}

function orReason(make: () => Unit): Unit | LeftOut {
  try {
    return make()
  } catch (error) {
    if (error instanceof LeftOut) return error
    throw error
  }
}

function lastWord(pointer: string): string {
  return (pointer.split('/').at(-1) ?? '').replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 40)
}
