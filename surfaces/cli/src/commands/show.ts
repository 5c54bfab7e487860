import { requireKnownFlags, requireWords } from '../arguments.ts'
import type { CommandContext } from '../command.ts'
import { printJson, printLines } from '../print.ts'
import { toolNotFound } from '../tool-not-found.ts'
import { toolPage } from '../tool-page.ts'
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
