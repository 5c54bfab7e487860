import { safeLine, UsageError } from '@surehand/cli'
import type { Caller } from '@surehand/core'
import { personalMigration, personalV1Over, V1_TOOLS } from '@surehand/personal'
import { callTool, type PmContext, printResult } from './pm-context.ts'

const USAGE = 'surehand pm v1 create_habit habit_name=Read freq=day'

/** `v1 FUNCTION NAME=VALUE …`: a function of version 1, served by the tool that replaces it. */
export async function callV1(
  context: PmContext,
  [name, ...words]: readonly string[],
): Promise<number> {
  const end = personalMigration.strategy.compatibility_mode.v1_support_end_date
  if (name === undefined)
    return printResult(context, { functions: V1_TOOLS, support_end_date: end }, [
      ...Object.entries(V1_TOOLS).map(([one, tool]) => `  ${one.padEnd(20)} ${tool}`),
      `v1 functions are served until ${end}.`,
    ])
  const adapter = personalV1Over(({ tool, input }) => callTool(context, tool, input), {
    now: Date.now,
  })
  const answer = await adapter.callV1({ tool: name, args: readArguments(words) }, PERSON)
  printResult(context, answer, [safeLine(answer.message)])
  return answer.success ? 0 : 1
}

// The backend calls as the person of the command line; the adapter asks for a caller only for rules
// about callers, of which this migration has none.
const PERSON: Caller = { tenant: '', principal: '', actor: 'user', roles: [], capabilities: [] }

function readArguments(words: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=')
      if (at < 1) throw new UsageError(`"${word}" is not NAME=VALUE.`, USAGE)
      return [word.slice(0, at), readValue(word.slice(at + 1))]
    }),
  )
}

// true, 3 and {"cue":"tea"} are meant as such; everything else is a text.
function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
