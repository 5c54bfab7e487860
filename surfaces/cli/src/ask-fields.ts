import { wanted, wordValue } from './field-value.ts'
import type { Field } from './fields.ts'
import { type InputObject, putField } from './flags-to-input.ts'
import { LEFT, type Prompt } from './prompt.ts'
import type { Terminal } from './terminal.ts'

/** Required fields that are not there, the outer before the inner; what stands in an optional object counts once that is there. */
export function missingFields(input: InputObject, fields: readonly Field[]): readonly Field[] {
  return fields.filter((field) => {
    if (!field.isRequired || valueAt(input, field.path) !== undefined) return false
    const parent = field.path.slice(0, -1)
    if (parent.length > 0) {
      const outer = fields.find(({ path }) => path.length === parent.length && path.every((step, index) => step === parent[index]))
      return valueAt(input, parent) !== undefined || outer?.isRequired === true
    }
    // its members are asked for instead
    return !fields.some((other) => other.path.length === 2 && other.path[0] === field.path[0] && other.isRequired)
  })
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? (value as InputObject)[step] : undefined),
    input,
  )
}

/** Asks a person for what is missing. */
export async function askFields(
  input: InputObject,
  missing: readonly Field[],
  { prompt, terminal }: { readonly prompt: Prompt; readonly terminal: Terminal },
): Promise<InputObject | typeof LEFT> {
  for (const field of missing) {
    const value = field.isList ? await askList(field, prompt, terminal) : await askOne(field, prompt, terminal)
    if (value === LEFT) return LEFT
    putField(input, field, value)
  }
  return input
}

async function askOne(field: Field, prompt: Prompt, terminal: Terminal): Promise<unknown> {
  const question = questionFor(field)
  if (field.form.kind === 'choice' && !field.isSecret) {
    const chosen = await prompt.choose(question, field.form.values.map(String))
    return chosen === LEFT ? LEFT : wordValue(chosen, field.form)
  }
  if (field.form.kind === 'boolean') {
    const answer = await prompt.confirm(question)
    return answer === LEFT ? LEFT : answer === 'yes'
  }
  for (;;) {
    const answer = field.isSecret ? await prompt.askHidden(`${question}:`) : await prompt.ask(`${question}:`)
    if (answer === LEFT) return LEFT
    const value = wordValue(answer, field.form)
    if (value !== undefined) return value
    terminal.stderr.write(`It takes ${wanted(field.form)}.\n`)
  }
}

async function askList(field: Field, prompt: Prompt, terminal: Terminal): Promise<unknown> {
  const items: unknown[] = []
  for (;;) {
    const question = `${questionFor(field)}, ${items.length + 1}. (empty ends):`
    const answer = field.isSecret ? await prompt.askHidden(question) : await prompt.ask(question)
    if (answer === LEFT) return LEFT
    if (answer === '') return items
    const value = wordValue(answer, field.form)
    if (value === undefined) terminal.stderr.write(`It takes ${wanted(field.form)}.\n`)
    else items.push(value)
  }
}

function questionFor({ name, keywords }: Field): string {
  return typeof keywords.description === 'string' ? `${name} (${keywords.description})` : name
}
