import { safeLine } from './safe-text.ts'
import type { Terminal } from './terminal.ts'

/** The answer to a prompt that was left with Ctrl-C. */
export const CANCELLED = Symbol('cancelled')

export type Answered<T> = Promise<T | typeof CANCELLED>

export type Choice<T extends string> = { readonly value: T; readonly label?: string }

export type TextPrompt = {
  readonly echo?: 'shown' | 'hidden'
  /** Says what is wrong with the text; the prompt then asks again. */
  readonly validate?: (text: string) => string | undefined
}

export type Prompt = {
  readonly text: (message: string, options?: TextPrompt) => Answered<string>
  readonly choose: <T extends string>(
    message: string,
    choices: readonly Choice<T>[],
    initial?: T,
  ) => Answered<T>
  /**
   * Starts at "No" unless said otherwise, so that Enter alone agrees to nothing, and neither does
   * what was typed before the question appeared.
   */
  readonly confirm: (message: string, initial?: 'yes' | 'no') => Answered<'yes' | 'no'>
  /** Agreed to by typing the word: for what cannot be undone, a letter is typed too easily. */
  readonly confirmByWord: (message: string, word: string) => Answered<'yes' | 'no'>
}

/** Prompts go to standard error, so that standard output carries the answer alone. */
export function createPrompt({ stdin, stderr, discardTyped }: Terminal): Prompt {
  // Loaded at the first prompt: a call that asks nothing must not wait for it.
  const load = () => import('@clack/prompts')
  const streams = { input: stdin, output: stderr, withGuide: false }

  return {
    async text(message, { echo = 'shown', validate } = {}) {
      const { text, password, isCancel } = await load()
      const options = {
        ...streams,
        message: safeLine(message),
        validate: (value: string | undefined) => validate?.(value ?? ''),
      }
      // The mask is empty: even the length of a secret is not shown.
      const answer = await (echo === 'hidden' ? password({ ...options, mask: '' }) : text(options))
      return isCancel(answer) ? CANCELLED : (answer ?? '')
    },
    async choose(message, choices, initial) {
      const { select, isCancel } = await load()
      const answer = await select<string>({
        ...streams,
        message: safeLine(message),
        options: choices.map(({ value, label = value }) => ({ value, label: safeLine(label) })),
        ...(initial === undefined ? {} : { initialValue: initial }),
      })
      // select returns one of the values it was given
      return isCancel(answer) ? CANCELLED : (answer as (typeof choices)[number]['value'])
    },
    async confirm(message, initial = 'no') {
      const { confirm, isCancel } = await load()
      discardTyped?.()
      const answer = await confirm({
        ...streams,
        message: safeLine(message),
        initialValue: initial === 'yes',
      })
      if (isCancel(answer)) return CANCELLED
      return answer ? 'yes' : 'no'
    },
    async confirmByWord(message, word) {
      const { text, isCancel } = await load()
      discardTyped?.()
      const answer = await text({ ...streams, message: safeLine(message) })
      if (isCancel(answer)) return CANCELLED
      return answer?.trim().toLowerCase() === word ? 'yes' : 'no'
    },
  }
}
