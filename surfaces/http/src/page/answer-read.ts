import { parseJson } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import type { Control, Field } from './answer-field.ts'

/** Something wrong with one field, as people read it. */
export type FieldProblem = { readonly path: readonly string[]; readonly error: string }

/** An answer as it was typed; what could not be read as its field wants it is a problem. */
export type ReadAnswer = { readonly value: unknown; readonly problems: readonly FieldProblem[] }

const MOST_BYTES = 1_048_576
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** The answer that a filled-in form stands for. A field that was left empty is left out where it may be. */
export function readAnswer(field: Field, form: URLSearchParams): ReadAnswer {
  const problems: FieldProblem[] = []
  const value = read(field, form, (path, error) => problems.push({ path, error }))
  return { value, problems }
}

type Complain = (path: readonly string[], error: string) => void

function read(field: Field, form: URLSearchParams, complain: Complain): unknown {
  const { control, filled } = field
  if (control.kind === 'group') return readGroup(field, control.fields, form, complain)
  const text = typed(field, form)
  // to the byte what was drafted: a form ends lines in its own way, and a number may be written in several
  if (filled !== undefined && text === lineEnds(field.text)) return filled
  if (text.trim() === '') return readEmpty(field, complain)
  return readText(control, text, (error) => complain(field.path, error))
}

function readGroup(
  field: Field,
  fields: readonly Field[],
  form: URLSearchParams,
  complain: Complain,
): unknown {
  if (isBlank(field, form)) {
    if (field.isOptional) return undefined
    if (field.isNullable) return null
  }
  const members = fields.map(
    (member) => [member.path.at(-1) ?? '', read(member, form, complain)] as const,
  )
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

function isBlank(field: Field, form: URLSearchParams): boolean {
  if (field.control.kind === 'group')
    return field.control.fields.every((member) => isBlank(member, form))
  return typed(field, form).trim() === '' && !field.isSecret
}

function readEmpty({ control, path, isOptional, isNullable }: Field, complain: Complain): unknown {
  if (isOptional) return undefined
  if (isNullable) return null
  if (control.kind === 'lines') return []
  // an empty text may be an answer: its schema says whether it is
  if (control.kind === 'text' && control.format === undefined) return ''
  complain(path, 'is missing')
  return undefined
}

function readText(
  control: Exclude<Control, { kind: 'group' }>,
  text: string,
  complain: (error: string) => void,
): unknown {
  switch (control.kind) {
    case 'text':
      // a key that was pressed once too often
      return text.replace(/\n+$/, '')
    case 'number':
      return readNumber(text, complain)
    case 'choice': {
      const choice = control.choices.find((one) => one.text === text)
      if (choice === undefined) complain('is none of the choices')
      return choice?.value
    }
    case 'lines':
      return text
        .split('\n')
        .map((line, index) => ({ line, number: index + 1 }))
        .filter(({ line }) => line.trim() !== '')
        .map(({ line, number }) =>
          control.of === 'text'
            ? line
            : readNumber(line, (error) => complain(`line ${number} ${error}`)),
        )
    case 'json':
      try {
        return parseJson(text, MOST_BYTES)
      } catch (thrown) {
        complain(`can not be read: ${toToolError(thrown).message}`)
        return undefined
      }
  }
}

function readNumber(text: string, complain: (error: string) => void): unknown {
  const number = Number(text)
  if (!NUMBER.test(text.trim()) || !Number.isFinite(number))
    complain('is not a number, such as 12 or 1.5')
  // what would be kept is another number than the one that was typed
  else if (Number.isInteger(number) && !Number.isSafeInteger(number))
    complain('is too large to be kept exactly')
  return number
}

/** What stands in a field of the form. */
export function typed({ name }: Pick<Field, 'name'>, form: URLSearchParams): string {
  return lineEnds(form.get(name) ?? '')
}

function lineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
