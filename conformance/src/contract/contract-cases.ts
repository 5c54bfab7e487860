import type { Tool } from '@surehand/core'
import { conductCases } from './conduct-cases.ts'
import type { ContractWorld } from './contract-world.ts'
import { happyCases } from './happy-cases.ts'
import { inputCases } from './input-cases.ts'
import { refusalCases } from './refusal-cases.ts'

export type CaseKind =
  | 'happy path'
  | 'invalid input'
  | 'missing permission'
  | 'timeout'
  | 'replay'
  | 'conflict'
  | 'pending'
  | 'denial'
  | 'fallback'
  | 'final answer'

/** One standard case of one tool. */
export type ContractCase = {
  readonly kind: CaseKind
  readonly tool: string
  /** What the case tries, as the name of a test. */
  readonly name: string
  readonly run: (world: ContractWorld) => Promise<void>
}

/**
 * The standard cases that a tool's contract and examples give; what does not apply to it is not
 * among them.
 */
export function contractCases(tool: Tool): readonly ContractCase[] {
  return [...happyCases(tool), ...inputCases(tool), ...refusalCases(tool), ...conductCases(tool)]
}
