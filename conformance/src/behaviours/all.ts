import type { Behaviour } from '../behaviour.ts'
import { admission } from './admission.ts'
import { deciding } from './approval-decisions.ts'
import { editing } from './approval-edits.ts'
import { lapsing } from './approval-expiry.ts'
import { facts } from './approval-facts.ts'
import { asking } from './approval-requests.ts'
import { cancellation } from './cancellation.ts'
import { clocks } from './clocks.ts'
import { deadlines } from './deadlines.ts'
import { envelope } from './envelope.ts'
import { identity } from './identity.ts'
import { input } from './input.ts'
import { jobs } from './jobs.ts'
import { keys } from './keys.ts'
import { limits } from './limits.ts'
import { names } from './names.ts'
import { outside } from './outside.ts'
import { policy } from './policy.ts'
import { problems } from './problems.ts'
import { reads } from './reads.ts'
import { records } from './records.ts'
import { recovery } from './recovery.ts'
import { redriven } from './repeated-effects.ts'
import { replay } from './replay.ts'
import { retries } from './retries.ts'
import { runs } from './runs.ts'
import { secrets } from './secrets.ts'
import { kept } from './stored-answers.ts'
import { unknowns } from './unknowns.ts'
import { wayBack } from './way-back.ts'

/** Every behaviour there is. */
export const BEHAVIOURS: readonly Behaviour[] = [
  ...keys,
  ...replay,
  ...outside,
  ...redriven,
  ...recovery,
  ...clocks,
  ...kept,
  ...unknowns,
  ...asking,
  ...lapsing,
  ...deciding,
  ...editing,
  ...facts,
  ...wayBack,
  ...cancellation,
  ...deadlines,
  ...retries,
  ...reads,
  ...admission,
  ...limits,
  ...policy,
  ...identity,
  ...input,
  ...names,
  ...problems,
  ...records,
  ...secrets,
  ...envelope,
  ...jobs,
  ...runs,
]
