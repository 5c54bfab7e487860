import type { Named } from './documents.ts'
import type { Made } from './work.ts'

/** How the named operation came out. */
export type Verdict = 'whole' | 'no parameters' | 'no body' | 'no such tool' | 'no tools'

export function checkMade({ schemaOf }: Made, named: Named): Verdict {
  if (schemaOf === undefined) return 'no tools'
  const schema = schemaOf(named)
  if (schema === undefined) return 'no such tool'
  const names = new Set(propertyNames(schema, { root: schema, levels: 2 }))
  if (!named.parameters.every((name) => names.has(name))) return 'no parameters'
  return named.body.every((name) => names.has(name)) ? 'whole' : 'no body'
}

type Fields = Readonly<Record<string, unknown>>
type Place = { readonly root: unknown; readonly levels: number }

/** The properties of a schema and of those within: some lay a body's fields beside the parameters, others under a property of its own. */
function propertyNames(schema: unknown, { root, levels }: Place): readonly string[] {
  if (levels === 0 || !isFields(schema)) return []
  const { $ref, properties } = schema
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
    Array.isArray(schema[keyword]) ? schema[keyword] : [],
  )
  const inner = typeof $ref === 'string' ? [...branches, resolved(root, $ref)] : branches
  const own = isFields(properties) ? Object.entries(properties) : []
  return [
    ...own.flatMap(([name, property]) => [
      name,
      ...propertyNames(property, { root, levels: levels - 1 }),
    ]),
    ...inner.flatMap((branch) =>
      branch === schema ? [] : propertyNames(branch, { root, levels }),
    ),
  ]
}

function resolved(root: unknown, reference: string): unknown {
  const names = reference.replace(/^#\/?/, '').split('/')
  return names.reduce<unknown>(
    (at, name) => (isFields(at) ? at[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    root,
  )
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
