import type { JsonSchema } from '@surehand/core/internal'
import {
  ANYTHING,
  type CompileContext,
  type Compiled,
  InexpressibleError,
  reportLoss,
} from './compile-context.ts'
import { compileList } from './compile-list.ts'
import { compileObject } from './compile-object.ts'
import { compileReference } from './compile-reference.ts'
import { compileScalar } from './compile-scalar.ts'
import { compileUnion } from './compile-union.ts'
import { NEVER } from './merge-schemas.ts'
import { normalizeNode } from './normalize-node.ts'
import { SAME } from './plan.ts'
import { withConstraints } from './with-constraints.ts'

const MAX_DEPTH = 128

/**
 * Compiles one node of the original schema to the dialect, with the plan that translates values
 * back.
 */
export function compileNode(raw: unknown, path: string, at: CompileContext): Compiled {
  at.count.nodes++
  if (path.split('/').length > MAX_DEPTH * 2) return compileTooDeep(path, at)
  if (needsName(raw)) return compileReference(raw, path, at)
  return compileNormalized(normalizeNode(raw, at.root), path, at)
}

/** Compiles a node that `normalizeNode` returned. */
export function compileNormalized(node: JsonSchema, path: string, at: CompileContext): Compiled {
  if (node === NEVER) return compileNever(path, at)
  if (typeof node.$ref === 'string') return compileReference(node, path, at)
  if (Array.isArray(node.anyOf)) return compileUnion(node, path, at)
  if (Array.isArray(node.enum) || 'const' in node) return compileScalar(node, path, at)
  switch (node.type) {
    case 'object':
      return compileObject(node, path, at)
    case 'array':
      return compileList(node, path, at)
    case undefined:
      return compileAnything(node, path, at)
    default:
      return compileScalar(node, path, at)
  }
}

// Merging through a reference may lead back to the same node, so that such a node becomes a named
// definition.
function needsName(raw: unknown): raw is JsonSchema {
  if (typeof raw !== 'object' || raw === null || !('allOf' in raw)) return false
  return JSON.stringify(raw.allOf).includes('"$ref"')
}

function compileTooDeep(path: string, at: CompileContext): Compiled {
  const loss = { path, keyword: '$ref', why: 'It is nested too deeply to be written out.' }
  if (at.dialect.isClosed) throw new InexpressibleError(loss)
  reportLoss(at, loss)
  return { schema: {}, plan: SAME }
}

function compileNever(path: string, at: CompileContext): Compiled {
  reportLoss(at, {
    path,
    keyword: 'not',
    why: 'The dialect cannot express that no value is allowed here; the description says so.',
  })
  return { schema: { type: 'null', description: 'Must be null.' }, plan: SAME }
}

function compileAnything(node: JsonSchema, path: string, at: CompileContext): Compiled {
  switch (at.dialect.any) {
    case 'empty':
      return { schema: withConstraints({}, node, path, at), plan: SAME }
    case 'never':
      throw new InexpressibleError({
        path,
        keyword: 'type',
        why: 'Strict schemas need a type for every value; this value may have any type.',
      })
    case 'defined': {
      const compiled = compileReference({ $ref: ANYTHING }, path, at)
      const words = withConstraints({}, node, path, at)
      return Object.keys(words).length === 0
        ? compiled
        : { ...compiled, schema: { ...words, anyOf: [compiled.schema] } }
    }
  }
}
