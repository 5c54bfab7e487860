import type { JsonSchema } from '@surehand/core/internal'
import type { Draft } from '../answer/selection.ts'
import type { InputValue } from '../schema/schema-model.ts'

/** The name of the argument that asks for less; one of the operation's own keeps its name. */
export function choiceName(inputs: readonly InputValue[]): string {
  const taken = new Set(inputs.map(({ name }) => name))
  let name = 'fields'
  while (taken.has(name)) name = `${name}__answer`
  return name
}

/** Less of what is asked for anyway: it can only make an answer smaller. */
export function choiceSchema(drafts: readonly Draft[]): JsonSchema {
  return {
    type: 'array',
    items: { type: 'string', maxLength: 500 },
    minItems: 1,
    maxItems: 50,
    description: `Only these parts of the answer, as paths such as "${somePath(drafts)}". Left out: all of it.`,
  }
}

function somePath(drafts: readonly Draft[]): string {
  const nested = drafts.find(({ name, fields }) => name !== 'pageInfo' && fields !== undefined)
  if (nested?.fields === undefined) return drafts.at(-1)?.name ?? ''
  return `${nested.name}.${nested.fields.find(({ name, fields }) => name !== '__typename' && fields === undefined)?.name ?? nested.fields[0]?.name ?? ''}`
}
