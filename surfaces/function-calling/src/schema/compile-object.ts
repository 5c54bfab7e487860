import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { type CompileContext, type Compiled, reportLoss } from './compile-context.ts'
import { matchesSchema } from './matches-schema.ts'
import { NEVER } from './merge-schemas.ts'
import { normalizeNode } from './normalize-node.ts'
import { type Extra, type Member, type Plan, SAME } from './plan.ts'
import { withConstraints } from './with-constraints.ts'

/**
 * Compiles an object. If the dialect supports only named members, the others become a list of
 * entries.
 */
export function compileObject(raw: JsonSchema, path: string, at: CompileContext): Compiled {
  const node = withListedNames(raw)
  const required = new Set((node.required as readonly string[] | undefined) ?? [])
  const properties: Record<string, JsonSchema> = {}
  const members = new Map<string, Member>()
  for (const [name, part] of Object.entries((node.properties as JsonSchema | undefined) ?? {})) {
    // An optional member that no value fits is omitted.
    if (!required.has(name) && normalizeNode(part, at.root) === NEVER) continue
    const compiled = compileMember(
      part,
      `${path}/properties/${escapeName(name)}`,
      required.has(name) ? 'required' : 'optional',
      at,
    )
    properties[name] = compiled.schema
    members.set(name, compiled.member)
  }
  const { patternProperties, ...constraints } = node
  const further = additionalSchemaOf(node)
  const named = Object.keys(properties)
  if (!at.dialect.isClosed) {
    const open =
      further === undefined
        ? closedKeyword(node)
        : { additionalProperties: compileFurther(further, path, at) }
    const wanted = named.filter((name) => required.has(name))
    const schema = {
      type: 'object',
      properties,
      ...(wanted.length > 0 ? { required: wanted } : {}),
      ...open,
    }
    return {
      schema: withConstraints(schema, withPatterns(constraints, patternProperties), path, at),
      plan: objectPlan(members),
    }
  }
  const extra = further === undefined ? undefined : compileEntries(further, node, path, at)
  if (extra !== undefined) properties[extra.name] = extra.schema
  const wanted = Object.keys(properties).filter(
    (name) => at.dialect.absentAs === 'null' || required.has(name) || name === extra?.name,
  )
  const schema = { type: 'object', properties, required: wanted, additionalProperties: false }
  const plan: Plan =
    extra === undefined
      ? objectPlan(members)
      : { kind: 'object', members, extra: { name: extra.name, plan: extra.plan } }
  return {
    schema: withConstraints(schema, withPatterns(constraints, patternProperties), path, at),
    plan,
  }
}

function withPatterns(node: JsonSchema, patternProperties: unknown): JsonSchema {
  return patternProperties === undefined ? node : { ...node, patternProperties }
}

function objectPlan(members: ReadonlyMap<string, Member>): Plan {
  const isSame = [...members.values()].every(
    ({ plan, whenNull }) => plan === SAME && whenNull === 'null',
  )
  return isSame && [...members.values()].every(({ whenAbsent }) => whenAbsent === 'absent')
    ? SAME
    : { kind: 'object', members, extra: undefined }
}

export type CompiledMember = { readonly schema: JsonSchema; readonly member: Member }

/** Compiles a member. An optional one becomes nullable if the dialect requires all members. */
export function compileMember(
  part: unknown,
  path: string,
  presence: 'required' | 'optional',
  at: CompileContext,
): CompiledMember {
  const { schema, plan } = at.node(part, path, at)
  if (presence === 'required' || at.dialect.absentAs === 'absent') {
    return { schema, member: { plan, whenNull: 'null', whenAbsent: 'absent' } }
  }
  // If null is a valid value, it cannot stand for a missing member.
  if (!matchesSchema(part, null, at.root))
    return { schema: nullable(schema), member: { plan, whenNull: 'absent', whenAbsent: 'null' } }
  reportLoss(at, {
    path,
    keyword: 'required',
    why: 'Null is a valid value here and cannot stand for a missing member, so that the member is required.',
  })
  return { schema, member: { plan, whenNull: 'null', whenAbsent: 'null' } }
}

function nullable(schema: JsonSchema): JsonSchema {
  const { description, title, ...rest } = schema
  const words = {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  }
  const isUnion = Array.isArray(rest.anyOf) && Object.keys(rest).length === 1
  return {
    ...words,
    anyOf: [...(isUnion ? (rest.anyOf as readonly unknown[]) : [rest]), { type: 'null' }],
  }
}

// Adds the names that a schema lists without a schema of their own as members: the keys of a map
// over an enum, and required names.
function withListedNames(node: JsonSchema): JsonSchema {
  const { propertyNames, ...rest } = node
  const own = (node.properties as JsonSchema | undefined) ?? {}
  const listed =
    isRecord(propertyNames) && Array.isArray(propertyNames.enum)
      ? propertyNames.enum.map(String)
      : undefined
  const required = (node.required as readonly string[] | undefined) ?? []
  const missing = [...(listed ?? []), ...required].filter((name) => !Object.hasOwn(own, name))
  const value = node.additionalProperties ?? {}
  const properties = { ...own, ...Object.fromEntries(missing.map((name) => [name, value])) }
  if (listed !== undefined) return { ...rest, properties, additionalProperties: false }
  return missing.length === 0
    ? node
    : {
        ...node,
        properties,
        additionalProperties: node.additionalProperties ?? ('properties' in node ? false : {}),
      }
}

/**
 * The schema of members that are not named. An object without `properties` may have any; one with
 * `properties` has only those.
 */
function additionalSchemaOf(node: JsonSchema): unknown {
  const { additionalProperties: given, patternProperties } = node
  const patterns = isRecord(patternProperties) ? Object.values(patternProperties) : []
  const isOpen = given === undefined && !('properties' in node) && patterns.length === 0
  const others = isOpen
    ? [{}]
    : given === undefined || given === false
      ? []
      : [given === true ? {} : given]
  const all = [...patterns, ...others]
  return all.length > 1 ? { anyOf: all } : all[0]
}

function closedKeyword({ additionalProperties: given }: JsonSchema): JsonSchema {
  return given === false ? { additionalProperties: false } : {}
}

function compileFurther(further: unknown, path: string, at: CompileContext): JsonSchema {
  return at.node(further, `${path}/additionalProperties`, at).schema
}

function compileEntries(
  further: unknown,
  node: JsonSchema,
  path: string,
  at: CompileContext,
): Extra & { readonly schema: JsonSchema } {
  const value = at.node(further, `${path}/additionalProperties`, at)
  const key = at.node(
    { type: 'string', ...((node.propertyNames as JsonSchema | undefined) ?? {}) },
    `${path}/propertyNames`,
    at,
  )
  const entry = {
    type: 'object',
    properties: { key: key.schema, value: value.schema },
    required: ['key', 'value'],
    additionalProperties: false,
  }
  const description = 'Members by name: each entry is a key, used once, and its value.'
  return {
    name: at.names.entries,
    plan: value.plan,
    schema: { type: 'array', description, items: entry },
  }
}

function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
