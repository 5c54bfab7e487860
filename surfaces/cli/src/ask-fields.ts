import { isRecord } from '@surehand/core/worker-entry'
import { CANCELLED } from './cancelled.ts'
import { describeForm, parseValue } from './field-value.ts'
import type { Field } from './fields.ts'
import { type InputObject, setField } from './flags-to-input.ts'
import type { Prompt } from './prompt.ts'
import { safeLine } from './safe-text.ts'
import type { Terminal } from './terminal.ts'

/** Required fields that are not there, the outer before the inner; what stands in an optional object counts once that is there. */
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

/** Every field once: an object that must be there, or is, by its members, any other as JSON. */
export function allFields(draft: InputObject, fields: readonly Field[]): readonly Field[] {
  const isTakenApart = (key: string | undefined): boolean =>
    fields.some(
      (field) =>
        field.path.length === 1 &&
        field.path[0] === key &&
        (field.isRequired || isRecord(valueAt(draft, field.path))),
    ) && fields.some((field) => field.path.length === 2 && field.path[0] === key)
  return fields.filter(({ path }) => isTakenApart(path[0]) === path.length > 1)
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
  readonly terminal: Terminal
  /** What stands there already: an empty line keeps it, or leaves out what need not be there. */
  readonly draft?: InputObject
}

/** Nothing is put there. */
const NOTHING = Symbol('nothing')

/** Asks a person for fields. */
export async function askFields(
  input: InputObject,
  fields: readonly Field[],
  on: PromptContext,
): Promise<InputObject | typeof CANCELLED> {
  for (const field of fields) {
    const offered = on.draft === undefined ? undefined : valueAt(on.draft, field.path)
    const asked = {
      field,
      offered,
      mayBeEmpty: offered !== undefined || (on.draft !== undefined && !field.isRequired),
    }
    const value = field.isList ? await askList(asked, on) : await askOne(asked, on)
    if (value === CANCELLED) return CANCELLED
    if (value !== NOTHING) setField(input, field, value)
  }
  return input
}

type FieldPrompt = {
  readonly field: Field
  readonly offered: unknown
  readonly mayBeEmpty: boolean
}

async function askOne(
  { field, offered, mayBeEmpty }: FieldPrompt,
  { prompt, terminal }: PromptContext,
): Promise<unknown> {
  const question = questionFor(field)
  const offer = mayBeEmpty ? offerOf(field, offered) : undefined
  if (field.form.kind === 'choice' && !field.isSecret) {
    const chosen = await prompt.choose(question, field.form.values.map(String), offer)
    if (chosen === CANCELLED) return CANCELLED
    return chosen === '' ? orNothing(offered) : parseValue(chosen, field.form)
  }
  if (field.form.kind === 'boolean') {
    const answer =
      offer === undefined ? await prompt.confirm(question) : await prompt.confirmOr(question, offer)
    if (answer === CANCELLED) return CANCELLED
    return answer === '' ? orNothing(offered) : answer === 'yes'
  }
  const asks = `${question}${offer === undefined ? '' : ` [${offer}]`}:`
  for (;;) {
    const answer = field.isSecret ? await prompt.askHidden(asks) : await prompt.ask(asks)
    if (answer === CANCELLED) return CANCELLED
    if (answer === '' && offer !== undefined) return orNothing(offered)
    const value = parseValue(answer, field.form)
    if (value !== undefined) return value
    terminal.stderr.write(`It takes ${safeLine(describeForm(field.form))}.\n`)
  }
}

async function askList(
  { field, offered, mayBeEmpty }: FieldPrompt,
  { prompt, terminal }: PromptContext,
): Promise<unknown> {
  const items: unknown[] = []
  for (;;) {
    const empty = items.length === 0 && mayBeEmpty ? `[${offerOf(field, offered)}]` : '(empty ends)'
    const question = `${questionFor(field)}, ${items.length + 1}. ${empty}:`
    const answer = field.isSecret ? await prompt.askHidden(question) : await prompt.ask(question)
    if (answer === CANCELLED) return CANCELLED
    if (answer === '') return items.length === 0 && mayBeEmpty ? orNothing(offered) : items
    const value = parseValue(answer, field.form)
    if (value === undefined)
      terminal.stderr.write(`It takes ${safeLine(describeForm(field.form))}.\n`)
    else items.push(value)
  }
}

function orNothing(offered: unknown): unknown {
  return offered === undefined ? NOTHING : offered
}

const LONG = 60

/** What an empty line stands for. A secret is not shown, and a long text was shown whole above. */
function offerOf({ form, isSecret }: Field, offered: unknown): string {
  if (offered === undefined) return 'leave out'
  if (isSecret) return 'as it is'
  if (form.kind === 'boolean') return offered === true ? 'yes' : 'no'
  const text = Array.isArray(offered) ? offered.map(wordOf).join(', ') : wordOf(offered)
  return text.length > LONG || text.includes('\n') ? 'as shown' : text
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function questionFor({ name, keywords }: Field): string {
  return typeof keywords.description === 'string' ? `${name} (${keywords.description})` : name
}
