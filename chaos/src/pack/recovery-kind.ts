/** The four ways to find out after a failure whether an effect happened. */
export const RECOVERY_KINDS = ['transaction', 'sameKey', 'lookUp', 'none'] as const
export type RecoveryKind = (typeof RECOVERY_KINDS)[number]

/**
 * How a call comes to its effect: at once, by a worker, after an approval, after an approval of
 * facts that change before the effect, within a rate limit, or in a step of a run that asks first.
 * The patient ones have long timeouts, as those with facts and runs do: where no timeout is meant, a
 * busy machine alone must not make an outcome unknown.
 */
export const MANNERS = [
  'plain',
  'job',
  'approval',
  'facts',
  'limited',
  'run',
  'patient',
  'patientJob',
  'patientApproval',
  'patientLimited',
] as const
export type Manner = (typeof MANNERS)[number]

const PATIENT: Partial<Readonly<Record<Manner, Manner>>> = {
  plain: 'patient',
  job: 'patientJob',
  approval: 'patientApproval',
  limited: 'patientLimited',
}

/** The same way to the effect, with a long timeout. */
export function toPatient(manner: Manner): Manner {
  return PATIENT[manner] ?? manner
}

export function toolId(kind: RecoveryKind, manner: Manner): string {
  return `${kind}.${manner}`
}
