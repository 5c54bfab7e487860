import { createInterface } from 'node:readline/promises'
import type { ApprovalRequest } from '@surehand/langchain'
import type { HITLResponse } from 'langchain'

type Decision = HITLResponse['decisions'][number]

/** The person who decides what the agent may do. */
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
        // Leaving with ^C or ^D is a rejection.
        const word = await terminal
          .question('approve, reject or edit={"stems": 12} > ')
          .catch(() => 'reject')
        const decision = readDecision(word, request)
        if (decision !== undefined) return decision
        console.log('Type approve, reject or edit= followed by a JSON object.')
      }
    },
    leave: () => terminal.close(),
  }
}

/** A person whose decisions are given in advance. When they run out, the rest is rejected. */
export function scriptedPerson(words: readonly string[], say: (line: string) => void): Person {
  const left = [...words]
  return {
    async decide(request) {
      const word = left.shift()
      say(`> ${word ?? 'reject'} (scripted)`)
      return (
        readDecision(word ?? '', request) ?? {
          type: 'reject',
          message: 'There is no scripted decision for this request.',
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
    // Invalid JSON: the person is asked again.
    return undefined
  }
}
