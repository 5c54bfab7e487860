import type { JsonSchema } from '@surehand/core/internal'
import { readNode, type SchemaNode } from './schema-node.ts'

/** How one value is written: `scalar` may be a text, a number or both, `json` is JSON text. */
export type ValueForm =
  | { readonly kind: 'text' }
  | { readonly kind: 'number' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly values: readonly unknown[] }
  | { readonly kind: 'scalar' }
  | { readonly kind: 'json' }

/** One flag of a tool. */
export type Field = {
  readonly name: string
  readonly path: readonly string[]
  readonly form: ValueForm
  /** The flag may be repeated; each value is an item. */
  readonly isList: boolean
  /** The tool refuses an input without it, if the object that contains it is there. */
  readonly isRequired: boolean
  readonly isSecret: boolean
  readonly keywords: JsonSchema
}

// `--a.b` and no deeper: beyond that, JSON is easier to write.
const DEEPEST = 2

/**
 * The flags of a tool's input schema. An object with flags for its fields also has a flag of its
 * own, for JSON.
 */
export function fieldsOf(
  schema: JsonSchema,
  secrets: readonly string[],
  deepest = DEEPEST,
): readonly Field[] {
  const found = new Map<string, Field>()
  collect(readNode(schema, schema), { root: schema, path: [], secrets, found, deepest })
  return [...found.values()]
}

type Walk = {
  readonly root: JsonSchema
  readonly path: readonly string[]
  readonly secrets: readonly string[]
  readonly found: Map<string, Field>
  readonly deepest: number
}

function collect(node: SchemaNode, walk: Walk): void {
  for (const [key, schema] of node.properties ?? []) {
    const path = [...walk.path, key]
    const name = path.join('.')
    const inner = readNode(schema, walk.root)
    // a name with a dot in it may meet another's path: the first has the flag, the other is written
    // as JSON
    if (!walk.found.has(name))
      walk.found.set(name, fieldOf(inner, { ...walk, path }, node.required.has(key)))
    if (
      inner.properties !== undefined &&
      path.length < walk.deepest &&
      !isSecretAt(path, walk.secrets)
    )
      collect(inner, { ...walk, path })
  }
}

function fieldOf(node: SchemaNode, { path, root, secrets }: Walk, isRequired: boolean): Field {
  const isList = only(node, 'array') && node.items !== undefined
  const item = isList ? readNode(node.items, root) : node
  return {
    name: path.join('.'),
    path,
    // a list in a list is JSON
    form: isList && only(item, 'array') ? { kind: 'json' } : formOf(item),
    isList,
    isRequired,
    isSecret: isSecretAt(path, secrets),
    keywords: node.keywords,
  }
}

function formOf(node: SchemaNode): ValueForm {
  const types = [...node.types].filter((type) => type !== 'null')
  if (node.values !== undefined) {
    const values = node.values.filter((value) => value !== null)
    // `1` and `"1"` cannot be told apart as words
    const isPlain =
      values.every((value) => typeof value !== 'object') &&
      new Set(values.map(String)).size === values.length
    return isPlain && values.length > 0 ? { kind: 'choice', values } : { kind: 'json' }
  }
  if (types.every((type) => type === 'string'))
    return types.length === 0 ? { kind: 'json' } : { kind: 'text' }
  if (types.every((type) => type === 'number' || type === 'integer')) return { kind: 'number' }
  if (types.every((type) => type === 'boolean')) return { kind: 'boolean' }
  const isScalar = types.every(
    (type) => type === 'string' || type === 'number' || type === 'integer' || type === 'boolean',
  )
  return { kind: isScalar ? 'scalar' : 'json' }
}

function only(node: SchemaNode, type: string): boolean {
  return (
    node.values === undefined &&
    node.types.has(type) &&
    [...node.types].every((one) => one === type || one === 'null')
  )
}

/** Is it secret, a list of secrets, or part of one? */
function isSecretAt(path: readonly string[], secrets: readonly string[]): boolean {
  const name = path.join('.')
  return secrets.some((secret) => {
    const bare = secret.replaceAll(/\[\d*\]/g, '')
    return bare === name || name.startsWith(`${bare}.`)
  })
}

/** Does a field's own JSON carry a secret somewhere inside? */
export function holdsSecret(field: Field, secrets: readonly string[]): boolean {
  return (
    field.isSecret ||
    secrets.some(
      (secret) => secret.startsWith(`${field.name}.`) || secret.startsWith(`${field.name}[`),
    )
  )
}
