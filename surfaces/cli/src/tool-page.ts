import type { ToolFacts } from './backend.ts'
import { CALL_FLAGS } from './call-flags.ts'
import { type Field, fieldsOf } from './fields.ts'
import { inputToFlags, shellLine } from './input-to-flags.ts'
import { safeLine, safeText } from './safe-text.ts'

/** Everything `show` says of a tool. */
export function toolPage(facts: ToolFacts): readonly string[] {
  const { definition } = facts
  const fields = fieldsOf(facts.input, facts.secrets)
  return [
    `${safeLine(definition.id)}  ${safeLine(definition.name)}  (version ${safeLine(definition.version)}, ${safeLine(definition.category)})`,
    '',
    ...safeText(definition.detailed_description ?? definition.description).split('\n'),
    ...deprecation(facts),
    '',
    'Flags:',
    ...(fields.length === 0 ? ['  (none)'] : fields.flatMap(fieldLines)),
    '',
    'Contract:',
    ...contractLines(facts).map((line) => `  ${line}`),
    ...exampleLines(facts, fields),
  ]
}

function deprecation({ definition: { deprecated_at: since, replacement_tool: replacement } }: ToolFacts): readonly string[] {
  if (since === undefined) return []
  return ['', `Deprecated since ${safeLine(since)}${replacement === undefined ? '' : `: use ${safeLine(replacement)}`}.`]
}

function fieldLines(field: Field): readonly string[] {
  const notes = [
    field.isRequired ? 'required' : '',
    field.isList ? 'may be repeated' : '',
    field.isSecret ? 'secret: by --field-from-env, --input -, or when asked' : '',
    ...bounds(field),
  ].filter((note) => note !== '')
  const { description } = field.keywords
  return [
    `  ${flagOf(field)}${notes.length === 0 ? '' : `  (${notes.join('; ')})`}`,
    ...(typeof description === 'string' ? [`      ${safeLine(description)}`] : []),
  ]
}

function flagOf({ name, form, isList, isSecret }: Field): string {
  const flag = `--${CALL_FLAGS.has(name) ? 'field.' : ''}${safeLine(name)}`
  if (isSecret) return flag
  switch (form.kind) {
    case 'boolean':
      return isList ? `${flag} true|false` : `${flag} | --no-${safeLine(name)}`
    case 'choice':
      return `${flag} ${form.values.map(safeLine).join('|')}`
    case 'text':
      return `${flag} TEXT`
    case 'number':
      return `${flag} NUMBER`
    case 'scalar':
      return `${flag} VALUE`
    case 'json':
      return `${flag} JSON`
  }
}

const BOUNDS: readonly (readonly [string, (value: unknown) => string])[] = [
  ['minimum', (value) => `at least ${value}`],
  ['exclusiveMinimum', (value) => `more than ${value}`],
  ['maximum', (value) => `at most ${value}`],
  ['exclusiveMaximum', (value) => `less than ${value}`],
  ['multipleOf', (value) => `a multiple of ${value}`],
  ['minLength', (value) => `at least ${value} characters`],
  ['maxLength', (value) => `at most ${value} characters`],
  ['minItems', (value) => `at least ${value} items`],
  ['maxItems', (value) => `at most ${value} items`],
  ['format', (value) => `format ${value}`],
  ['pattern', (value) => `pattern ${value}`],
  ['default', (value) => `default ${JSON.stringify(value)}`],
]

// the bounds of a whole number that only say what a JavaScript number can hold are no news
function bounds({ keywords }: Field): readonly string[] {
  const isWhole = keywords.type === 'integer' ? ['whole'] : []
  const told = BOUNDS.flatMap(([name, words]) => {
    const value = keywords[name]
    const isNews = value !== undefined && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER
    return isNews ? [safeLine(words(value))] : []
  })
  return [...isWhole, ...told]
}

function contractLines({ definition, effect, reversible, approval }: ToolFacts): readonly string[] {
  const { permissions, validation } = definition
  const roles = permissions.required_roles
  const capabilities = permissions.required_capabilities.map(({ name }) => name)
  const limits = Object.entries(validation.rate_limiting ?? {})
  return [
    `${effectWords(effect)}${reversible ? '' : ' It can not be undone.'}`,
    approvalWords(approval),
    ...(roles.length === 0 ? [] : [`For ${roles.map(safeLine).join(', ')}.`]),
    ...(capabilities.length === 0 ? [] : [`It takes ${capabilities.map(safeLine).join(', ')}.`]),
    ...limits.map(([window, calls]) => `At most ${safeLine(calls)} calls ${safeLine(window.replace('max_calls_per_', 'a '))}.`),
  ]
}

function effectWords(effect: string): string {
  if (effect === 'none') return 'It changes nothing and looks at nothing outside.'
  return effect.startsWith('read') ? 'It reads and changes nothing.' : `It changes something (${safeLine(effect)}).`
}

function approvalWords(approval: string | undefined): string {
  if (approval === undefined) return 'Whether a person must first say yes, this server does not tell.'
  if (approval === 'none') return 'Nobody has to say yes first.'
  return `A person must first say yes, at least to some inputs (${safeLine(approval)}).`
}

function exampleLines({ definition, secrets }: ToolFacts, fields: readonly Field[]): readonly string[] {
  const { examples } = definition.function_signature.input
  if (examples.length === 0) return []
  return [
    '',
    'Examples:',
    ...examples.flatMap(({ name, input }) => {
      const words = inputToFlags((input ?? {}) as Readonly<Record<string, unknown>>, fields, { secrets, taken: CALL_FLAGS })
      return [`  # ${safeLine(name)}`, `  ${safeLine(shellLine(['surehand', 'call', definition.id, ...words]))}`]
    }),
  ]
}
