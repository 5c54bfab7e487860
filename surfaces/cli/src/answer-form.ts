import type { QuestionView } from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import { type Field, fieldsOf } from './fields.ts'
import type { InputObject } from './flags-to-input.ts'
import { readNode } from './schema-node.ts'
import { shownOf } from './shown.ts'

/** How the answer to a question is written: by its fields, or as one value where it has none. */
export type AnswerForm = {
  readonly fields: readonly Field[]
  readonly secrets: readonly string[]
  readonly isOne: boolean
}

// a bare value is written like the one field of an object
const ONE = 'answer'

export function answerForm(question: QuestionView): AnswerForm {
  const schema = (question.schema ?? {}) as JsonSchema
  const { sensitive = [] } = shownOf(question)
  const secrets = Array.isArray(sensitive) ? sensitive.map(String) : []
  if (readNode(schema, schema).properties !== undefined)
    return { fields: fieldsOf(schema, secrets), secrets, isOne: false }
  const within = secrets.map((path) =>
    path === '' || path.startsWith('[') ? `${ONE}${path}` : `${ONE}.${path}`,
  )
  const wrapped = {
    type: 'object',
    properties: { [ONE]: schema },
    required: [ONE],
    $defs: schema.$defs,
  }
  return { fields: fieldsOf(wrapped, within).slice(0, 1), secrets: within, isOne: true }
}

/** An answer as the object its fields are put in. */
export function wrapped(answer: unknown, { isOne }: AnswerForm): InputObject {
  if (answer === undefined) return {}
  if (isOne) return { [ONE]: answer }
  return typeof answer === 'object' && answer !== null ? structuredClone(answer as InputObject) : {}
}

export function unwrapped(input: InputObject, { isOne }: AnswerForm): unknown {
  return isOne ? input[ONE] : input
}
