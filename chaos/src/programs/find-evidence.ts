import type { ResolutionEvidence } from '@surehand/core/host'
import type { VendorProcess } from '../processes/vendor-process.ts'
import type { Plan } from './plan.ts'

export type UnknownStep = { readonly path: string; readonly callId: string }

/**
 * Looks into the vendor's log to find out what became of a step; undefined when it is too early to
 * know.
 */
export type FindEvidence = (
  plan: Plan,
  step: UnknownStep,
) => { readonly callId: string; readonly evidence: ResolutionEvidence } | undefined

// A request whose sender has died reaches the vendor within this time, or never.
const ARRIVES_WITHIN_MS = 2_000

export function createEvidenceFinder(vendor: Pick<VendorProcess, 'made'>): FindEvidence {
  const firstSeen = new Map<string, number>()
  return ({ program }, { path, callId }) => {
    const sinceMs = firstSeen.get(callId) ?? performance.now()
    firstSeen.set(callId, sinceMs)
    const item = itemOf(program.id, path)
    const made = vendor.made().find((one) => one.item === item || one.item.startsWith(`${item}=`))
    if (made !== undefined)
      return {
        callId,
        evidence: {
          text: 'It is in their books.',
          found: 'done',
          output: { receipt: made.receipt, item: made.item },
        },
      }
    if (performance.now() - sinceMs < ARRIVES_WITHIN_MS) return undefined
    // The step is executed again under the same call id, and its outcome may become unknown again.
    firstSeen.delete(callId)
    return { callId, evidence: { text: 'They have nothing of the kind.', found: 'not_done' } }
  }
}

/** "branch 0/0.1.0", or "undo branch 0/0.1.0": the item begins with the program and the place. */
function itemOf(program: string, path: string): string {
  const place =
    path
      .split('/')
      .at(-1)
      ?.replace(/^undo /, '') ?? ''
  return `${path.startsWith('undo ') ? 'undo.' : ''}${program}.${place}`
}
