import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { type Compiled, type CompileContext, reportLoss } from './compile-context.ts'
import { NEVER } from './merge-schemas.ts'
import { normalizeNode } from './normalize-node.ts'
import { type Extra, type Member, type Plan, SAME } from './plan.ts'
import { takesNull } from './takes-null.ts'
import { withConstraints } from './with-constraints.ts'

/** An object: every member by its name; where the dialect knows no others, the others as a list of entries. */
export function compileObject(raw: JsonSchema, path: string, at: CompileContext): Compiled {
  const node = withListedNames(raw)
  const required = new Set((node.required as readonly string[] | undefined) ?? [])
  const properties: Record<string, JsonSchema> = {}
  const members = new Map<string, Member>()
  for (const [name, part] of Object.entries((node.properties as JsonSchema | undefined) ?? {})) {
    // what can't have a value is not asked for
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
  const { patternProperties, ...spoken } = node
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
      schema: withConstraints(schema, withPatterns(spoken, patternProperties), path, at),
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
  return { schema: withConstraints(schema, withPatterns(spoken, patternProperties), path, at), plan }
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

/** A member that may be left out takes null where the dialect wants all of them. */
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
  if (!takesNull(part, at.root))
    return { schema: nullable(schema), member: { plan, whenNull: 'absent', whenAbsent: 'null' } }
  reportLoss(at, {
    path,
    keyword: 'required',
    why: 'Null is a value of its own here, so that it can’t stand for “left out”: it can’t be left out.',
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

// names that a schema lists without their own schemas, as members: a map over an enum, and what it requires
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

/** The schema of members that aren't named. An object that names none may have any; one that names some means those. */
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
