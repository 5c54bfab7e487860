import type { Tool } from '@surehand/core'
import type { Findings } from './findings.ts'
import type { Program } from './program-form.ts'
import { nestedSteps } from './read-form.ts'

/** What the tools that are programs call. */
const calls = new WeakMap<Tool, readonly string[]>()

export function rememberCalls(tool: Tool, names: readonly string[]): void {
  calls.set(tool, names)
}

/** The tools a program names, in its steps and their undos. */
export function callsOf({ steps }: Program): readonly string[] {
  const named = nestedSteps(steps).flatMap(({ step }) => {
    if (!('tool' in step)) return []
    return step.undo === undefined ? [step.tool] : [step.tool, step.undo.tool]
  })
  return [...new Set(named)]
}

/** A program that calls itself, or what calls it, would never end. */
export function refuseLoop(
  id: string,
  tools: ReadonlyMap<string, Tool>,
  toolOf: (name: string) => Tool | undefined,
  findings: Findings,
): void {
  for (const [name, tool] of tools) {
    const way = wayBack(id, tool, toolOf, new Set())
    if (way !== undefined)
      findings.refuse(
        'steps',
        `lead back to ${id} itself, by ${way.join(', ')}: a program can't call itself`,
        name,
      )
  }
}

function wayBack(
  id: string,
  tool: Tool,
  toolOf: (name: string) => Tool | undefined,
  seen: Set<Tool>,
): readonly string[] | undefined {
  if (tool.id === id) return [tool.id]
  if (seen.has(tool)) return undefined
  seen.add(tool)
  for (const name of calls.get(tool) ?? []) {
    const next = toolOf(name)
    const way = next === undefined ? undefined : wayBack(id, next, toolOf, seen)
    if (way !== undefined) return [tool.id, ...way]
  }
  return undefined
}
