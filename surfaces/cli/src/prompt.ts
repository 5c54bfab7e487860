import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { safeLine } from './safe-text.ts'
import type { Terminal } from './terminal.ts'

/** Whoever was asked pressed Ctrl-C or closed the line. */
export const LEFT = Symbol('left')

export type Prompt = {
  readonly ask: (question: string) => Promise<string | typeof LEFT>
  /** Nothing that is typed is shown. */
  readonly askHidden: (question: string) => Promise<string | typeof LEFT>
  readonly choose: (question: string, choices: readonly string[]) => Promise<string | typeof LEFT>
  readonly confirm: (question: string) => Promise<'yes' | 'no' | typeof LEFT>
}

/** Questions go to standard error, so that standard output carries the answer alone. */
export function promptOn({ stdin, stderr }: Terminal): Prompt {
  function line(question: string, echo: 'shown' | 'hidden'): Promise<string | typeof LEFT> {
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
    const reader = createInterface({ input: stdin, output: echo === 'hidden' ? silent : stderr, terminal: true, historySize: 0 })
    return new Promise((resolve) => {
      const end = (answer: string | typeof LEFT): void => {
        // before it is closed, which by itself means that somebody left
        resolve(answer)
        reader.close()
        if (echo === 'hidden' || answer === LEFT) stderr.write('\n')
      }
      reader.once('SIGINT', () => end(LEFT))
      reader.once('close', () => resolve(LEFT))
      reader.once('line', end)
      if (echo === 'hidden') stderr.write(question)
      reader.setPrompt(echo === 'hidden' ? '' : question)
      reader.prompt()
    })
  }

  async function choose(question: string, choices: readonly string[]): Promise<string | typeof LEFT> {
    const list = choices.map((choice, index) => `  ${index + 1}) ${safeLine(choice)}`).join('\n')
    stderr.write(`${safeLine(question)}\n${list}\n`)
    for (;;) {
      const answer = await line(`Number or name (1-${choices.length}): `, 'shown')
      if (answer === LEFT) return LEFT
      const word = answer.trim()
      // a choice may itself be called "2": its name wins
      const chosen = choices.find((choice) => choice === word) ?? choices[/^\d+$/.test(word) ? Number(word) - 1 : -1]
      if (chosen !== undefined) return chosen
    }
  }

  return {
    ask: (question) => line(`${safeLine(question)} `, 'shown'),
    askHidden: (question) => line(`${safeLine(question)} `, 'hidden'),
    choose,
    async confirm(question) {
      for (;;) {
        const answer = await line(`${safeLine(question)} [yes/no] `, 'shown')
        if (answer === LEFT) return LEFT
        const word = answer.trim().toLowerCase()
        if (word === 'yes' || word === 'y') return 'yes'
        if (word === 'no' || word === 'n') return 'no'
      }
    },
  }
}
