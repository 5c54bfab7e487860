import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { USAGES } from '../../apps/server/src/commands/usages.ts'
import { BUILT_IN_PACKS, isBuiltInTool } from '../../apps/server/src/config/built-in.ts'
import { COMMANDS } from '../../surfaces/cli/src/commands.ts'
import { TARGET_FLAGS } from '../../surfaces/cli/src/target.ts'
import { ROOT } from './markdown.ts'

// Programs of others that our pages name; a misspelt one is not among them.
const PROGRAMS = new Set(
  'cd cp mkdir install export curl git docker kubectl systemctl nginx node npm npx vitest surehand mcp-remote pg_dump pg_restore createdb createuser $EDITOR'.split(
    ' ',
  ),
)
// Tools of the app that `npm create surehand` writes, and of a document that a guide imports.
const TOOLS_OF_EXAMPLES = /^(?:parcels|github|TOOL)\b/

const usages: ReadonlyMap<string, string> = new Map([
  ...Object.entries(USAGES).map(([name, { usage }]) => [name, usage] as const),
  ...COMMANDS.map(
    ({ name, usage, notes, flags }) =>
      [
        name,
        [...usage, ...notes, ...Object.keys(flags).map((flag) => `--${flag}`)].join('\n'),
      ] as const,
  ),
  ...Object.values(BUILT_IN_PACKS).flatMap(({ commands = [] }) =>
    commands.map(({ name, usage }) => [name, usage] as const),
  ),
  ['help', ''],
])

/** The commands of a block, each as its words, without comments and the output of a session. */
export function readCommands(code: string): string[][] {
  const isSession = /^\$ /m.test(code)
  const lines = code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => !isSession || line.startsWith('$ '))
    .map((line) => line.replace(/^\$ /, ''))
  return lines.flatMap((line) =>
    splitLine(line).map((words) => {
      const isSetting = (word: string): boolean => /^[A-Z_]+=/.test(word)
      const first = words.findIndex((word) => !isSetting(word))
      return first === -1 ? [] : words.slice(first)
    }),
  )
}

/** Splits a line into commands of words; quoted texts are one word, a comment is none. */
function splitLine(line: string): string[][] {
  const commands: string[][] = [[]]
  for (const [word] of line.matchAll(/#.*$|(?:"[^"]*"|'[^']*'|[^\s"'])+/g)) {
    if (word.startsWith('#')) break
    if (['&&', '||', '|', ';'].includes(word)) commands.push([])
    else commands.at(-1)?.push(word)
  }
  return commands.filter((words) => words.length > 0)
}

/** What is wrong with a command: an unknown program, script, command, flag, tool or file. */
export function findShellProblem(words: readonly string[]): string | undefined {
  const [program = '', ...rest] = words
  if (program === '') return undefined
  if (!PROGRAMS.has(program)) return `${program} is not a program that our pages use`
  if (program === 'npx') return findShellProblem(rest.filter((word) => word !== '-y'))
  if (program === 'surehand') return findCommandProblem(rest)
  if (program === 'npm') return findNpmProblem(rest)
  if (program === 'node') return findMissingFile(rest.slice(0, 1))
  if (program === 'vitest')
    return findMissingFile(rest.filter((word) => word.includes('/') && !word.startsWith('-')))
  return undefined
}

function findCommandProblem([name = '', ...words]: readonly string[]): string | undefined {
  if (name.startsWith('-') || name === '') return undefined
  const usage = usages.get(name)
  if (usage === undefined) return `surehand has no command ${name}`
  if (name === 'call') {
    const [tool = ''] = words
    return isBuiltInTool(tool) || TOOLS_OF_EXAMPLES.test(tool)
      ? undefined
      : `there is no tool ${tool}`
  }
  const [action = ''] = words
  const takesAnything = new RegExp(`surehand ${name} [A-Z]`).test(usage)
  const isAction = !takesAnything && /[|\n]/.test(usage)
  const isListed = usage.includes(action)
  if (isAction && /^[a-z-]+$/.test(action) && !isListed && name !== 'search')
    return `surehand ${name} has no action ${action}`
  const unknown = words
    .filter((word) => /^\[?--[a-z]/.test(word))
    .map((word) => word.replace(/^\[?--/, '').replace(/[=\]].*$/, ''))
    .find((flag) => !usage.includes(`--${flag}`) && !(flag in TARGET_FLAGS) && flag !== 'json')
  return unknown === undefined ? undefined : `surehand ${name} has no flag --${unknown}`
}

function findNpmProblem([action = '', ...words]: readonly string[]): string | undefined {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  // Of the app that `npm create surehand` writes.
  const own = ['dev']
  if (action === 'run' && !((words[0] ?? '') in scripts) && !own.includes(words[0] ?? ''))
    return `npm has no script ${words[0]}`
  const prefix = words.indexOf('--prefix')
  return prefix === -1 ? undefined : findMissingFile(words.slice(prefix + 1, prefix + 2))
}

function findMissingFile(files: readonly string[]): string | undefined {
  const missing = files.find((file) => !file.startsWith('-') && !existsSync(join(ROOT, file)))
  return missing === undefined ? undefined : `there is no ${missing}`
}
