import {
  type Caller,
  createRuntime,
  definePack,
  type Envelope,
  type Runtime,
  type Stores,
  type Tool,
} from '@surehand/core'
import type { TenantPolicy } from '@surehand/core/host'
import type { AuditRecord, Clock } from '@surehand/core/ports'
import { type FakeClock, fakeClock, settle } from '../fake-clock.ts'
import { inProcessSurface } from '../in-process-surface.ts'
import type { Mutant } from '../mutant.ts'
import type { Surface, SurfaceRequest } from '../surface.ts'
import { drive } from './drive.ts'
import { createEmulator, type Emulator } from './emulator.ts'
import { createFaults, type Faults } from './faults.ts'
import { fixturePack } from './fixture-pack.ts'
import { COUNT_NOTES, NOTES_SCHEMA } from './notes.ts'
import { ann } from './people.ts'

/** What a world is built of: the stores and the surface under test. */
export type WorldSetup = {
  readonly openStores: (given: {
    readonly clock: Clock
    readonly schema: readonly string[]
  }) => Stores | Promise<Stores>
  readonly openSurface?: (runtime: Runtime) => Surface | Promise<Surface>
  /** Waits until running work has settled; longer where sockets or files are involved. */
  readonly pause?: () => Promise<void>
  readonly mutant?: Mutant
}

/** A request of Ann's, unless it says otherwise. */
export type Ask = Omit<SurfaceRequest, 'caller'> & { readonly caller?: Caller }

/** A call under way. */
export type Running = {
  /** Lets time pass until the answer is there. */
  readonly answer: () => Promise<Envelope>
  /** The answer, if it is there already. */
  readonly now: () => Envelope | undefined
}

/** One process: a runtime over the shared stores, with a surface to it. */
export type Process = {
  readonly runtime: Runtime
  readonly surface: Surface
  /** Calls, and lets time pass until the answer is there. */
  readonly call: (ask: Ask) => Promise<Envelope>
  /** Calls, and lets no time pass. */
  readonly begin: (ask: Ask) => Promise<Running>
}

export type ProcessOptions = {
  readonly tools?: (tools: readonly Tool[]) => readonly Tool[]
  readonly stores?: (stores: Stores) => Stores
  readonly clock?: Clock
}

/** Everything a behaviour may touch and look at. */
export type World = Process & {
  readonly clock: FakeClock
  readonly emulator: Emulator
  readonly faults: Faults
  /** The stores themselves, to look at. */
  readonly stores: Stores
  readonly policies: Map<string, TenantPolicy>
  /** Another process over the same stores and the same outside. */
  readonly process: (options?: ProcessOptions) => Promise<Process>
  readonly audit: (tenant?: string) => Promise<readonly AuditRecord[]>
  readonly countNotes: () => Promise<number>
  /** Waits for anything, letting time pass as far as it must. */
  readonly wait: <T>(promise: Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

export async function openWorld(setup: WorldSetup): Promise<World> {
  const { mutant, pause = settle } = setup
  const clock = fakeClock(undefined, pause)
  const bare = await setup.openStores({
    clock: mutant?.storeClock?.(clock) ?? clock,
    schema: NOTES_SCHEMA,
  })
  const emulator = createEmulator(clock)
  const faults = createFaults()
  const policies = new Map<string, TenantPolicy>()
  const processes: Runtime[] = []

  async function process(options: ProcessOptions = {}): Promise<Process> {
    const faulty = faults.over(bare)
    const stores = mutant?.stores?.(faulty, clock) ?? faulty
    const given = mutant?.tools?.(fixturePack.tools) ?? fixturePack.tools
    const runtime = createRuntime({
      packs: [definePack({ name: fixturePack.name, tools: options.tools?.(given) ?? given })],
      stores: options.stores?.(stores) ?? stores,
      providers: mutant?.providers?.(emulator.providers) ?? emulator.providers,
      clock: options.clock ?? clock,
      policyOf: (tenant) =>
        mutant?.policy === undefined ? policies.get(tenant) : mutant.policy(policies.get(tenant)),
    })
    processes.push(runtime)
    const opened = await (setup.openSurface ?? inProcessSurface)(runtime)
    const surface = mutant?.surface?.(opened) ?? opened
    return {
      runtime,
      surface,
      call: (ask) => drive(surface.call({ caller: ann, ...ask }), clock, pause),
      begin: async (ask) => {
        const envelope = surface.call({ caller: ann, ...ask })
        const now = latest(envelope)
        await pause()
        return { answer: () => drive(envelope, clock, pause), now }
      },
    }
  }

  return {
    ...(await process()),
    clock,
    emulator,
    faults,
    stores: bare,
    policies,
    process,
    audit: async (tenant = ann.tenant) => bare.audit.list({ tenant }),
    countNotes: async () => Number((await bare.calls.query(COUNT_NOTES))[0]?.notes),
    wait: (promise) => drive(promise, clock, pause),
    async close() {
      // a call that hangs on purpose would hold its worker for ever
      await Promise.race([Promise.all(processes.map((runtime) => runtime.stop())), pause()])
      faults.stop()
    },
  }
}

function latest(envelope: Promise<Envelope>): () => Envelope | undefined {
  let answered: Envelope | undefined
  envelope.then(
    (answer) => {
      answered = answer
    },
    () => undefined,
  )
  return () => answered
}
