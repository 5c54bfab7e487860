import { type Field, isList, nameOf, type SchemaModel } from '../schema/schema-model.ts'

export type FoundPath =
  | { readonly ok: true; readonly fields: readonly Field[] }
  | { readonly ok: false; readonly reason: string }

const LONGEST = 5

/** The fields from a root along some names. */
export function findPath(root: string, names: readonly string[], model: SchemaModel): FoundPath {
  if (names.length > LONGEST)
    return { ok: false, reason: `its path is longer than ${LONGEST} fields` }
  const fields: Field[] = []
  let owner = root
  for (const name of names) {
    const type = model.types.get(owner)
    const field =
      type?.kind === 'object' || type?.kind === 'interface'
        ? type.fields.find((one) => one.name === name)
        : undefined
    if (field === undefined) return { ok: false, reason: `${owner} has no field "${name}"` }
    const before = fields.at(-1)
    if (before !== undefined && isList(before.type))
      return { ok: false, reason: `"${before.name}" is a list, and a path goes through none` }
    fields.push(field)
    owner = nameOf(field.type)
  }
  return { ok: true, fields }
}
