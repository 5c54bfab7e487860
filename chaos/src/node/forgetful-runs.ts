import type { RunStore } from '@surehand/core/ports'

/**
 * A deliberate defect that the harness must detect: a resumed run finds the steps in its journal,
 * but none of their answers.
 */
export function forgetfulRuns(runs: RunStore): RunStore {
  return {
    ...runs,
    journal: async (tenant, callId) =>
      (await runs.journal(tenant, callId)).map((entry) => ({ ...entry, answer: undefined })),
  }
}
