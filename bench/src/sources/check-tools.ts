import type { SampleOperation } from './documents.ts'
import type { CreatedTools } from './work.ts'

/** Whether the tool of the sample operation has its parameters and its body. */
export type ToolCheck = 'complete' | 'no parameters' | 'no body' | 'no such tool' | 'no tools'

export function checkTools({ schemaOf }: CreatedTools, sample: SampleOperation): ToolCheck {
  if (schemaOf === undefined) return 'no tools'
  const schema = schemaOf(sample)
  if (schema === undefined) return 'no such tool'
  const names = new Set(propertyNames(schema, { root: schema, levels: 2 }))
  if (!sample.parameters.every((name) => names.has(name))) return 'no parameters'
  return sample.body.every((name) => names.has(name)) ? 'complete' : 'no body'
}

type Fields = Readonly<Record<string, unknown>>
type Place = { readonly root: unknown; readonly levels: number }

/** The properties of a schema and of the schemas in it: some generators put the fields of a body beside the parameters, others into a property of its own. */
function propertyNames(schema: unknown, { root, levels }: Place): readonly string[] {
  if (levels === 0 || !isFields(schema)) return []
  const { $ref, properties } = schema
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
    Array.isArray(schema[keyword]) ? schema[keyword] : [],
  )
  const inner = typeof $ref === 'string' ? [...branches, resolveReference(root, $ref)] : branches
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

function resolveReference(root: unknown, reference: string): unknown {
  const names = reference.replace(/^#\/?/, '').split('/')
  return names.reduce<unknown>(
    (at, name) => (isFields(at) ? at[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    root,
  )
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
