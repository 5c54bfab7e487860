import { isRecord } from '@surehand/core/worker-entry'
import { describeForm, parseValue } from './field-value.ts'
import type { Field } from './fields.ts'
import { type InputObject, setField } from './flags-to-input.ts'
import { type Answered, CANCELLED, type Choice, type Prompt } from './prompt.ts'

/**
 * Required fields without a value, outer before inner. A field of an optional object counts once
 * that object is there.
 */
export function missingFields(input: InputObject, fields: readonly Field[]): readonly Field[] {
  return fields.filter((field) => {
    if (!field.isRequired || valueAt(input, field.path) !== undefined) return false
    const parent = field.path.slice(0, -1)
    if (parent.length > 0) {
      const outer = fields.find(
        ({ path }) =>
          path.length === parent.length && path.every((step, index) => step === parent[index]),
      )
      return valueAt(input, parent) !== undefined || outer?.isRequired === true
    }
    // its members are asked for instead
    return !fields.some(
      (other) => other.path.length === 2 && other.path[0] === field.path[0] && other.isRequired,
    )
  })
}

/**
 * Every field once: an object that is required or present by its members, any other object as JSON.
 */
export function allFields(draft: InputObject, fields: readonly Field[]): readonly Field[] {
  const isSplit = (key: string | undefined): boolean =>
    fields.some(
      (field) =>
        field.path.length === 1 &&
        field.path[0] === key &&
        (field.isRequired || isRecord(valueAt(draft, field.path))),
    ) && fields.some((field) => field.path.length === 2 && field.path[0] === key)
  return fields.filter(({ path }) => isSplit(path[0]) === path.length > 1)
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as InputObject)[step]
        : undefined,
    input,
  )
}

export type PromptContext = {
  readonly prompt: Prompt
  /** Values that are filled in already: an empty answer keeps them, or omits an optional field. */
  readonly draft?: InputObject
}

/** The field is left out of the input. */
const OMITTED = Symbol('omitted')

/** Asks a person for the value of each field. */
export async function askFields(
  input: InputObject,
  fields: readonly Field[],
  { prompt, draft }: PromptContext,
): Answered<InputObject> {
  for (const field of fields) {
    const current = draft === undefined ? undefined : valueAt(draft, field.path)
    const canSkip = current !== undefined || (draft !== undefined && !field.isRequired)
    const asked = { field, current, canSkip }
    const value = field.isList ? await askList(asked, prompt) : await askValue(asked, prompt)
    if (value === CANCELLED) return CANCELLED
    if (value !== OMITTED) setField(input, field, value)
  }
  return input
}

type FieldPrompt = { readonly field: Field; readonly current: unknown; readonly canSkip: boolean }

async function askValue(asked: FieldPrompt, prompt: Prompt): Promise<unknown> {
  const { field, canSkip } = asked
  const question = describeField(field)
  if (field.form.kind === 'choice' && !field.isSecret)
    return askChoice(asked, field.form.values.map(String), prompt)
  if (field.form.kind === 'boolean') return askBoolean(asked, prompt)
  const text = await prompt.text(canSkip ? `${question} [${skipLabel(asked)}]` : question, {
    echo: field.isSecret ? 'hidden' : 'shown',
    validate: (answer) =>
      (answer === '' && canSkip) || parseValue(answer, field.form) !== undefined
        ? undefined
        : `Enter ${describeForm(field.form)}.`,
  })
  if (text === CANCELLED) return CANCELLED
  return text === '' && canSkip ? valueWhenSkipped(asked) : parseValue(text, field.form)
}

const LEAVE_OUT = { value: '', label: '(leave out)' }

async function askChoice(
  asked: FieldPrompt,
  values: readonly string[],
  prompt: Prompt,
): Promise<unknown> {
  const { field, current, canSkip } = asked
  const choices: readonly Choice<string>[] = [
    ...values.map((value) => ({ value })),
    ...(canSkip && current === undefined ? [LEAVE_OUT] : []),
  ]
  const initial = current === undefined ? undefined : String(current)
  const chosen = await prompt.choose(describeField(field), choices, initial)
  if (chosen === CANCELLED) return CANCELLED
  return chosen === LEAVE_OUT.value ? OMITTED : parseValue(chosen, field.form)
}

async function askBoolean(asked: FieldPrompt, prompt: Prompt): Promise<unknown> {
  const { field, current, canSkip } = asked
  const question = describeField(field)
  const answer =
    canSkip && current === undefined
      ? await prompt.choose(question, [{ value: 'yes' }, { value: 'no' }, LEAVE_OUT])
      : await prompt.confirm(question, current === true ? 'yes' : 'no')
  if (answer === CANCELLED) return CANCELLED
  return answer === LEAVE_OUT.value ? OMITTED : answer === 'yes'
}

async function askList(asked: FieldPrompt, prompt: Prompt): Promise<unknown> {
  const { field, canSkip } = asked
  const items: unknown[] = []
  for (;;) {
    const isFirst = items.length === 0
    const hint = isFirst && canSkip ? `[${skipLabel(asked)}]` : '(leave empty to finish)'
    const text = await prompt.text(`${describeField(field)}, item ${items.length + 1} ${hint}`, {
      echo: field.isSecret ? 'hidden' : 'shown',
      validate: (answer) =>
        answer === '' || parseValue(answer, field.form) !== undefined
          ? undefined
          : `Enter ${describeForm(field.form)}.`,
    })
    if (text === CANCELLED) return CANCELLED
    if (text === '') return isFirst && canSkip ? valueWhenSkipped(asked) : items
    items.push(parseValue(text, field.form))
  }
}

function valueWhenSkipped({ current }: FieldPrompt): unknown {
  return current === undefined ? OMITTED : current
}

const LONGEST_SHOWN = 60

/** What an empty answer stands for. A secret is not shown; a long text was shown whole above. */
function skipLabel({ field, current }: FieldPrompt): string {
  if (current === undefined) return 'leave out'
  if (field.isSecret) return 'keep as it is'
  const text = Array.isArray(current) ? current.map(toText).join(', ') : toText(current)
  return text.length > LONGEST_SHOWN || text.includes('\n') ? 'keep as shown' : text
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function describeField({ name, keywords }: Field): string {
  return typeof keywords.description === 'string' ? `${name} (${keywords.description})` : name
}
