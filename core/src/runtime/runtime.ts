import { type ApprovalsApi, createApprovalsApi } from '../approvals/approvals-api.ts'
import type { OpenCall } from '../call/call-row.ts'
import { type Caller, DEFAULT_TENANT } from '../call/caller.ts'
import type { Outcome } from '../call/outcome.ts'
import type { Page, PageRequest } from '../call/page.ts'
import { PassingMap } from '../call/passing-map.ts'
import type { CallRequest } from '../call/request.ts'
import type { ForeignSchemas } from '../define/foreign-schemas.ts'
import type { Pack } from '../define/pack.ts'
import type { Tool } from '../define/tool.ts'
import { CallChanges } from '../ledger/call-changes.ts'
import { cancelCall } from '../ledger/cancel-call.ts'
import { Doubts } from '../ledger/doubts.ts'
import { fetchAnswer, openCalls } from '../ledger/fetch-answer.ts'
import { Leases } from '../ledger/leases.ts'
import { readProgress, type StoredProgress } from '../ledger/progress.ts'
import { type Evidence, resolveUnknown } from '../ledger/resolve-unknown.ts'
import { createTimelines } from '../ledger/trace-budget.ts'
import { permissionScheme } from '../permissions/permission-scheme.ts'
import type { PipelineContext } from '../pipeline/context.ts'
import { createLatencies, type LatencyReport } from '../pipeline/latencies.ts'
import { bindProviders } from '../pipeline/providers.ts'
import { readFacts } from '../pipeline/read-facts.ts'
import { authorizeRequest, requiresApproval } from '../pipeline/requires-approval.ts'
import { runCall } from '../pipeline/run.ts'
import { resume, resumeWithParents, startWork, sweep } from '../pipeline/worker.ts'
import { type Clock, systemClock } from '../ports/clock.ts'
import { type Entropy, systemEntropy } from '../ports/entropy.ts'
import type { Stores } from '../ports/stores.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { TenantTools } from '../ports/tenant-tools.ts'
import type { TextIndex } from '../ports/text-index.ts'
import { type AdminApi, createAdminApi } from '../registry/admin-api.ts'
import { hostAdministration, storedAdministration } from '../registry/administration.ts'
import type { TenantPolicy } from '../registry/policy.ts'
import { createRegistry, publishedTools, tenantRegistries } from '../registry/registry.ts'
import { type ToolDirectory, toolDirectory } from '../registry/registry-access.ts'
import { answerTool, questionProvider } from '../runs/answer-tool.ts'
import { createQuestionsApi, type QuestionsApi } from '../runs/questions-api.ts'
import { type RunTree, runTree } from '../runs/tree.ts'

/**
 * What a runtime is made of. Only tools or packs are needed to begin with.
 *
 * @example
 * const options: RuntimeOptions = { tools: [weather], stores: memoryStores() }
 * const runtime = createRuntime(options)
 */
export type RuntimeOptions = {
  /** Tools that belong to no pack. */
  readonly tools?: readonly Tool[]
  readonly packs?: readonly Pack[]
  /**
   * Where calls, approvals and the audit log are stored. Default: in memory, lost when the process
   * ends.
   */
  readonly stores?: Stores
  /** The provider of each port, by the port's name. */
  readonly providers?: Readonly<Record<string, object>>
  /** For hosts that keep tenant policies themselves; without it they are read from the store. */
  readonly policyOf?: (tenant: string) => TenantPolicy | undefined
  /** For `searchTools`, such as `miniSearchIndex()` of @surehand/discovery. */
  readonly textIndex?: TextIndex
  readonly telemetry?: Telemetry
  /**
   * Called with every exception that is not a ToolError. Its text may hold a password, so callers
   * get a code and the call id only, and the exception goes here. Default: `console.error`.
   */
  readonly onUnexpectedError?: (error: unknown, callId: string) => void
  /**
   * `trace`: the program passes unhandled rejections and exceptions to `failStrayCall`, which fails
   * the call that left them behind. It costs about half a microsecond a call. Default: `ignore`.
   */
  readonly strayErrors?: 'trace' | 'ignore'
  readonly clock?: Clock
  readonly entropy?: Entropy
  /**
   * The rights a caller has today, read when a stored call is continued; undefined: it has none any
   * more.
   */
  readonly currentCaller?: (caller: Caller) => Promise<Caller | undefined>
  /**
   * A person with the rights of today, for whom an approval request is delegated; undefined: there is
   * no such person. Without it nothing can be delegated.
   */
  readonly findPerson?: (tenant: string, principal: string) => Promise<Caller | undefined>
  /**
   * Compiles the JSON Schemas of questions, so that an invalid answer is refused at once; without
   * it the run asks again.
   */
  readonly schemas?: ForeignSchemas
  /** Tools that tenants import themselves; see `@surehand/imports`. */
  readonly tenantTools?: TenantTools
  /** How long a claim is valid without being renewed. */
  readonly leaseMs?: number
  /**
   * A secret that is the same for all processes of an installation, and that is stored elsewhere
   * than its database: keys for providers are made with it, so that a restored database sends the
   * same key for the same call. Without it, a provider's key is the id of the first call.
   */
  readonly installation?: string
}

