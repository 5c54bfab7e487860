import { requireKnownFlags, requireWords } from '../arguments.ts'
import type { ToolFacts } from '../backend.ts'
import type { CommandContext } from '../command.ts'
import { CALL_FLAGS } from '../command-flags.ts'
import { fieldLines } from '../field-lines.ts'
import { type Field, fieldsOf } from '../fields.ts'
import { inputToFlags, quoteCommand } from '../input-to-flags.ts'
import { printJson, printLines } from '../print.ts'
import { safeLine, safeText } from '../safe-text.ts'
import { toolNotFound } from '../tool-not-found.ts'
import { UsageError } from '../usage-error.ts'
import { toolJson } from './tools.ts'

const HELP_COMMAND = 'surehand help show'

export async function show(context: CommandContext): Promise<number> {
  const [tool = ''] = requireWords(
    requireKnownFlags(context.line, {}, HELP_COMMAND),
    ['TOOL'],
    HELP_COMMAND,
  )
  return printTool(tool, context)
}

/** `surehand call TOOL … --help`. */
export function showCalled(context: CommandContext): Promise<number> {
  const tool = context.line.rest.find((token) => token.kind === 'word')
  if (tool === undefined) throw new UsageError('TOOL is missing.', 'surehand help call')
  return printTool(tool.text, context)
}

function printTool(
  tool: string,
  { terminal, format, withBackend }: CommandContext,
): Promise<number> {
  return withBackend(async (backend) => {
    const facts = await backend.describe(tool)
    if (facts === undefined) throw await toolNotFound(tool, backend)
    if (format === 'json') printJson(terminal, toolJson(facts))
    else printLines(terminal, toolPage(facts))
    return 0
  })
}

/** What `surehand show` prints about a tool. */
function toolPage(facts: ToolFacts): readonly string[] {
  const { definition } = facts
  const fields = fieldsOf(facts.input, facts.secrets)
  return [
    `${safeLine(definition.id)}  ${safeLine(definition.name)}  (version ${safeLine(definition.version)}, ${safeLine(definition.category)})`,
    '',
    ...safeText(definition.detailed_description ?? definition.description).split('\n'),
    ...deprecationLines(facts),
    '',
    'Flags:',
    ...(fields.length === 0
      ? ['  (none)']
      : fields.flatMap((field) => fieldLines(field, CALL_FLAGS))),
    '',
    'Contract:',
    ...contractLines(facts).map((line) => `  ${line}`),
    ...exampleLines(facts, fields),
  ]
}

function deprecationLines({
  definition: { deprecated_at: since, replacement_tool: replacement },
}: ToolFacts): readonly string[] {
  if (since === undefined) return []
  return [
    '',
    `Deprecated since ${safeLine(since)}${replacement === undefined ? '' : `: use ${safeLine(replacement)}`}.`,
  ]
}

function contractLines({ definition, effect, reversible, approval }: ToolFacts): readonly string[] {
  const { permissions, validation } = definition
  const roles = permissions.required_roles
  const capabilities = permissions.required_capabilities.map(({ name }) => name)
  const limits = Object.entries(validation.rate_limiting ?? {})
  return [
    `${effectWords(effect)}${reversible ? '' : ' It cannot be undone.'}`,
    approvalWords(approval),
    ...(roles.length === 0 ? [] : [`Roles: ${roles.map(safeLine).join(', ')}.`]),
    ...(capabilities.length === 0
      ? []
      : [`Required capabilities: ${capabilities.map(safeLine).join(', ')}.`]),
    ...limits.map(
      ([window, calls]) =>
        `At most ${safeLine(calls)} ${calls === 1 ? 'call' : 'calls'} ${safeLine(window.replace('max_calls_per_', 'per '))}.`,
    ),
  ]
}

function effectWords(effect: string): string {
  if (effect === 'none') return 'It changes nothing and reads nothing outside.'
  return effect.startsWith('read')
    ? 'It reads and changes nothing.'
    : `It changes something (${safeLine(effect)}).`
}

function approvalWords(approval: string | undefined): string {
  if (approval === undefined) return 'This server does not say whether calls require approval.'
  if (approval === 'none') return 'Calls require no approval.'
  return `Calls require approval, at least for some inputs (${safeLine(approval)}).`
}

function exampleLines(
  { definition, secrets }: ToolFacts,
  fields: readonly Field[],
): readonly string[] {
  const { examples } = definition.function_signature.input
  if (examples.length === 0) return []
  return [
    '',
    'Examples:',
    ...examples.flatMap(({ name, input }) => {
      const words = inputToFlags((input ?? {}) as Readonly<Record<string, unknown>>, fields, {
        secrets,
        taken: CALL_FLAGS,
      })
      return [
        `  # ${safeLine(name)}`,
        `  ${safeLine(quoteCommand(['surehand', 'call', definition.id, ...words]))}`,
      ]
    }),
  ]
}
