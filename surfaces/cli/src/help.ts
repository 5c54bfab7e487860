import type { Command } from './command.ts'
import { COMMANDS, EXIT_NOTES } from './commands.ts'
import type { AppCommand } from './options.ts'

/** The page that `surehand help` prints. */
export function overview(version: string, appCommands: readonly AppCommand[]): string {
  const names = [...COMMANDS, ...appCommands]
  const width = Math.max(...names.map(({ name }) => name.length), 'help'.length)
  const row = (name: string, summary: string): string => `  ${name.padEnd(width)}  ${summary}`
  return [
    `surehand ${version}: call tools under enforced contracts`,
    '',
    'Usage: surehand COMMAND [--json] [--help]',
    '',
    ...COMMANDS.map(({ name, summary }) => row(name, summary)),
    ...(appCommands.length === 0
      ? []
      : ['', ...appCommands.map(({ name, summary }) => row(name, summary))]),
    '',
    row('help', 'Show this page, or help for a COMMAND'),
    '',
    ...TARGET_LINES,
    '',
    'Exit codes:',
    ...EXIT_NOTES.map((line) => `  ${line}`),
    '',
    'Examples:',
    '  surehand search buy something',
    '  surehand show shop.buy',
    '  surehand call shop.buy --productId tea --quantity 2',
    '',
  ].join('\n')
}

const TARGET_LINES = [
  'Where commands go, and as whom (default: the profile in use, else the local data folder):',
  '  --profile NAME   --data DIR   --config FILE   --as PRINCIPAL   --tenant TENANT   SUREHAND_URL, SUREHAND_TOKEN',
]

/** The help of one command. */
export function commandHelp(command: Command): string {
  return page(command.summary, command.usage, command.notes, command.examples)
}

export function appCommandHelp({ summary, usage }: AppCommand): string {
  return page(summary, usage.split('\n'), [], [])
}

function page(
  summary: string,
  usage: readonly string[],
  notes: readonly string[],
  examples: readonly string[],
): string {
  return [
    `${summary.replace(/\.$/, '')}.`,
    '',
    ...usage.map((line, index) => `${index === 0 ? 'Usage:' : '      '} ${line}`),
    ...(notes.length === 0 ? [] : ['', ...notes.map((line) => `  ${line}`)]),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples.map((line) => `  ${line}`)]),
    '',
    ...TARGET_LINES,
    '',
  ].join('\n')
}
