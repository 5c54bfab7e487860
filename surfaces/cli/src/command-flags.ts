import { COMMANDS } from './commands.ts'
import { TARGET_FLAGS } from './target.ts'

/** Flags of `call` itself: a tool's field of such a name is reached as `--field.NAME`. */
export const CALL_FLAGS: ReadonlySet<string> = flagsOf('call')

/** Flags of `questions` itself, for the fields of an answer. */
export const QUESTION_FLAGS: ReadonlySet<string> = flagsOf('questions')

function flagsOf(command: string): ReadonlySet<string> {
  return new Set([
    'json',
    'help',
    ...Object.keys(TARGET_FLAGS),
    ...Object.keys(COMMANDS.find(({ name }) => name === command)?.flags ?? {}),
  ])
}
