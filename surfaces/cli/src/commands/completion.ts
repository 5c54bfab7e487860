import { readLine, wordsNamed } from '../arguments.ts'
import type { CommandContext } from '../command.ts'
import { COMPLETION_SCRIPTS, isShell } from '../completion-scripts.ts'
import { unknownAction } from '../unknown-action.ts'

const HELP_COMMAND = 'surehand help completion'

export async function completion({ line, terminal }: CommandContext): Promise<number> {
  const [shell = ''] = wordsNamed(
    readLine(line, {}, HELP_COMMAND).words,
    ['A shell (bash, zsh, fish)'],
    HELP_COMMAND,
  )
  if (!isShell(shell)) throw unknownAction('completion', shell, Object.keys(COMPLETION_SCRIPTS))
  terminal.stdout.write(COMPLETION_SCRIPTS[shell])
  return 0
}