/** How a call is made, beside its tool and input. */
export type CallOptions = Omit<
  CallRequest,
  'tool' | 'input' | 'json' | 'caller' | 'surface' | 'resumes' | 'step' | 'isShutOut'
> & { readonly surface?: string }

/** A call in process: the tool itself, so that input and output are typed. */
export type TypedCall<I, O> = CallOptions & {
  readonly tool: Tool<I, O>
  readonly input: I
  readonly caller: Caller
}

/** A runtime for one caller. */
export type CallerRuntime = {
  readonly caller: Caller
  /**
   * Runs one call through the pipeline. It never throws: every failure is an outcome.
   *
   * @example
   * const outcome = await runtime.as({ principal: 'ann' }).call(weather, { city: 'Lisbon' })
   * if (outcome.status === 'done') console.log(outcome.data.celsius)
   */
  readonly call: {
    <I, O>(tool: Tool<I, O>, input: I, options?: CallOptions): Promise<Outcome<O>>
    (tool: string, input: unknown, options?: CallOptions): Promise<Outcome>
  }
}

/**
 * A runtime enforces the contracts of its tools on every call. `createRuntime` makes one.
 *
 * @example
 * const callAs = (principal: string, on: Runtime) =>
 *   on.as({ principal }).call('weather.today', { city: 'Lisbon' })
 */
export type Runtime = ToolDirectory & {
  /** Runs one call through the pipeline. It never throws: every failure is an outcome. */
  readonly call: {
    <I, O>(request: TypedCall<I, O>): Promise<Outcome<O>>
    (request: Omit<CallRequest, 'resumes'>): Promise<Outcome>
  }
  /**
   * The runtime for one caller. What the caller does not say is filled in: the tenant `default`,
   * the actor `user` (a person, not an agent), no roles and no capabilities.
   *
   * @example
   * const ann = runtime.as({ principal: 'ann', roles: ['admin'] })
   * const outcome = await ann.call(weather, { city: 'Lisbon' })
   */
  readonly as: (caller: Pick<Caller, 'principal'> & Partial<Caller>) => CallerRuntime
  /** Whether this call would need an approval; nothing is requested by it. */
  readonly requiresApproval: (request: Omit<CallRequest, 'resumes'>) => Promise<boolean>
  /** The stored answer of a write, a job or an approved call. */
  readonly answer: (caller: Caller, callId: string) => Promise<Outcome | undefined>
  /**
   * Calls the listener when this process has continued, decided or cancelled the call; the answer
   * may be another one then. What other processes do is not announced. The returned function
   * removes the listener.
   */
  readonly onChange: (callId: string, listener: () => void) => () => void
  /**
   * Calls that wait for a worker, run, or are unknown: the caller's own, and for administrators
   * everyone's.
   */
  readonly openCalls: (caller: Caller, page?: PageRequest) => Promise<Page<OpenCall>>
  /**
   * Cancels a waiting or queued call. False when it has begun: then it is asked to stop, and its
   * answer says how it ended.
   */
  readonly cancel: (caller: Caller, callId: string) => Promise<boolean>
  readonly approvals: ApprovalsApi
  /** An administrator settles, with evidence, a call whose outcome is unknown. */
  readonly resolveUnknown: (decider: Caller, callId: string, evidence: Evidence) => Promise<void>
  /** The questions of runs, and where they are answered. */
  readonly questions: QuestionsApi
  /** A run with its steps, for a caller who may see it. */
  readonly runTree: (caller: Caller, callId: string) => Promise<RunTree | undefined>
  /** The last reported progress of a call; `number` counts up. */
  readonly progress: (caller: Caller, callId: string) => Promise<StoredProgress | undefined>
  /** Tokens, policies, tools, pins and credentials, for administrators. */
  readonly administration: AdminApi
  /** The tools of the packs; with a tenant, also those it has imported. */
  readonly tools: (tenant?: string) => readonly Tool[]
  readonly latency: (tool: string) => LatencyReport | undefined
  /** Continues abandoned calls; returns how many it found. */
  readonly sweep: () => Promise<number>
  /** Begins to execute jobs and to sweep. */
  readonly start: () => void
  /** Stops taking jobs and waits for those that run. */
  readonly stop: () => Promise<void>
}

const LEASE_MS = 30_000

