import { parseJson } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import type { Control, Field } from './answer-field.ts'

/** A problem with one field, in words for the person who filled it in. */
export type FieldProblem = { readonly path: readonly string[]; readonly error: string }

/** The answer that was typed, and the fields that could not be read. */
export type ReadAnswer = { readonly value: unknown; readonly problems: readonly FieldProblem[] }

const MAX_BYTES = 1_048_576
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** Reads the answer from a submitted form. An optional field that is empty is left out of it. */
export function readAnswer(field: Field, form: URLSearchParams): ReadAnswer {
  const problems: FieldProblem[] = []
  const value = read(field, form, (path, error) => problems.push({ path, error }))
  return { value, problems }
}

type ReportProblem = (path: readonly string[], error: string) => void

function read(field: Field, form: URLSearchParams, report: ReportProblem): unknown {
  const { control, filled } = field
  if (control.kind === 'group') return readGroup(field, control.fields, form, report)
  const text = typedText(field, form)
  // An unchanged field returns the draft exactly: browsers change line ends, and a number can be
  // written in several ways.
  if (filled !== undefined && text === normalizeLineEnds(field.text)) return filled
  if (text.trim() === '') return readEmpty(field, report)
  return readText(control, text, (error) => report(field.path, error))
}

function readGroup(
  field: Field,
  fields: readonly Field[],
  form: URLSearchParams,
  report: ReportProblem,
): unknown {
  if (isBlank(field, form)) {
    if (field.isOptional) return undefined
    if (field.isNullable) return null
  }
  const members = fields.map(
    (member) => [member.path.at(-1) ?? '', read(member, form, report)] as const,
  )
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

function isBlank(field: Field, form: URLSearchParams): boolean {
  if (field.control.kind === 'group')
    return field.control.fields.every((member) => isBlank(member, form))
  return typedText(field, form).trim() === '' && !field.isSecret
}

function readEmpty(
  { control, path, isOptional, isNullable }: Field,
  report: ReportProblem,
): unknown {
  if (isOptional) return undefined
  if (isNullable) return null
  if (control.kind === 'lines') return []
  // Whether an empty text is a valid answer is for the schema to decide.
  if (control.kind === 'text' && control.format === undefined) return ''
  report(path, 'is missing')
  return undefined
}

function readText(
  control: Exclude<Control, { kind: 'group' }>,
  text: string,
  report: (error: string) => void,
): unknown {
  switch (control.kind) {
    case 'text':
      // Line breaks at the end are usually typed by accident.
      return text.replace(/\n+$/, '')
    case 'number':
      return readNumber(text, report)
    case 'choice': {
      const choice = control.choices.find((one) => one.text === text)
      if (choice === undefined) report('is not one of the choices')
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
            : readNumber(line, (error) => report(`line ${number} ${error}`)),
        )
    case 'json':
      try {
        return parseJson(text, MAX_BYTES)
      } catch (thrown) {
        report(`cannot be read: ${toToolError(thrown).message}`)
        return undefined
      }
  }
}

function readNumber(text: string, report: (error: string) => void): unknown {
  const number = Number(text)
  if (!NUMBER.test(text.trim()) || !Number.isFinite(number))
    report('is not a number, such as 12 or 1.5')
  // A larger integer would be stored as a different number than the one that was typed.
  else if (Number.isInteger(number) && !Number.isSafeInteger(number))
    report('is too large to be stored exactly')
  return number
}

/** The text that was typed into a field. */
export function typedText({ name }: Pick<Field, 'name'>, form: URLSearchParams): string {
  return normalizeLineEnds(form.get(name) ?? '')
}

function normalizeLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
