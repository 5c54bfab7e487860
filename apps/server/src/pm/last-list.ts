import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from '@surehand/cli'
import { z } from 'zod'

/** Something that was shown under a number. */
export type Listed = {
  readonly kind: 'task' | 'habit' | 'project'
  readonly id: string
  readonly name: string
}

const Kept = z.array(
  z.object({ kind: z.enum(['task', 'habit', 'project']), id: z.string(), name: z.string() }),
)

type Environment = Readonly<Record<string, string | undefined>>

function fileOf(env: Environment): string {
  const state = env.XDG_STATE_HOME ?? join(env.HOME ?? '.', '.local', 'state')
  return join(state, 'surehand', 'pm-list.json')
}

/** What the numbers of the next command mean. Only ids and names: nothing else of it is kept outside the app. */
export function rememberList(listed: readonly Listed[], env: Environment = process.env): void {
  const file = fileOf(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, JSON.stringify(listed), { mode: 0o600 })
}

/** What was shown last. */
export function lastList(env: Environment = process.env): readonly Listed[] {
  try {
    return Kept.parse(JSON.parse(readFileSync(fileOf(env), 'utf8')))
  } catch (cause) {
    throw Object.assign(
      new UsageError('No list was shown yet whose numbers could be meant.', 'surehand pm today'),
      { cause },
    )
  }
}
