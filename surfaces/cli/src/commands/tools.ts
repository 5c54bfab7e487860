import { flagValue, requireKnownFlags, requireWords } from '../arguments.ts'
import type { ToolFacts } from '../backend.ts'
import type { CommandContext } from '../command.ts'
import { printJson, printLines } from '../print.ts'
import { formatTable } from '../table.ts'
import { screenWidth, type Terminal } from '../terminal.ts'

const HELP_COMMAND = 'surehand help tools'

export async function tools({
  command,
  line,
  terminal,
  format,
  withBackend,
}: CommandContext): Promise<number> {
  const words = requireKnownFlags(line, command.flags, HELP_COMMAND)
  requireWords(words, [], HELP_COMMAND)
  return withBackend(async (backend) => {
    const found = await backend.tools(flagValue(line.flags, 'category'))
    if (format === 'json') printJson(terminal, found.map(toolJson))
    else
      printLines(terminal, toolLines(found, terminal, 'There are no tools that you may use here.'))
    return 0
  })
}

export function toolLines(
  found: readonly ToolFacts[],
  { stdout }: Terminal,
  none: string,
): readonly string[] {
  if (found.length === 0) return [none]
  const rows = found.map(({ definition, effect, reversible, approval }) => [
    definition.id,
    definition.name,
    reversible ? effect : `${effect} (final)`,
    approvalCell(approval),
  ])
  return [formatTable(['TOOL', 'TITLE', 'EFFECT', 'APPROVAL'], rows, screenWidth(stdout))]
}

export function approvalCell(approval: string | undefined): string {
  if (approval === undefined) return 'unknown'
  return approval === 'none' ? '' : approval
}

/** A tool's definition together with its contract. */
export function toolJson({ definition, effect, reversible, approval, secrets }: ToolFacts): object {
  return { ...definition, effect, reversible, approval: approval ?? null, sensitive: secrets }
}
