import { COMMANDS } from './commands.ts'
import { TARGET_FLAGS } from './target.ts'

/** Flags of `call`: a field of a tool with one of these names is written `--field.NAME`. */
export const CALL_FLAGS: ReadonlySet<string> = flagsOf('call')

/** Flags of `questions`, likewise for the fields of an answer. */
export const QUESTION_FLAGS: ReadonlySet<string> = flagsOf('questions')

function flagsOf(command: string): ReadonlySet<string> {
  return new Set([
    'json',
    'help',
    ...Object.keys(TARGET_FLAGS),
    ...Object.keys(COMMANDS.find(({ name }) => name === command)?.flags ?? {}),
  ])
}
