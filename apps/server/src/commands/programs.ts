import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Caller, ToolError } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import type { ProgramView } from '@surehand/programs'
import type { App } from '../app.ts'
import { asPrincipal, type Output, printAnswer, type RunCommand, wrongUsage } from './with-app.ts'

/** Proposes, shows and accepts composite tools in a local data folder. */
export const runPrograms: RunCommand = asPrincipal(programs)

async function programs(
  { programs: api }: App,
  by: Caller,
  [verb = 'list', name, ...rest]: readonly string[],
  output: Output,
): Promise<number> {
  if (verb === 'list') {
    const data = await api.list(by)
    printAnswer(output, { data, text: data.map((one) => `${formatLine(one)}\n`).join('') })
    return 0
  }
  if (name === undefined) throw wrongUsage('programs')
  switch (verb) {
    case 'propose':
      return printProgram(output, await api.propose(by, readProposal(name)))
    case 'show':
      return printProgram(output, await api.get(by, name))
    case 'accept': {
      const { values } = parseArgs({ args: [...rest], options: { digest: { type: 'string' } } })
      if (values.digest === undefined) throw wrongUsage('programs')
      return printProgram(output, await api.accept(by, name, values.digest))
    }
    case 'remove':
      await api.remove(by, name)
      printAnswer(output, {
        data: { id: name, removed: true },
        text: `${visibleText(name)} was removed.\n`,
      })
      return 0
    default:
      throw wrongUsage('programs')
  }
}

function readProposal(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new ToolError(
      'TOOL_INVALID_INPUT',
      `${visibleText(file)} could not be read as JSON. Name a file with a proposal: { "program": …, "examples": … }.`,
      { cause },
    )
  }
}

function printProgram(output: Output, view: ProgramView): number {
  printAnswer(output, { data: view, text: formatProgram(view) })
  return 0
}

function formatLine({ id, state, proposed_by }: ProgramView): string {
  return `${visibleText(id).padEnd(28)} ${state.padEnd(10)} ${visibleText(proposed_by)}`
}

/** What an administrator accepts: all of it, and the digest that says so. */
function formatProgram(view: ProgramView): string {
  const { program, parts, warnings, problem, digest } = view
  const lines = [
    formatLine(view),
    ...parts.map(({ tool, effect, state }) => `  calls ${tool} (${effect || 'unknown'}), ${state}`),
    ...warnings.map((warning) => `  not proven: ${warning}`),
    ...(problem === undefined ? [] : [`  problem: ${problem}`]),
    ...JSON.stringify(program, undefined, 2).split('\n'),
    `digest ${digest}`,
  ]
  return `${lines.map(visibleText).join('\n')}\n`
}
