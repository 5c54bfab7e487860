import { flagValue, requireKnownFlags } from '../arguments.ts'
import type { CommandContext } from '../command.ts'
import { parseCount } from '../flag-values.ts'
import { printJson, printLines } from '../print.ts'
import { UsageError } from '../usage-error.ts'
import { toolJson, toolLines } from './tools.ts'

const HELP_COMMAND = 'surehand help search'
const MOST = 50

export async function search({
  command,
  line,
  terminal,
  format,
  withBackend,
}: CommandContext): Promise<number> {
  const words = requireKnownFlags(line, command.flags, HELP_COMMAND)
  if (words.length === 0) throw new UsageError('WORDS is missing.', HELP_COMMAND)
  const limit = parseCount('limit', flagValue(line.flags, 'limit') ?? '20', {
    max: MOST,
    suggestion: HELP_COMMAND,
  })
  return withBackend(async (backend) => {
    const found = await backend.search(words.join(' '), limit)
    if (format === 'json') printJson(terminal, found.map(toolJson))
    else
      printLines(
        terminal,
        toolLines(
          found,
          terminal,
          'No tool matches these words. "surehand tools" lists all tools.',
        ),
      )
    return 0
  })
}
