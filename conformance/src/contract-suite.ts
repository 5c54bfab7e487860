import type { Pack, Tool } from '@surehand/core'
import { describe, test } from 'vitest'
import { type ContractCase, contractCases } from './contract/contract-cases.ts'
import type { OpenContractWorld } from './contract/contract-world.ts'

/**
 * Tries a tool, or all of a pack, against what its contract and its examples say; answers which
 * cases there are.
 */
export function contractSuite(
  subject: Tool | Pack,
  { open }: { readonly open: OpenContractWorld },
): readonly ContractCase[] {
  const tools = 'tools' in subject ? subject.tools : [subject]
  return tools.flatMap((tool) => {
    const cases = contractCases(tool)
    describe(tool.id, () => {
      for (const one of cases)
        test(`${one.kind}: ${one.name}`, () => runContractCase(one, tool, open))
    })
    return cases
  })
}

/** Runs one case in a world of its own. */
export async function runContractCase(
  one: ContractCase,
  tool: Tool,
  open: OpenContractWorld,
): Promise<void> {
  const world = await open(tool)
  try {
    await one.run(world)
  } finally {
    await world.close()
  }
}
