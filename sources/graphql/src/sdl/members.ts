import { BOUNDS } from '../schema/bounds.ts'
import type { Literal } from '../schema/literal.ts'
import type { Field, InputValue, TypeReference } from '../schema/schema-model.ts'
import type { Cursor } from './cursor.ts'
import { literalAt } from './read-literal.ts'

/** A cursor over definitions, counting what it finds. */
export type Reading = { readonly cursor: Cursor; readonly count: (count: number) => void }

type Arguments = ReadonlyMap<string, Literal>

export function descriptionAt({ cursor }: Reading): string | undefined {
  return cursor.peek().kind === 'string' ? cursor.take().text : undefined
}

/** The directives that stand here, by name; what most of them mean is the server's. */
export function directivesAt({ cursor }: Reading): ReadonlyMap<string, Arguments> {
  const directives = new Map<string, Arguments>()
  while (cursor.skip('@')) directives.set(cursor.name(), argumentsAt(cursor))
  return directives
}

function argumentsAt(cursor: Cursor): Arguments {
  const given = new Map<string, Literal>()
  if (!cursor.skip('(')) return given
  while (!cursor.skip(')')) {
    const name = cursor.name()
    cursor.expect(':')
    given.set(name, literalAt(cursor, 0))
  }
  return given
}

/** The text a directive is given, or its usual one. */
export function directiveText(
  given: Arguments | undefined,
  argument: string,
  usual: string,
): string | undefined {
  if (given === undefined) return undefined
  const literal = given.get(argument)
  return literal?.kind === 'string' ? literal.value : usual
}

export function fieldsAt(reading: Reading): readonly Field[] {
  return listAt(reading, ['{', '}'], () => {
    const description = descriptionAt(reading)
    const name = reading.cursor.name()
    const inputs = inputsAt(reading, ['(', ')'])
    reading.cursor.expect(':')
    const type = referenceAt(reading)
    const deprecated = directiveText(
      directivesAt(reading).get('deprecated'),
      'reason',
      'No longer supported',
    )
    return { name, description, inputs, type, deprecated }
  })
}

export function inputsAt(reading: Reading, signs: Signs): readonly InputValue[] {
  return listAt(reading, signs, () => {
    const description = descriptionAt(reading)
    const name = reading.cursor.name()
    reading.cursor.expect(':')
    const type = referenceAt(reading)
    const defaultValue = reading.cursor.skip('=') ? literalAt(reading.cursor, 0) : undefined
    const deprecated = directiveText(
      directivesAt(reading).get('deprecated'),
      'reason',
      'No longer supported',
    )
    return { name, description, type, defaultValue, deprecated }
  })
}

export function valuesAt(reading: Reading): readonly string[] {
  return listAt(reading, ['{', '}'], () => {
    descriptionAt(reading)
    const name = reading.cursor.name()
    directivesAt(reading)
    return name
  })
}

type Signs = readonly [string, string]

/** What stands between two signs, if they are there at all. */
export function listAt<T>(
  { cursor, count }: Reading,
  [open, close]: Signs,
  one: () => T,
): readonly T[] {
  const found: T[] = []
  if (!cursor.skip(open)) return found
  while (!cursor.skip(close)) {
    count(1)
    found.push(one())
  }
  return found
}

/** Names after a first sign, with a sign between them: `implements A & B`, `= A | B`. */
export function namesAt(
  { cursor, count }: Reading,
  first: string,
  between: string,
): readonly string[] {
  const names: string[] = []
  if (!cursor.skip(first)) return names
  cursor.skip(between)
  do {
    count(1)
    names.push(cursor.name())
  } while (cursor.skip(between))
  return names
}

function referenceAt(reading: Reading, depth = 0): TypeReference {
  const { cursor } = reading
  if (depth > BOUNDS.wrappers / 2) throw cursor.refuse('a type that is wrapped less')
  let type: TypeReference
  if (cursor.skip('[')) {
    type = { kind: 'list', of: referenceAt(reading, depth + 1) }
    cursor.expect(']')
  } else type = { kind: 'named', name: cursor.name() }
  return cursor.skip('!') ? { kind: 'nonNull', of: type } : type
}
