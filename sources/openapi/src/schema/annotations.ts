import { clipVisible } from '../document/clip-text.ts'
import { LIMITS, TEXT_LENGTHS } from '../document/limits.ts'
import { type Fields, own, ownText } from '../document/record.ts'
import { isPlain } from './keywords.ts'
import type { Direction } from './unit.ts'

export type Annotations = {
  readonly description: string | undefined
  readonly examples: readonly unknown[] | undefined
}

/** The description of a schema, with its default in words, and its first example. */
export function readAnnotations(schema: Fields, direction: Direction): Annotations {
  return {
    description: describe(schema, direction),
    examples: direction === 'input' ? readExample(schema) : undefined,
  }
}

function describe(schema: Fields, direction: Direction): string | undefined {
  const text = ownText(schema, 'description') || ownText(schema, 'title')
  // A default is described, never kept as a keyword: a client that fills in defaults would turn the
  // change of one field into a change of all.
  const remark = direction === 'output' ? '' : describeDefault(own(schema, 'default'))
  if (text === undefined) return remark === '' ? undefined : remark
  const described = clipVisible(text, TEXT_LENGTHS[direction])
  return remark === '' ? described : `${described} ${remark}`
}

function describeDefault(value: unknown): string {
  if (value === undefined || !isPlain(value, 2)) return ''
  const text = JSON.stringify(value)
  return text.length > 80 ? '' : `Default: ${text}.`
}

function readExample(schema: Fields): readonly unknown[] | undefined {
  const several = own(schema, 'examples')
  const example = Array.isArray(several) ? several[0] : own(schema, 'example')
  if (example === undefined || !isPlain(example, 2)) return undefined
  return JSON.stringify(example).length <= LIMITS.exampleLength ? [example] : undefined
}
