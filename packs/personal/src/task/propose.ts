import type { Level, Task } from './task.ts'
import type { CLARIFIED_STATES } from './task-state.ts'

type Clarified = (typeof CLARIFIED_STATES)[number]

/** What a thing in the inbox probably is, and what gave it away. A person decides. */
export type Proposal = {
  readonly to: Clarified
  readonly because: string
  readonly waiting_for?: string
  readonly priority?: Level
}

type Sign = { readonly to: Clarified; readonly pattern: RegExp; readonly because: string }

// en, de, fr, es; the first that fits holds
const SIGNS: readonly Sign[] = [
  {
    to: 'waiting_for',
    pattern:
      /^(?:waiting (?:for|on)|warte[nt]? auf|j?'?attend(?:s|re)|en attente de|esper(?:o|ar|ando)(?: a)?)\s+(.{1,200})/iu,
    because: 'it says that it waits for somebody',
  },
  {
    to: 'someday_maybe',
    pattern:
      /(?:^|\s)(?:some ?day|maybe|one day|irgendwann|vielleicht|eines tages|un jour|peut-être|algún día|quizás?|tal vez)(?:\s|$|[,.:])/iu,
    because: 'it says someday or maybe',
  },
  {
    to: 'reference',
    pattern:
      /^(?:https?:\/\/\S+|(?:ref(?:erence)?|note|fyi|info|notiz|zur info|pour info|para info)\s*:.*)$/iu,
    because: 'it is something to look up, not to do',
  },
  {
    to: 'project',
    pattern:
      /^(?:project|projekt|projet|proyecto)\s*:|^(?:plan|organi[sz]e|launch|set up|prepare for|planen|organisier(?:e|en)|organiser|planifier|planificar|organizar)\s+\S/iu,
    because: 'it takes more than one step',
  },
]

/** By its words and its day alone: the same task always gets the same proposal. */
export function proposalFor({
  title,
  due,
  priority,
}: Pick<Task, 'title' | 'due' | 'priority'>): Proposal {
  const kept = priority === undefined ? {} : { priority }
  for (const { to, pattern, because } of SIGNS) {
    const match = pattern.exec(title)
    if (match === null) continue
    const who = match[1]?.trim()
    return {
      to,
      because,
      ...kept,
      ...(to === 'waiting_for' && who !== undefined ? { waiting_for: who } : {}),
    }
  }
  const because =
    due === undefined ? 'it reads as one step that can be done' : `it is due on ${due.day}`
  return { to: 'next_action', because, ...kept }
}
