import type { Field, ValueForm } from './fields.ts'
import { UsageError } from './usage-error.ts'

// JSON's numbers; a leading plus sign and a missing digit around the point are allowed too.
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const WHOLE = /^[+-]?\d+$/

/** Reads the text of a flag as the value of its field. */
export function parseFieldValue(text: string, field: Field, suggestion: string): unknown {
  const value = parseValue(text, field.form)
  if (value !== undefined) return value
  throw new UsageError(
    `--${field.name} takes ${describeForm(field.form)}, not "${text}".`,
    suggestion,
  )
}

/** Reads a text as a value of this form; undefined where it is not one. */
export function parseValue(text: string, form: ValueForm): unknown {
  switch (form.kind) {
    case 'text':
      return text
    case 'number':
      return numberOf(text)
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'choice':
      return form.values.find((value) => String(value) === text)
    case 'scalar':
      return text === 'true' || text === 'false' ? text === 'true' : (numberOf(text) ?? text)
    case 'json':
      return jsonOf(text)
  }
}

// A whole number beyond the safe integers would silently become another one.
function numberOf(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined
  const value = Number(text)
  return Number.isFinite(value) && (!WHOLE.test(text) || Number.isSafeInteger(value))
    ? value
    : undefined
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Describes the values of a form. */
export function describeForm(form: ValueForm): string {
  switch (form.kind) {
    case 'text':
      return 'a text'
    case 'number':
      return 'a number (whole ones up to 2^53)'
    case 'boolean':
      return 'true or false'
    case 'choice':
      return `one of ${form.values.join(', ')}`
    case 'scalar':
      return 'a text or a number'
    case 'json':
      return 'JSON text'
  }
}
