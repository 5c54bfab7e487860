import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from '@surehand/cli'
import { z } from 'zod'

/** An item that was shown with a number. */
export type ListedItem = {
  readonly kind: 'task' | 'habit' | 'project'
  readonly id: string
  readonly name: string
}

const StoredList = z.array(
  z.object({ kind: z.enum(['task', 'habit', 'project']), id: z.string(), name: z.string() }),
)

type Environment = Readonly<Record<string, string | undefined>>

function listFile(env: Environment): string {
  const state = env.XDG_STATE_HOME ?? join(env.HOME ?? '.', '.local', 'state')
  return join(state, 'surehand', 'pm-list.json')
}

/**
 * Stores what the numbers of the next command refer to. Only ids and names are stored outside the
 * app.
 */
export function storeLastList(listed: readonly ListedItem[], env: Environment = process.env): void {
  const file = listFile(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, JSON.stringify(listed), { mode: 0o600 })
}

/** Reads the list that was shown last. */
export function readLastList(env: Environment = process.env): readonly ListedItem[] {
  try {
    return StoredList.parse(JSON.parse(readFileSync(listFile(env), 'utf8')))
  } catch (cause) {
    throw Object.assign(
      new UsageError(
        'No list has been shown yet, so numbers refer to nothing.',
        'surehand pm today',
      ),
      { cause },
    )
  }
}
