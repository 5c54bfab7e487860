import type { JsonSchema } from '@surehand/core/internal'
import { type CompileContext, type Compiled, reportLoss } from './compile-context.ts'
import { compileMember } from './compile-object.ts'
import { type Extra, type Member, type Plan, SAME } from './plan.ts'
import { withConstraints } from './with-constraints.ts'

/** Compiles a list or a tuple. */
export function compileList(node: JsonSchema, path: string, at: CompileContext): Compiled {
  if (Array.isArray(node.prefixItems)) return compileTuple(node, node.prefixItems, path, at)
  const items = at.node(node.items, `${path}/items`, at)
  const plan: Plan = items.plan === SAME ? SAME : { kind: 'list', items: items.plan }
  const hasItems = Object.keys(items.schema).length > 0
  const bounded = withFewestItems(node, at)
  const schema = {
    type: 'array',
    ...(hasItems || at.dialect.isClosed ? { items: items.schema } : {}),
    ...bounded.kept,
  }
  return { schema: withConstraints(schema, bounded.node, path, at), plan }
}

// Anthropic's strict mode supports minItems only with 0 and 1.
function withFewestItems(
  node: JsonSchema,
  { dialect }: CompileContext,
): { readonly node: JsonSchema; readonly kept: JsonSchema } {
  if (dialect.name !== 'anthropic-strict' || (node.minItems !== 0 && node.minItems !== 1))
    return { node, kept: {} }
  const { minItems, ...rest } = node
  return { node: rest, kept: { minItems } }
}

function compileTuple(
  node: JsonSchema,
  prefix: readonly unknown[],
  path: string,
  at: CompileContext,
): Compiled {
  return at.dialect.isClosed
    ? tupleAsObject(node, prefix, path, at)
    : tupleAsList(node, prefix, path, at)
}

function tupleAsList(
  node: JsonSchema,
  prefix: readonly unknown[],
  path: string,
  at: CompileContext,
): Compiled {
  const items = prefix.map(
    (part, index) => at.node(part, `${path}/prefixItems/${index}`, at).schema,
  )
  const isOpen = node.items !== false
  const rest =
    isOpen && node.items !== undefined
      ? { items: at.node(node.items, `${path}/items`, at).schema }
      : {}
  const most = isOpen
    ? {}
    : { maxItems: Math.min(prefix.length, Number(node.maxItems ?? prefix.length)) }
  return {
    schema: {
      ...withConstraints({ type: 'array', prefixItems: items, ...rest }, node, path, at),
      ...most,
    },
    plan: SAME,
  }
}

function tupleAsObject(
  node: JsonSchema,
  prefix: readonly unknown[],
  path: string,
  at: CompileContext,
): Compiled {
  const { minItems = 0, maxItems, prefixItems: _, items, ...constraints } = node
  const properties: Record<string, JsonSchema> = {}
  const members = new Map<string, Member>()
  const wanted: string[] = []
  for (const [index, part] of prefix.entries()) {
    const name = `${at.names.item}_${index + 1}`
    const presence = index < Number(minItems) ? 'required' : 'optional'
    const { schema, member } = compileMember(part, `${path}/prefixItems/${index}`, presence, at)
    properties[name] = schema
    members.set(name, member)
    if (presence === 'required' || at.dialect.absentAs === 'null') wanted.push(name)
  }
  const isFull = items === false || (typeof maxItems === 'number' && maxItems <= prefix.length)
  const rest = isFull ? undefined : restOf(items, path, at)
  if (rest !== undefined) {
    properties[rest.name] = rest.schema
    wanted.push(rest.name)
  }
  if (Number(minItems) > prefix.length || (rest !== undefined && maxItems !== undefined))
    reportLoss(at, {
      path,
      keyword: 'minItems',
      why: 'The length of a list with named items cannot be expressed; the runtime checks it.',
    })
  const schema = { type: 'object', properties, required: wanted, additionalProperties: false }
  const description = 'A list: its items by position.'
  const plan: Plan = {
    kind: 'tuple',
    members,
    rest: rest === undefined ? undefined : { name: rest.name, plan: rest.plan },
  }
  return { schema: withConstraints(schema, { description, ...constraints }, path, at), plan }
}

function restOf(
  items: unknown,
  path: string,
  at: CompileContext,
): Extra & { readonly schema: JsonSchema } {
  const compiled = at.node(items, `${path}/items`, at)
  return {
    name: at.names.rest,
    plan: compiled.plan,
    schema: { type: 'array', description: 'The items after these.', items: compiled.schema },
  }
}
