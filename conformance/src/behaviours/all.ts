import type { Behaviour } from '../behaviour.ts'
import { admission } from './admission.ts'
import { asking } from './asking.ts'
import { cancellation } from './cancellation.ts'
import { clocks } from './clocks.ts'
import { deadlines } from './deadlines.ts'
import { deciding } from './deciding.ts'
import { editing } from './editing.ts'
import { envelope } from './envelope.ts'
import { identity } from './identity.ts'
import { input } from './input.ts'
import { jobs } from './jobs.ts'
import { kept } from './kept.ts'
import { keys } from './keys.ts'
import { lapsing } from './lapsing.ts'
import { limits } from './limits.ts'
import { names } from './names.ts'
import { outside } from './outside.ts'
import { policy } from './policy.ts'
import { problems } from './problems.ts'
import { reads } from './reads.ts'
import { records } from './records.ts'
import { recovery } from './recovery.ts'
import { redriven } from './redriven.ts'
import { replay } from './replay.ts'
import { retries } from './retries.ts'
import { runs } from './runs.ts'
import { secrets } from './secrets.ts'
import { unknowns } from './unknowns.ts'

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
