import type { Command } from './command.ts'
import { COMMANDS, EXIT_NOTES } from './commands.ts'
import type { AppCommand } from './options.ts'

/** The first page. */
export function overview(version: string, appCommands: readonly AppCommand[]): string {
  const names = [...COMMANDS, ...appCommands]
  const width = Math.max(...names.map(({ name }) => name.length), 'help'.length)
  const row = (name: string, summary: string): string => `  ${name.padEnd(width)}  ${summary}`
  return [
    `surehand ${version}: tools that keep their contract`,
    '',
    'Usage: surehand COMMAND [--json] [--help]',
    '',
    ...COMMANDS.map(({ name, summary }) => row(name, summary)),
    ...(appCommands.length === 0
      ? []
      : ['', ...appCommands.map(({ name, summary }) => row(name, summary))]),
    '',
    row('help', 'This page, or that of a COMMAND'),
    '',
    ...PLACE_LINES,
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

const PLACE_LINES = [
  'Which app, and as whom (otherwise the profile in use, otherwise the folder of this machine):',
  '  --profile NAME   --data DIR   --config FILE   --as PRINCIPAL   --tenant TENANT   SUREHAND_URL, SUREHAND_TOKEN',
]

/** One command's page. */
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
    ...PLACE_LINES,
    '',
  ].join('\n')
}
