import type { JsonSchema } from '@surehand/core/internal'
import type { Library } from './library.ts'
import { SchemaReader } from './schema-reader.ts'
import type { Direction, Unit } from './unit.ts'

/** Reads one part of a document into our dialect, with all that is needed to put parts together without looking into them again. */
export function readUnit(
  library: Library,
  direction: Direction,
  read: (reader: SchemaReader) => JsonSchema | boolean,
): Unit {
  const reader = new SchemaReader(library, direction)
  const schema = read(reader)
  return {
    schema: typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : schema,
    bytes: reader.bytes,
    count: reader.count,
    depth: reader.deepest,
    references: reader.references,
    spots: reader.spots,
    losses: reader.losses,
  }
}
