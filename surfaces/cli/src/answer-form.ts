import type { QuestionView } from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import { type Field, fieldsOf } from './fields.ts'
import type { InputObject } from './flags-to-input.ts'
import { readNode } from './schema-node.ts'
import { parseShown } from './shown.ts'

/**
 * How the answer to a question is written: by its fields, or as a single value where it has none.
 */
export type AnswerForm = {
  readonly fields: readonly Field[]
  readonly secrets: readonly string[]
  readonly isSingleValue: boolean
}

// A single value is written like the only field of an object.
const ANSWER_FIELD = 'answer'

export function answerForm(question: QuestionView): AnswerForm {
  const schema = (question.schema ?? {}) as JsonSchema
  const { sensitive = [] } = parseShown(question)
  const secrets = Array.isArray(sensitive) ? sensitive.map(String) : []
  if (readNode(schema, schema).properties !== undefined)
    return { fields: fieldsOf(schema, secrets), secrets, isSingleValue: false }
  const within = secrets.map((path) =>
    path === '' || path.startsWith('[') ? `${ANSWER_FIELD}${path}` : `${ANSWER_FIELD}.${path}`,
  )
  const wrapped = {
    type: 'object',
    properties: { [ANSWER_FIELD]: schema },
    required: [ANSWER_FIELD],
    $defs: schema.$defs,
  }
  return { fields: fieldsOf(wrapped, within).slice(0, 1), secrets: within, isSingleValue: true }
}

/** An answer as an object with the fields of its form. */
export function toInput(answer: unknown, { isSingleValue }: AnswerForm): InputObject {
  if (answer === undefined) return {}
  if (isSingleValue) return { [ANSWER_FIELD]: answer }
  return typeof answer === 'object' && answer !== null ? structuredClone(answer as InputObject) : {}
}

export function fromInputObject(input: InputObject, { isSingleValue }: AnswerForm): unknown {
  return isSingleValue ? input[ANSWER_FIELD] : input
}
