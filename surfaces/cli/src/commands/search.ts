import { one, readLine } from '../arguments.ts'
import type { CommandContext } from '../command.ts'
import { printJson, printLines } from '../print.ts'
import { UsageError } from '../usage-error.ts'
import { wholeNumber } from '../whole-number.ts'
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
  const { flags, words } = readLine(line, command.flags, HELP_COMMAND)
  if (words.length === 0) throw new UsageError('WORDS are missing.', HELP_COMMAND)
  const limit = wholeNumber('limit', one(flags, 'limit') ?? '20', {
    most: MOST,
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
          'Nothing fits these words; "surehand tools" lists all there are.',
        ),
      )
    return 0
  })
}
