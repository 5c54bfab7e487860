import { BOUNDS } from '../schema/bounds.ts'
import type { Literal } from '../schema/literal.ts'
import { type Cursor, createCursor } from './cursor.ts'

/** A value in GraphQL's own words, as introspection tells defaults; undefined for what is none. */
export function readLiteral(text: string): Literal | undefined {
  if (text.length > BOUNDS.literalCharacters) return undefined
  try {
    const cursor = createCursor(text)
    const literal = literalAt(cursor, 0)
    return cursor.peek().kind === 'end' ? literal : undefined
  } catch {
    return undefined
  }
}

export function literalAt(cursor: Cursor, depth: number): Literal {
  if (depth > BOUNDS.literalDepth) throw cursor.refuse('a value that is nested less')
  const token = cursor.peek()
  if (cursor.skip('[')) return listAt(cursor, depth)
  if (cursor.skip('{')) return objectAt(cursor, depth)
  if (token.kind === 'sign' || token.kind === 'end') throw cursor.refuse('a value')
  cursor.take()
  if (token.kind === 'string') return { kind: 'string', value: token.text }
  if (token.kind === 'number') return { kind: 'number', text: token.text }
  if (token.text === 'null') return { kind: 'null' }
  if (token.text === 'true' || token.text === 'false')
    return { kind: 'boolean', value: token.text === 'true' }
  return { kind: 'enum', name: token.text }
}

function listAt(cursor: Cursor, depth: number): Literal {
  const items: Literal[] = []
  while (!cursor.skip(']')) items.push(literalAt(cursor, depth + 1))
  return { kind: 'list', items }
}

function objectAt(cursor: Cursor, depth: number): Literal {
  const fields: [string, Literal][] = []
  while (!cursor.skip('}')) {
    const name = cursor.name()
    cursor.expect(':')
    fields.push([name, literalAt(cursor, depth + 1)])
  }
  return { kind: 'object', fields }
}
