import { hashJson } from '@surehand/core/internal'

/** Something that wants a name. */
export type Nameless = {
  readonly source: string
  readonly kind: string
  readonly fields: readonly string[]
}

const LONGEST_WIRE_NAME = 64
const HASH_LENGTH = 8

/**
 * A name for each operation, out of its own field names alone: another order gives the same names. Names that are too long,
 * or that a reader could take for another's, carry a hash of where they come from. What still collides has none.
 */
export function operationNames(
  operations: readonly Nameless[],
  namespace: string,
): ReadonlyMap<string, string> {
  const room = LONGEST_WIRE_NAME - namespace.length - '__'.length
  const plain = Map.groupBy(operations, ({ fields }) => fields.join('_').toLowerCase())
  const named = operations.map((operation) => {
    const name = operation.fields.join('_')
    const isAlone = plain.get(name.toLowerCase())?.length === 1
    return {
      source: operation.source,
      name: isAlone && name.length <= room ? name : hashed(operation, room),
    }
  })
  const final = Map.groupBy(named, ({ name }) => name.toLowerCase())
  return new Map(
    named.flatMap(({ source, name }) =>
      final.get(name.toLowerCase())?.length === 1 ? [[source, name]] : [],
    ),
  )
}

function hashed({ source, kind, fields }: Nameless, room: number): string {
  const name = `${kind}_${fields.join('_')}`.slice(0, room - HASH_LENGTH - 1)
  return `${name}_${hashJson(source).slice(0, HASH_LENGTH)}`
}
