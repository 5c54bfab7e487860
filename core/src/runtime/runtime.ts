import { createDesk, type ApprovalsApi } from '../approvals/desk.ts'
import type { Caller } from '../call/caller.ts'
import { toEnvelope } from '../call/envelope.ts'
import type { Outcome } from '../call/outcome.ts'
import type { CallRequest } from '../call/request.ts'
import type { Pack } from '../define/pack.ts'
import type { Tool } from '../define/tool.ts'
import { permissionScheme } from '../permissions/permissions.ts'
import { asksFirst } from '../pipeline/asks-first.ts'
import { cancelCall } from '../pipeline/cancel-call.ts'
import { fetchAnswer } from '../pipeline/fetch-answer.ts'
import { type KeptProgress, keptProgress } from '../pipeline/kept-progress.ts'
import { createLatencies, type LatencyReport } from '../pipeline/latencies.ts'
import { openCalls } from '../pipeline/open-calls.ts'
import type { PipelineContext } from '../pipeline/parts.ts'
import { bindProviders } from '../pipeline/providers.ts'
import { type Evidence, resolveUnknown } from '../pipeline/resolve-unknown.ts'
import { runCall } from '../pipeline/run.ts'
import { resume, startWork, sweep, wakeUp } from '../pipeline/worker.ts'
import type { TenantTools } from '../ports/brought-tools.ts'
import type { OpenCall } from '../ports/calls.ts'
import { type Entropy, systemEntropy } from '../ports/chance.ts'
import { type Clock, systemClock } from '../ports/clock.ts'
import type { ForeignSchemas } from '../ports/foreign-schema.ts'
import type { Stores } from '../ports/stores.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { type AdminApi, adminDesk } from '../registry/administer.ts'
import { hostAdministration, storedAdministration } from '../registry/administration.ts'
import { type FaceOptions, type RegistryFace, registryFace } from '../registry/face.ts'
import type { TenantPolicy } from '../registry/policy.ts'
import { createRegistry } from '../registry/registry.ts'
import { tenantRegistries } from '../registry/tenant-registry.ts'
import { answerTool, questionProvider } from '../runs/answer-tool.ts'
import { createQuestionDesk, type QuestionsApi } from '../runs/desk.ts'
import { type RunTree, runTree } from '../runs/tree.ts'

export type RuntimeOptions = FaceOptions & {
  readonly packs: readonly Pack[]
  readonly stores: Stores
  /** Who supplies each port, by the port's name. */
  readonly providers?: Readonly<Record<string, object>>
  /** For hosts that keep policies themselves; without it they live in the store. */
  readonly policyOf?: (tenant: string) => TenantPolicy | undefined
  readonly telemetry?: Telemetry
  readonly clock?: Clock
  readonly chance?: Entropy
  /** What somebody may do today, asked when a stored call comes back; undefined: they may do nothing any more. */
  readonly standing?: (caller: Caller) => Promise<Caller | undefined>
  /** Reads the schemas of questions, so that a wrong answer is refused at once; without it the run finds out, and asks again. */
  readonly schemas?: ForeignSchemas
  /** What tenants bring themselves; kit has the desk for it. */
  readonly brought?: TenantTools
  /** How long a claim holds without being renewed. */
  readonly leaseMs?: number
}

/** A call in process: the tool itself, so that input and output are typed. */
export type TypedCall<I, O> = Omit<
  CallRequest,
  'tool' | 'input' | 'json' | 'surface' | 'resumes'
> & {
  readonly tool: Tool<I, O>
  readonly input: I
  readonly surface?: string
}

export type Runtime = RegistryFace & {
  /** Walks one call down the line of stages. It never throws: every trouble is an outcome. */
  readonly call: {
    <I, O>(request: TypedCall<I, O>): Promise<Outcome<O>>
    (request: Omit<CallRequest, 'resumes'>): Promise<Outcome>
  }
  /** Whether somebody would have to say yes to this call first; nothing is asked by it. */
  readonly asksFirst: (request: Omit<CallRequest, 'resumes'>) => Promise<boolean>
  /** The kept answer of a write, a job or an approved call. */
  readonly answer: (caller: Caller, callId: string) => Promise<Outcome | undefined>
  /** What waits for a worker, runs, or is unknown: one's own, and everybody's for administrators. */
  readonly openCalls: (caller: Caller, limit?: number) => Promise<readonly OpenCall[]>
  /** Cancels what waits or is queued; false when it has begun: then it is told to stop, and its answer says how it ended. */
  readonly cancel: (caller: Caller, callId: string) => Promise<boolean>
  readonly approvals: ApprovalsApi
  /** A person says, with evidence, what became of a call nobody knew about. */
  readonly resolveUnknown: (decider: Caller, callId: string, evidence: Evidence) => Promise<void>
  /** What runs ask, and where it is answered. */
  readonly questions: QuestionsApi
  /** A run with its steps, for whoever may see it. */
  readonly runTree: (caller: Caller, callId: string) => Promise<RunTree | undefined>
  /** The newest word about how far a call is; `number` counts up. */
  readonly progress: (caller: Caller, callId: string) => Promise<KeptProgress | undefined>
  /** Tokens, policies, tools, pins and credentials, for administrators. */
  readonly administration: AdminApi
  /** The house's tools; with a tenant, what that brought besides. */
  readonly tools: (tenant?: string) => readonly Tool[]
  readonly latency: (tool: string) => LatencyReport | undefined
  /** Drives on what was left behind; answers how many calls it found. */
  readonly sweep: () => Promise<number>
  /** Begins to work on jobs and to sweep. */
  readonly start: () => void
  /** Stops taking jobs and waits for those that run. */
  readonly stop: () => Promise<void>
}

