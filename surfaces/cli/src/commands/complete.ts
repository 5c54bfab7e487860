import { parseLine } from '../arguments.ts'
import { COMMANDS } from '../commands.ts'
import type { CompletedTool } from '../completion-tools.ts'
import type { CliOptions } from '../options.ts'
import { resolveTarget, TARGET_FLAGS, type Target } from '../target.ts'

type Candidate = { readonly text: string; readonly note: string }

const COMMON = ['json', 'help', ...Object.keys(TARGET_FLAGS)]
const WITH_TOOL = new Set(['call', 'show'])

/**
 * `__complete SHELL -- WORDS…`: prints what the last word may become, one candidate per line.
 * Errors print nothing, since a shell would show them in the middle of the line.
 */
export async function complete(
  options: CliOptions,
  [shell, , ...typed]: readonly string[],
): Promise<number> {
  const words = shell === 'bash' ? rejoinWords(typed) : typed
  const last = words.at(-1) ?? ''
  const found = await candidates(words.slice(0, -1), last, options)
  const { safeLine } = await import('../safe-text.ts')
  const fitting = found.filter(
    ({ text }) => text.startsWith(last) && text !== '' && safeLine(text) === text,
  )
  for (const { text, note } of fitting)
    options.terminal.stdout.write(
      `${formatCandidate(text, note, { shell, typed, last }, safeLine)}\n`,
    )
  return 0
}

type CompletionRequest = {
  readonly shell: string | undefined
  readonly typed: readonly string[]
  readonly last: string
}

function formatCandidate(
  text: string,
  note: string,
  { shell, typed, last }: CompletionRequest,
  safeLine: (value: unknown) => string,
): string {
  if (shell !== 'bash') return note === '' ? text : `${text}\t${safeLine(note).slice(0, 60)}`
  // bash replaces only the part after the last "=".
  const isAfterEquals = last.includes('=') && (typed.at(-1) === '=' || typed.at(-2) === '=')
  return isAfterEquals ? text.slice(last.indexOf('=') + 1) : text
}

// bash splits words at "=".
function rejoinWords(typed: readonly string[]): readonly string[] {
  const words: string[] = []
  for (let index = 0; index < typed.length; index++) {
    const before = words.at(-1)
    if (typed[index] !== '=' || before === undefined || !before.startsWith('--'))
      words.push(typed[index] ?? '')
    else words[words.length - 1] = `${before}=${typed[++index] ?? ''}`
  }
  return words
}

async function candidates(
  before: readonly string[],
  last: string,
  options: CliOptions,
): Promise<readonly Candidate[]> {
  try {
    const { flags, rest } = parseLine(before, TARGET_FLAGS)
    return await candidatesFor(
      rest.map((token) => (token.kind === 'word' ? token.text : `--${token.name}`)),
      last,
      { options, place: () => resolveTarget(flags, options.env) },
    )
  } catch {
    // An unfinished line is not an error.
    return []
  }
}

type Around = { readonly options: CliOptions; readonly place: () => Target }

async function candidatesFor(
  before: readonly string[],
  last: string,
  { options, place }: Around,
): Promise<readonly Candidate[]> {
  const [name, ...rest] = before
  if (name === undefined) return commandNames(options)
  if (name === 'help') return commandNames(options)
  const command = COMMANDS.find((candidate) => candidate.name === name)
  if (command === undefined) return []
  const isFlag = last.startsWith('-')
  const own = [...COMMON, ...Object.keys(command.flags)].map((flag) => ({
    text: `--${flag}`,
    note: '',
  }))
  if (!WITH_TOOL.has(name))
    return isFlag
      ? own
      : rest.length === 0
        ? command.actions.map((text) => ({ text, note: '' }))
        : []
  const { toolsForCompletion } = await import('../completion-tools.ts')
  const [toolId, ...line] = rest
  if (toolId === undefined)
    return isFlag ? own : toolCandidates(await toolsForCompletion(place(), options))
  if (name === 'show') return isFlag ? own : []
  const tool = (await toolsForCompletion(place(), options)).find(({ id }) => id === toolId)
  return tool === undefined ? own : candidatesForTool(tool, line, last, own)
}

function candidatesForTool(
  tool: CompletedTool,
  line: readonly string[],
  last: string,
  own: readonly Candidate[],
): readonly Candidate[] {
  const [, inline] = /^--([^=]+)=/.exec(last) ?? []
  if (inline !== undefined)
    return valuesOf(tool, inline).map((value) => ({ text: `--${inline}=${value}`, note: '' }))
  const before = line.at(-1)
  const flag = before?.startsWith('--')
    ? tool.flags.find(({ name }) => `--${name}` === before)
    : undefined
  if (flag?.takesValue && !last.startsWith('--'))
    return flag.values.map((text) => ({ text, note: '' }))
  const fields = tool.flags.map(({ name, note }) => ({
    text: `--${own.some(({ text }) => text === `--${name}`) ? 'field.' : ''}${name}`,
    note,
  }))
  return [...fields, ...own]
}

function valuesOf(tool: CompletedTool, name: string): readonly string[] {
  return tool.flags.find((flag) => flag.name === name)?.values ?? []
}

function toolCandidates(tools: readonly CompletedTool[]): readonly Candidate[] {
  return tools.map(({ id, title }) => ({ text: id, note: title }))
}

function commandNames({ commands }: CliOptions): readonly Candidate[] {
  return [...COMMANDS, ...commands, { name: 'help', summary: 'Help' }].map(({ name, summary }) => ({
    text: name,
    note: summary,
  }))
}
