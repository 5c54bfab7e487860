import { createInterface } from 'node:readline/promises'
import type { ApprovalRequest } from '@surehand/langchain'
import type { HITLResponse } from 'langchain'

type Decision = HITLResponse['decisions'][number]

/** Whoever decides what the agent may do. */
export type Person = {
  readonly decide: (request: ApprovalRequest) => Promise<Decision>
  readonly leave: () => void
}

/** A person at the terminal. */
export function personAtTerminal(): Person {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  return {
    async decide(request) {
      for (;;) {
        // whoever leaves with ^C or ^D has not approved
        const word = await terminal
          .question('approve, reject or edit={"stems": 12} > ')
          .catch(() => 'reject')
        const decision = readDecision(word, request)
        if (decision !== undefined) return decision
        console.log('That is none of them.')
      }
    },
    leave: () => terminal.close(),
  }
}

/** A person who has said beforehand what they will say. Where the words run out, it is a no. */
export function scriptedPerson(words: readonly string[], say: (line: string) => void): Person {
  const left = [...words]
  return {
    async decide(request) {
      const word = left.shift()
      say(`> ${word ?? 'reject'} (scripted)`)
      return (
        readDecision(word ?? '', request) ?? {
          type: 'reject',
          message: 'Nobody was there to approve.',
        }
      )
    },
    leave: () => undefined,
  }
}

function readDecision(
  word: string,
  { actionRequests: [action] }: ApprovalRequest,
): Decision | undefined {
  const text = word.trim()
  if (text === 'approve') return { type: 'approve' }
  if (text === 'reject') return { type: 'reject', message: 'The person does not want it.' }
  const changes = text.startsWith('edit=') ? readObject(text.slice('edit='.length)) : undefined
  return (
    changes && {
      type: 'edit',
      editedAction: { name: action.name, args: { ...action.args, ...changes } },
    }
  )
}

function readObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value }
      : undefined
  } catch {
    // a slip of the hand: whoever typed it is asked again
    return undefined
  }
}
