import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CANCELLED } from './cancelled.ts'
import { safeLine } from './safe-text.ts'
import type { Terminal } from './terminal.ts'

export type Prompt = {
  readonly ask: (question: string) => Promise<string | typeof CANCELLED>
  /** Nothing that is typed is shown. */
  readonly askHidden: (question: string) => Promise<string | typeof CANCELLED>
  /** Where something is offered, an empty line takes it, and the answer is empty. */
  readonly choose: (
    question: string,
    choices: readonly string[],
    offer?: string,
  ) => Promise<string | typeof CANCELLED>
  readonly confirm: (question: string) => Promise<'yes' | 'no' | typeof CANCELLED>
  readonly confirmOr: (
    question: string,
    offer: string,
  ) => Promise<'yes' | 'no' | '' | typeof CANCELLED>
}

/** Questions go to standard error, so that standard output carries the answer alone. */
export function promptOn({ stdin, stderr }: Terminal): Prompt {
  function line(question: string, echo: 'shown' | 'hidden'): Promise<string | typeof CANCELLED> {
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
    const reader = createInterface({
      input: stdin,
      output: echo === 'hidden' ? silent : stderr,
      terminal: true,
      historySize: 0,
    })
    return new Promise((resolve) => {
      const end = (answer: string | typeof CANCELLED): void => {
        // before it is closed, which by itself means that somebody left
        resolve(answer)
        reader.close()
        if (echo === 'hidden' || answer === CANCELLED) stderr.write('\n')
      }
      reader.once('SIGINT', () => end(CANCELLED))
      reader.once('close', () => resolve(CANCELLED))
      reader.once('line', end)
      if (echo === 'hidden') stderr.write(question)
      reader.setPrompt(echo === 'hidden' ? '' : question)
      reader.prompt()
    })
  }

  async function choose(
    question: string,
    choices: readonly string[],
    offer?: string,
  ): Promise<string | typeof CANCELLED> {
    const list = choices.map((choice, index) => `  ${index + 1}) ${safeLine(choice)}`).join('\n')
    stderr.write(`${safeLine(question)}\n${list}\n`)
    for (;;) {
      const answer = await line(
        `Number or name (1-${choices.length})${bracketed(offer)}: `,
        'shown',
      )
      if (answer === CANCELLED) return CANCELLED
      const word = answer.trim()
      if (word === '' && offer !== undefined) return ''
      // a choice may itself be called "2": its name wins
      const chosen =
        choices.find((choice) => choice === word) ??
        choices[/^\d+$/.test(word) ? Number(word) - 1 : -1]
      if (chosen !== undefined) return chosen
    }
  }

  async function yesOrNo(question: string, choices: string): Promise<string | typeof CANCELLED> {
    const answer = await line(`${safeLine(question)} [${safeLine(choices)}] `, 'shown')
    if (answer === CANCELLED) return CANCELLED
    const word = answer.trim().toLowerCase()
    return word === 'y' ? 'yes' : word === 'n' ? 'no' : word
  }

  async function confirm(question: string): Promise<'yes' | 'no' | typeof CANCELLED> {
    for (;;) {
      const word = await yesOrNo(question, 'yes/no')
      if (word === CANCELLED || word === 'yes' || word === 'no') return word
    }
  }

  async function confirmOr(
    question: string,
    offer: string,
  ): Promise<'yes' | 'no' | '' | typeof CANCELLED> {
    for (;;) {
      const word = await yesOrNo(question, `yes/no, empty: ${offer}`)
      if (word === CANCELLED || word === 'yes' || word === 'no' || word === '') return word
    }
  }

  return {
    ask: (question) => line(`${safeLine(question)} `, 'shown'),
    askHidden: (question) => line(`${safeLine(question)} `, 'hidden'),
    choose,
    confirm,
    confirmOr,
  }
}

function bracketed(offer: string | undefined): string {
  return offer === undefined ? '' : ` [${safeLine(offer)}]`
}