const LEASE_MS = 30_000

/** Puts tools, providers and stores together, checks that nothing is missing, and answers calls. */
export function createRuntime(options: RuntimeOptions): Runtime {
  let stopWork: (() => Promise<void>) | undefined
  // where a worker is alive, a wake-up reaches it
  const driveOn = async ({
    tenant,
    callId,
  }: {
    readonly tenant: string
    readonly callId: string
  }): Promise<void> => (stopWork === undefined ? wakeUp(tenant, callId, parts) : undefined)
  const parts = partsOf(options, () => questions)
  const questions = createQuestionDesk(
    parts,
    options.schemas ?? options.definitions?.schemas,
    driveOn,
  )
  const call = callOf(parts)
  return {
    call,
    asksFirst: (request) => asksFirst(request, parts),
    answer: (caller, callId) => fetchAnswer(caller, callId, parts),
    openCalls: (caller, limit = 100) => openCalls(caller, limit, parts),
    async cancel(caller, callId) {
      const cancelled = await cancelCall(caller, callId, parts)
      if (cancelled === 'told') await driveOn({ tenant: caller.tenant, callId })
      return cancelled === 'cancelled'
    },
    approvals: createDesk(parts, driveOn),
    questions,
    runTree: (caller, callId) => runTree(caller, callId, parts),
    progress: (caller, callId) => keptProgress(caller, callId, parts),
    resolveUnknown: (decider, callId, evidence) => resolveUnknown(decider, callId, evidence, parts),
    administration: adminDesk({
      store: parts.stores.admin,
      administration: parts.administration,
      now: parts.clock.now,
      newId: (prefix) => parts.entropy.newId(prefix, parts.clock.now()),
    }),
    tools: (tenant) => (tenant === undefined ? parts.registry : parts.registryOf(tenant)).list(),
    ...registryFace(parts, options, async (tool, input, context) =>
      toEnvelope(await call({ ...context, tool, input, surface: 'descriptor' })),
    ),
    latency: (tool) => parts.latencies.report(tool),
    sweep: () => sweep(parts),
    start() {
      stopWork ??= startWork(parts)
    },
    async stop() {
      await stopWork?.()
      stopWork = undefined
    },
  }
}

function partsOf(options: RuntimeOptions, desk: () => QuestionsApi): PipelineContext {
  const given = options.packs.flatMap((pack) => pack.tools)
  const asks = given.some(({ work }) => work.kind === 'run')
  const tools = asks ? [...given, answerTool()] : given
  const providers = asks
    ? { ...options.providers, ...questionProvider(desk) }
    : (options.providers ?? {})
  const clock = options.clock ?? systemClock()
  const administration =
    options.policyOf === undefined
      ? storedAdministration(options.stores.admin, clock, options.brought)
      : hostAdministration(options.policyOf)
  const registry = createRegistry(tools)
  const parts: PipelineContext = {
    registry,
    registryOf: tenantRegistries(registry, options.brought),
    providers: bindProviders(tools, providers, { clock, brought: options.brought }),
    stores: options.stores,
    clock,
    entropy: options.chance ?? systemEntropy(),
    telemetry: options.telemetry,
    latencies: createLatencies(),
    flights: new Map(),
    driven: new Map(),
    scheme: permissionScheme(options.packs.map((pack) => pack.grants)),
    administration,
    policyOf: administration.policyOf,
    standing: options.standing ?? (async (caller) => caller),
    leaseMs: options.leaseMs ?? LEASE_MS,
    resume: (row) => resume(row, parts),
    call: (request) => runCall(request, parts),
  }
  return parts
}

type AnyCall = Omit<CallRequest, 'resumes' | 'tool' | 'surface'> & {
  readonly tool: string | Tool
  readonly surface?: string
}

function callOf(parts: PipelineContext): Runtime['call'] {
  // erased: a typed tool's output has been held against its own schema
  return (request: AnyCall) =>
    runCall(
      {
        ...request,
        tool: typeof request.tool === 'string' ? request.tool : request.tool.id,
        surface: request.surface ?? 'process',
        resumes: undefined,
      },
      parts,
    ) as Promise<Outcome<never>>
}
