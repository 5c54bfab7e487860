import type { JsonSchema } from '@surehand/core/internal'
import { compileList } from './compile-list.ts'
import { compileObject } from './compile-object.ts'
import { compileReference } from './compile-reference.ts'
import { compileScalar } from './compile-scalar.ts'
import { compileUnion } from './compile-union.ts'
import { ANYTHING, type Compiled, type Compiling, lose, Unsayable } from './compiling.ts'
import { NEVER } from './merge-schemas.ts'
import { normalNode } from './normal-node.ts'
import { SAME } from './plan.ts'
import { withWords } from './words.ts'

const DEEPEST = 128

/** One node of the original in the dialect's words, with the way back. */
export function compileNode(raw: unknown, path: string, at: Compiling): Compiled {
  at.count.nodes++
  if (path.split('/').length > DEEPEST * 2) return tooDeep(path, at)
  if (needsName(raw)) return compileReference(raw, path, at)
  return compileNormal(normalNode(raw, at.root), path, at)
}

/** A node that has been put in order. */
export function compileNormal(node: JsonSchema, path: string, at: Compiling): Compiled {
  if (node === NEVER) return never(path, at)
  if (typeof node.$ref === 'string') return compileReference(node, path, at)
  if (Array.isArray(node.anyOf)) return compileUnion(node, path, at)
  if (Array.isArray(node.enum) || 'const' in node) return compileScalar(node, path, at)
  switch (node.type) {
    case 'object':
      return compileObject(node, path, at)
    case 'array':
      return compileList(node, path, at)
    case undefined:
      return anything(node, path, at)
    default:
      return compileScalar(node, path, at)
  }
}

// merging through a reference may come back to itself: under a name it is written once
function needsName(raw: unknown): raw is JsonSchema {
  if (typeof raw !== 'object' || raw === null || !('allOf' in raw)) return false
  return JSON.stringify(raw.allOf).includes('"$ref"')
}

function tooDeep(path: string, at: Compiling): Compiled {
  const loss = { path, keyword: '$ref', why: 'It is nested too deep to be written out.' }
  if (at.dialect.isClosed) throw new Unsayable(loss)
  lose(at, loss)
  return { schema: {}, plan: SAME }
}

function never(path: string, at: Compiling): Compiled {
  lose(at, { path, keyword: 'not', why: 'That nothing is allowed here can only be said in words.' })
  return { schema: { type: 'null', description: 'Never anything but null.' }, plan: SAME }
}

function anything(node: JsonSchema, path: string, at: Compiling): Compiled {
  switch (at.dialect.any) {
    case 'empty':
      return { schema: withWords({}, node, path, at), plan: SAME }
    case 'never':
      throw new Unsayable({
        path,
        keyword: 'type',
        why: 'Strict schemas name the type of every value; this one may be anything.',
      })
    case 'defined': {
      const compiled = compileReference({ $ref: ANYTHING }, path, at)
      const words = withWords({}, node, path, at)
      return Object.keys(words).length === 0
        ? compiled
        : { ...compiled, schema: { ...words, anyOf: [compiled.schema] } }
    }
  }
}
