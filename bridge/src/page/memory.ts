import type { Report } from './reply.ts'

// What the page must not forget when the tab is reloaded or leaves for another page of the site:
// which commands it has begun, what it answered, and which navigation is under way.

const KEY = 'surehand.bridge'
const MAX = 50

/** A navigation that was begun by a command. */
export type Journey = {
  readonly id: string
  readonly kind: 'goto' | 'submit'
  /** Of a goto that has not left yet: another page may come in between. */
  readonly path?: string
}

type Memory = {
  /** The newest last; `null` while there is no answer. */
  readonly commands: readonly (readonly [id: string, answer: Report | null])[]
  readonly journey: Journey | null
}

function read(): Memory {
  try {
    // The first page of a tab has nothing to remember unless it was loaded again, and nothing else
    // that the bridge does takes a page as long as opening its storage.
    const isFirst = history.length < 2 && !performance.navigation.type
    const memory = !isFirst && JSON.parse(sessionStorage.getItem(KEY) ?? '')
    if (Array.isArray(memory.commands)) return memory
  } catch {
    // There is none yet, or storage is off.
  }
  return { commands: [], journey: null }
}

// Where the browser allows no storage, this page alone remembers.
let last: Memory | undefined
function memory(): Memory {
  last ??= read()
  return last
}
/** After another page of the site has been open in this tab. */
export function readAgain(): void {
  last = undefined
}
function write(next: Memory): void {
  last = next
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // The quota is full or storage is off: see above.
  }
}

/** `undefined`: not seen before. `null`: begun, and the page was left before it answered. */
export const recall = (id: string): Report | null | undefined =>
  memory().commands.find(([one]) => one === id)?.[1]

export function remember(id: string, answer: Report | null): void {
  const others = memory().commands.filter(([one]) => one !== id)
  write({ ...memory(), commands: [...others, [id, answer] as const].slice(-MAX) })
}

export const journey = (): Journey | null => memory().journey
export const setJourney = (next: Journey | null): void => write({ ...memory(), journey: next })

/** Whether the widget has been opened in this tab, or has done something there. */
export const isInUse = (): boolean => memory().commands.length > 0
