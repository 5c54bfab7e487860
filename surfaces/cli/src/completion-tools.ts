import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hashJson } from '@surehand/core/internal'
import { systemClock } from '@surehand/core/ports'
import type { Backend } from './backend.ts'
import { fieldsOf } from './fields.ts'
import { flagNames } from './flags-to-input.ts'
import { homeFolder } from './home-folder.ts'
import { openBackend } from './open-backend.ts'
import type { CliOptions } from './options.ts'
import { type Fetch, nodeFetch } from './providers/server.ts'
import type { Target } from './target.ts'

/** What completion needs to know of a tool. */
export type CompletedTool = {
  readonly id: string
  readonly title: string
  readonly flags: readonly CompletedFlag[]
}
export type CompletedFlag = {
  readonly name: string
  readonly note: string
  readonly values: readonly string[]
  readonly takesValue: boolean
}

const FRESH_MS = 60_000
// After this time the person has typed on.
const PATIENCE_MS = 2_000

/**
 * The tools of a target, from a short-lived cache file: a key press must not wait for a server each
 * time.
 */
export async function toolsForCompletion(
  place: Target,
  options: CliOptions,
): Promise<readonly CompletedTool[]> {
  const clock = systemClock()
  const file = cacheFile(place, options.env)
  const known = file === undefined ? undefined : readFresh(file, clock.now())
  if (known !== undefined) return known
  const late = new AbortController()
  const stopTimer = clock.after(PATIENCE_MS, () => late.abort())
  try {
    const tools = await listTools(place, {
      ...options,
      fetch: withSignal(options.fetch ?? nodeFetch, late.signal),
    })
    if (file !== undefined) writeCache(file, tools)
    return tools
  } finally {
    stopTimer()
  }
}

// One file for each target and caller: a caller with fewer rights must not see the tools of another.
function cacheFile(place: Target, env: CliOptions['env']): string | undefined {
  const home = homeFolder(env)
  const base = env.XDG_CACHE_HOME || (home && join(home, '.cache'))
  return base && join(base, 'surehand', `tools-${hashJson(place).slice(0, 32)}.json`)
}

function withSignal(fetchFrom: Fetch, signal: AbortSignal): Fetch {
  return (url, init) => fetchFrom(url, { ...init, signal })
}

async function listTools(place: Target, options: CliOptions): Promise<readonly CompletedTool[]> {
  const backend = await openBackend(place, options)
  try {
    return (await backend.tools()).map(completedTool)
  } finally {
    await backend.close()
  }
}

function completedTool({
  definition,
  input,
  secrets,
}: Awaited<ReturnType<Backend['tools']>>[number]): CompletedTool {
  return {
    id: definition.id,
    title: definition.name,
    flags: fieldsOf(input, secrets)
      .filter((field) => !field.isSecret)
      .flatMap((field) =>
        flagNames(field).map((name) => ({
          name,
          note: typeof field.keywords.description === 'string' ? field.keywords.description : '',
          values: field.form.kind === 'choice' ? field.form.values.map(String) : [],
          takesValue: field.form.kind !== 'boolean' || field.isList,
        })),
      ),
  }
}

function readFresh(file: string, nowMs: number): readonly CompletedTool[] | undefined {
  try {
    const ageMs = nowMs - statSync(file).mtimeMs
    // written by this program, in a folder of the user
    return ageMs >= 0 && ageMs < FRESH_MS
      ? (JSON.parse(readFileSync(file, 'utf8')) as readonly CompletedTool[])
      : undefined
  } catch {
    // A missing or damaged cache is written again.
    return undefined
  }
}

function writeCache(file: string, tools: readonly CompletedTool[]): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, JSON.stringify(tools), { mode: 0o600 })
  } catch {
    // Without a cache, completion is only slower.
  }
}
