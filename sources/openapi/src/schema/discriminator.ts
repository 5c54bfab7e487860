import type { JsonSchema } from '@surehand/core/internal'
import { type Fields, ownRecord, ownText } from '../document/record.ts'
import { isVisible } from '../document/words.ts'

type Schema = JsonSchema | boolean

/** Branches that a field of the value tells apart: each then takes only its own names, so that no value fits two. */
export function branchesByName(
  branches: readonly Schema[],
  sources: readonly unknown[],
  discriminator: Fields,
): readonly Schema[] {
  const field = ownText(discriminator, 'propertyName')
  if (field === undefined || field === '__proto__' || !isVisible(field)) return branches
  const mapping = Object.entries(ownRecord(discriminator, 'mapping') ?? {})
  const names = sources.map((source) => namesOf(ownText(source, '$ref'), mapping))
  // an inline branch has no name to go by: then the branches say for themselves what they take
  if (names.some((own) => own.length === 0)) return branches
  return branches.map((branch, index) => ({
    allOf: [branch, { properties: { [field]: { enum: names[index] } }, required: [field] }],
  }))
}

function namesOf(
  reference: string | undefined,
  mapping: readonly (readonly [string, unknown])[],
): readonly string[] {
  if (reference === undefined) return []
  const plain = reference.split('/').at(-1) ?? ''
  const mapped = mapping
    .filter(([name, target]) => isVisible(name) && (target === reference || target === plain))
    .map(([name]) => name)
  return mapped.length > 0 ? mapped.toSorted() : [plain]
}
