import type { ResolutionEvidence } from '@surehand/core/host'
import type { VendorProcess } from '../house/vendor-process.ts'
import type { Plan } from './plan.ts'

export type UnknownStep = { readonly path: string; readonly callId: string }

/** Somebody who looks at the vendor's books and says what became of a step; undefined: it is too early to say. */
export type Witness = (
  plan: Plan,
  step: UnknownStep,
) => { readonly callId: string; readonly evidence: ResolutionEvidence } | undefined

// a request whose sender is dead comes to the vendor within this, or never
const ARRIVES_WITHIN_MS = 2_000

export function witnessOf(vendor: Pick<VendorProcess, 'made'>): Witness {
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
    // made again under the same name, it may get lost again
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
