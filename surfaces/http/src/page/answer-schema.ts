/** A JSON Schema as plain JSON. */
export type Schema = { readonly [key: string]: unknown }

const MAX_HOPS = 8

/**
 * A field's schema with its references followed and "or null" removed; an empty schema where a
 * reference cannot be followed.
 */
export function resolveSchema(
  schema: Schema,
  root: Schema,
): { readonly schema: Schema; readonly isNullable: boolean } {
  const found = followReferences(schema, root)
  if (Array.isArray(found.type)) {
    const types = found.type.filter((type) => type !== 'null')
    const isNullable = types.length < found.type.length
    return {
      schema: types.length === 1 ? { ...found, type: types[0] } : without(found, 'type'),
      isNullable,
    }
  }
  const branches = found.anyOf ?? found.oneOf
  if (!Array.isArray(branches)) return { schema: found, isNullable: false }
  const others = branches.filter((branch: Schema) => branch.type !== 'null')
  if (others.length !== 1 || others.length === branches.length)
    return { schema: found, isNullable: false }
  const inner = resolveSchema(others[0] as Schema, root)
  return { schema: { ...inner.schema, ...annotations(found) }, isNullable: true }
}

function followReferences(schema: Schema, root: Schema): Schema {
  let current = schema
  for (let hop = 0; typeof current.$ref === 'string'; hop++) {
    const target = hop < MAX_HOPS ? resolvePointer(current.$ref, root) : undefined
    if (target === undefined) return {}
    current = { ...target, ...annotations(current) }
  }
  return current
}

function resolvePointer(reference: string, root: Schema): Schema | undefined {
  if (!reference.startsWith('#')) return undefined
  const steps = reference.slice(1).split('/').slice(1)
  const target = steps.reduce<unknown>(
    (node, step) =>
      (node as Record<string, unknown> | undefined)?.[
        decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
      ],
    root,
  )
  return typeof target === 'object' && target !== null ? (target as Schema) : undefined
}

function annotations({ title, description, default: otherwise }: Schema): Schema {
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(otherwise === undefined ? {} : { default: otherwise }),
  }
}

function without(schema: Schema, key: string): Schema {
  const { [key]: _, ...rest } = schema
  return rest
}