/** Like `createRuntime`, for hosts that bring their stores: it loads none of those in memory. */
export function assembleRuntime(options: RuntimeOptions & { readonly stores: Stores }): Runtime {
  let stopWork: (() => Promise<void>) | undefined
  // Where a worker runs, the store's job reaches it; otherwise this process continues the call
  // itself.
  const continueCall = async (stored: {
    readonly tenant: string
    readonly callId: string
  }): Promise<void> =>
    stopWork === undefined ? resumeWithParents(stored.tenant, stored.callId, context) : undefined
  const context = createContext(options, () => questions)
  const questions = createQuestionsApi(context, options.schemas, continueCall)
  const call = createCall(context)
  return {
    call,
    as: (caller) => bindCaller(toCaller(caller), call),
    requiresApproval: (request) => requiresApproval(request, context),
    answer: (caller, callId) => fetchAnswer(caller, callId, context),
    onChange: (callId, listener) => context.changes.listen(callId, listener),
    openCalls: (caller, page = { limit: 100 }) => openCalls(caller, page, context),
    async cancel(caller, callId) {
      const cancelled = await cancelCall(caller, callId, context)
      context.changes.announce(callId)
      if (cancelled === 'stopping') await continueCall({ tenant: caller.tenant, callId })
      return cancelled === 'cancelled'
    },
    approvals: createApprovalsApi(context, {
      authorizeRequest: (request, callId) => authorizeRequest(request, context, callId),
      readFacts: (call, rule) => readFacts(call, rule, context),
      continueCall,
    }),
    questions,
    runTree: (caller, callId) => runTree(caller, callId, context),
    progress: (caller, callId) => readProgress(caller, callId, context),
    resolveUnknown: (decider, callId, evidence) =>
      resolveUnknown(decider, callId, evidence, context),
    administration: createAdminApi({
      store: context.stores.admin,
      administration: context.administration,
      now: context.clock.now,
      newId: (prefix) => context.entropy.newId(prefix, context.clock.now()),
    }),
    tools: (tenant) =>
      (tenant === undefined ? context.registry : context.registryOf(tenant)).list(),
    ...toolDirectory(context, options.textIndex),
    latency: (tool) => context.latencies.report(tool),
    sweep: () => sweep(context),
    start() {
      stopWork ??= startWork(context)
    },
    async stop() {
      await stopWork?.()
      stopWork = undefined
    },
  }
}

function createContext(
  options: RuntimeOptions & { readonly stores: Stores },
  questionsApi: () => QuestionsApi,
): PipelineContext {
  const { packs = [], stores, tenantTools } = options
  const given = [...(options.tools ?? []), ...packs.flatMap((pack) => pack.tools)]
  const hasRuns = given.some(({ work }) => work.kind === 'run')
  const tools = hasRuns ? [...given, answerTool()] : given
  const providers = hasRuns
    ? { ...options.providers, ...questionProvider(questionsApi) }
    : (options.providers ?? {})
  const clock = options.clock ?? systemClock()
  const administration =
    options.policyOf === undefined
      ? storedAdministration(stores.admin, clock, tenantTools)
      : hostAdministration(options.policyOf)
  const registry = createRegistry(tools, clock.now, publishedTools(packs))
  const leaseMs = options.leaseMs ?? LEASE_MS
  const context: PipelineContext = {
    registry,
    registryOf: tenantRegistries(registry, tenantTools),
    providers: bindProviders(tools, providers, { clock, tenantTools }),
    stores,
    clock,
    entropy: options.entropy ?? systemEntropy(),
    telemetry: options.telemetry,
    latencies: createLatencies(),
    openTimeline: stores.traces === undefined ? undefined : createTimelines(clock),
    tracesStrayErrors: options.strayErrors === 'trace',
    flights: new Map(),
    doubts: new Doubts(clock),
    abortControllers: new PassingMap(),
    changes: new CallChanges(),
    scheme: permissionScheme(packs.map((pack) => pack.grants)),
    administration,
    policyOf: administration.policyOf,
    currentCaller: options.currentCaller ?? (async (caller) => caller),
    findPerson: options.findPerson ?? (async () => undefined),
    installation: options.installation,
    leaseMs,
    leases: new Leases(clock, leaseMs),
    onUnexpectedError: options.onUnexpectedError ?? logUnexpectedError,
    resume: (row) => resume(row, context).finally(() => context.changes.announce(row.callId)),
    call: (request) => runCall(request, context),
  }
  return context
}

function logUnexpectedError(error: unknown, callId: string): void {
  console.error(`Unexpected error in the call ${callId}:`, error)
}

function toCaller(caller: Pick<Caller, 'principal'> & Partial<Caller>): Caller {
  return { tenant: DEFAULT_TENANT, actor: 'user', roles: [], capabilities: [], ...caller }
}

function bindCaller(caller: Caller, call: Runtime['call']): CallerRuntime {
  // Types are erased here: both signatures become one request.
  return {
    caller,
    call: (tool: string | Tool, input: unknown, options?: CallOptions) =>
      call({ ...options, tool, input, caller } as TypedCall<unknown, never>),
  }
}

type AnyCall = CallOptions & {
  readonly tool: string | Tool
  readonly input: unknown
  readonly caller: Caller
}

function createCall(context: PipelineContext): Runtime['call'] {
  // Types are erased here: a typed tool's output has been checked against its own schema.
  return (request: AnyCall) =>
    runCall(
      {
        ...request,
        tool: typeof request.tool === 'string' ? request.tool : request.tool.id,
        surface: request.surface ?? 'process',
        resumes: undefined,
      },
      context,
    ) as Promise<Outcome<never>>
}
