import { isRecord, type JsonSchema } from '@surehand/core/internal'
import {
  ANYTHING,
  type CompileContext,
  type Compiled,
  InexpressibleError,
  reportLoss,
} from './compile-context.ts'
import { normalizeNode } from './normalize-node.ts'
import { type Branch, type Plan, SAME } from './plan.ts'
import { resolveReference } from './resolve-reference.ts'
import { withConstraints } from './with-constraints.ts'

// How often a recursive schema is written out where references are inlined, and how many nodes the
// result may have.
const MAX_UNROLLED = 3
const MAX_NODES = 2_000

/** Compiles a reference: as a definition, or inlined if the dialect has no references. */
export function compileReference(node: JsonSchema, path: string, at: CompileContext): Compiled {
  return at.dialect.references === 'kept'
    ? defineReference(node, path, at)
    : inlineReference(node, path, at)
}

function defineReference(node: JsonSchema, path: string, at: CompileContext): Compiled {
  const key = keyOf(node)
  const known = at.definitions.get(key)
  if (known !== undefined && known.compiled === undefined && !at.dialect.mayRecur)
    throw new InexpressibleError({
      path,
      keyword: '$ref',
      why: `${at.dialect.name} does not support recursive schemas.`,
    })
  const { name } = known ?? define(key, node, path, at)
  const schema = { $ref: `#/$defs/${name}` }
  const words = typeof node.$ref === 'string' ? withConstraints({}, node, path, at) : {}
  // A reference must not have other keywords beside it.
  return {
    schema: Object.keys(words).length === 0 ? schema : { ...words, anyOf: [schema] },
    plan: { kind: 'reference', to: name },
  }
}

function define(
  key: string,
  node: JsonSchema,
  path: string,
  at: CompileContext,
): { readonly name: string } {
  const definition = { name: freeName(key, at), compiled: undefined as Compiled | undefined }
  at.definitions.set(key, definition)
  definition.compiled =
    key === ANYTHING ? anyJson(definition.name, at) : compileTarget(node, path, at)
  return definition
}

function freeName(key: string, at: CompileContext): string {
  const wanted =
    key === ANYTHING
      ? 'any'
      : key === '#'
        ? 'root'
        : (/[A-Za-z][A-Za-z0-9]*$/.exec(key.slice(0, 80))?.[0] ?? 'part')
  const taken = new Set([...at.definitions.values()].map(({ name }) => name))
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `${wanted}${number}`
  return name
}

function keyOf(node: JsonSchema): string {
  return typeof node.$ref === 'string' ? node.$ref : JSON.stringify(node)
}

// An `allOf` is merged here: compiled under its name, it would refer to itself.
function compileTarget(node: JsonSchema, path: string, at: CompileContext): Compiled {
  if (typeof node.$ref === 'string')
    return at.node(resolveReference(at.root, node.$ref) ?? true, node.$ref, at)
  return at.normal(normalizeNode(node, at.root), path, at)
}

function inlineReference(node: JsonSchema, path: string, at: CompileContext): Compiled {
  const key = keyOf(node)
  const isTooDeep =
    at.open.filter((one) => one === key).length >= MAX_UNROLLED || at.count.nodes > MAX_NODES
  if (!isTooDeep) {
    const compiled = compileTarget(node, path, { ...at, open: [...at.open, key] })
    return typeof node.$ref === 'string' && typeof node.description === 'string'
      ? { ...compiled, schema: { ...compiled.schema, description: node.description } }
      : compiled
  }
  reportLoss(at, {
    path,
    keyword: '$ref',
    why: `It is recursive: it is written out ${MAX_UNROLLED} times, and below that any value of its type is accepted.`,
  })
  const target = typeof node.$ref === 'string' ? resolveReference(at.root, node.$ref) : undefined
  const type = isRecord(target) && typeof target.type === 'string' ? { type: target.type } : {}
  return { schema: { ...type, description: 'The same structure as further up.' }, plan: SAME }
}

/**
 * A definition of any JSON value, for dialects where every value needs a type. Maps are lists of
 * entries here, too.
 */
function anyJson(name: string, at: CompileContext): Compiled {
  const self = { $ref: `#/$defs/${name}` }
  const again: Plan = { kind: 'reference', to: name }
  const entry = {
    type: 'object',
    properties: { key: { type: 'string' }, value: self },
    required: ['key', 'value'],
    additionalProperties: false,
  }
  const list = { type: 'array', items: self }
  const map = {
    type: 'object',
    properties: { [at.names.entries]: { type: 'array', items: entry } },
    required: [at.names.entries],
    additionalProperties: false,
  }
  const scalars = ['string', 'number', 'boolean', 'null'].map(
    (type): Branch => ({ compiled: { type }, original: { type }, plan: SAME }),
  )
  const branches: readonly Branch[] = [
    ...scalars,
    { compiled: list, original: { type: 'array' }, plan: { kind: 'list', items: again } },
    {
      compiled: map,
      original: { type: 'object' },
      plan: { kind: 'object', members: new Map(), extra: { name: at.names.entries, plan: again } },
    },
  ]
  const schema = {
    description: 'Any JSON value; an object is a list of entries.',
    anyOf: branches.map(({ compiled }) => compiled),
  }
  return { schema, plan: { kind: 'union', branches } }
}
