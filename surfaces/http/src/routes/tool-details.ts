import type { Caller, Tool } from '@surehand/core'
import { definitionHash, modelInputSchema, tokenCost } from '@surehand/core/host'
import {
  checkPermissions,
  type Grant,
  isAdministrator,
  isEnabled,
  type Registry,
  tighten,
} from '@surehand/core/internal'
import {
  addFigures,
  type CallFigures,
  countOver,
  HOUR_SLOT_MS,
  percentile,
  toPage,
} from '@surehand/core/ports'
import { compareDefinitions, discoverTools, toDefinition } from '@surehand/documents'
import { ToolAccessSchema, ToolContractSchema, ToolFiguresSchema } from '@surehand/edge/api'
import type { PrincipalRecord } from '@surehand/identity'
import type { z } from 'zod'
import type { Surface } from '../options.ts'
import { contractSentences } from '../page/tool-page.ts'
import { PageQuery, pageReturned, pageView, readPage } from '../paging.ts'
import { parseQuery } from '../parse-request.ts'
import type { Route } from '../route.ts'
import { identityApiOf } from './administration.ts'
import { auditFor } from './audit.ts'
import { TOOL_EXAMPLE, toolNotFound, withContract } from './tools.ts'

type Access = z.output<typeof ToolAccessSchema>

const HASH = '8f0e5c1d7b2a4936c5e8d1f0a7b3924e6c8d5f1a0b7e3c9d2f4a6b8c0e1d3f57'
const FIGURES_DAYS = 7

/** What people want to know of a tool before they rely on it. */
export const toolDetailRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/tools/:id/contract',
    command: 'tools.contract',
    summary:
      'Returns what a tool promises and demands in this tenant, its versions and their differences. Administrators also see tools that they may not use.',
    returns: {
      schema: () => ToolContractSchema,
      example: {
        tool: TOOL_EXAMPLE,
        may_use: true,
        sentences: ['It changes something (writes.order), which cannot be undone.'],
        input_schema: { type: 'object', properties: { productId: { type: 'string' } } },
        tokens: 148,
        versions: [
          { version: '1.0.0', definition_hash: HASH, level: 'none', differences: [], breaking: [] },
        ],
      },
    },
    async handle(context, caller, { runtime }) {
      const { registry, policyOf } = await readyAccess(runtime, caller)
      const tool = findFor(caller, context.req.param('id') ?? '', runtime)
      const policy = policyOf(caller.tenant)
      const isOn = isEnabled(tool, policy)
      const effective = policy === undefined || !isOn ? tool : tighten(tool, policy)
      const quarantined = registry.quarantineReason(tool.id)
      return {
        tool: withContract(definitionOf(tool, registry), tool),
        may_use: discoverTools(runtime, caller).getTool(tool.id) !== null,
        sentences: [
          ...(isOn ? [] : ["It is switched off by this tenant's policy."]),
          ...(quarantined === undefined ? [] : [`It cannot be called: ${quarantined}`]),
          ...contractSentences(effective),
        ],
        input_schema: modelInputSchema(tool),
        tokens: tokenCost(tool, 'mcp'),
        versions: describeVersions(tool.id, registry),
      }
    },
  },
  {
    method: 'GET',
    path: '/v1/tools/:id/access',
    command: 'tools.access',
    summary:
      'Says who may use a tool, and of those who may not what they lack: for administrators every principal of the tenant, for others themselves; each as a person and through their agent.',
    query: PageQuery,
    returns: pageReturned({
      schema: () => ToolAccessSchema,
      example: {
        principal: 'ann',
        disabled: false,
        person: { allowed: true, missing: [], conditions: [] },
        agent: { allowed: true, missing: [], conditions: [] },
      },
    }),
    async handle(context, caller, surface) {
      const { limit, after } = readPage('tools.access', parseQuery(context, PageQuery))
      await readyAccess(surface.runtime, caller)
      const tool = findFor(caller, context.req.param('id') ?? '', surface.runtime)
      const judge = (who: Caller, disabled: boolean): Access => ({
        principal: who.principal,
        disabled,
        person: explainAccess(tool, { ...who, actor: 'user' }, surface),
        agent: explainAccess(tool, { ...who, actor: 'ai_agent' }, surface),
      })
      if (!isAdministrator(caller))
        return pageView('tools.access', { items: [judge(caller, false)], next: undefined })
      const found = await identityApiOf(surface).principals.list(caller, {
        limit: limit + 1,
        after,
      })
      return pageView(
        'tools.access',
        toPage(found, limit, ({ id }) => id),
        ({ id, record }) => judge(callerOf(caller.tenant, id, record), record.disabled),
      )
    },
  },
  {
    method: 'GET',
    path: '/v1/tools/:id/figures',
    command: 'tools.figures',
    summary: `Returns how a tool has done in this tenant in the last ${FIGURES_DAYS} days. Durations are right to a tenth. For administrators.`,
    returns: {
      schema: () => ToolFiguresSchema,
      example: {
        calls: 120,
        failures: 3,
        since: '2026-11-16T09:00:00.000Z',
        outcomes: { done: 117, failed: 3 },
        codes: { TOOL_INVALID_INPUT: 3 },
        p50_ms: 12,
        p95_ms: 40,
        p99_ms: 95,
        budget_ms: 400,
        over_budget: 0,
      },
    },
    async handle(context, caller, surface) {
      const audit = auditFor(caller, surface)
      const tool = findFor(caller, context.req.param('id') ?? '', surface.runtime)
      const since = surface.clock.now() - FIGURES_DAYS * 24 * HOUR_SLOT_MS
      const { slots } = await audit.figures({ tenant: caller.tenant, tool: tool.id, since })
      return summarize(slots, tool.contract.latencyBudgetMs)
    },
  },
]

type Runtime = Surface['runtime']

async function readyAccess(runtime: Runtime, { tenant }: Caller) {
  await runtime.ready(tenant)
  return { registry: runtime.registry.of(tenant), policyOf: runtime.registry.policyOf }
}

// An administrator looks at tools in order to give others the right to use them.
function findFor(caller: Caller, id: string, runtime: Runtime): Tool {
  const tool = runtime.registry.of(caller.tenant).find(id)
  const isShown =
    tool !== undefined &&
    (isAdministrator(caller) || discoverTools(runtime, caller).getTool(tool.id) !== null)
  if (!isShown) throw toolNotFound(id)
  return tool
}

function definitionOf(tool: Tool, registry: Registry) {
  return toDefinition(tool, registry.registeredAt(tool), registry.deprecation(tool.id))
}

/** The newest first, each compared with the one before it. */
function describeVersions(id: string, registry: Registry): readonly object[] {
  const versions = registry.versions(id)
  return versions
    .map((tool, index) => {
      const former = versions[index - 1]
      const compared =
        former === undefined
          ? { level: 'none', differences: [], breaking: [] }
          : compareDefinitions(definitionOf(former, registry), definitionOf(tool, registry))
      return { version: tool.version, definition_hash: definitionHash(tool), ...compared }
    })
    .toReversed()
}

export function callerOf(tenant: string, principal: string, record: PrincipalRecord): Caller {
  return {
    tenant,
    principal,
    actor: 'user',
    roles: record.roles,
    // Core checks conditions, and takes malformed ones for conditions that are not met.
    capabilities: record.capabilities as readonly (string | Grant)[],
    ...(record.delegated === undefined ? {} : { delegated: record.delegated }),
    session: 'assumed',
  }
}

function explainAccess(tool: Tool, caller: Caller, { runtime }: Surface): Access['person'] {
  const { scheme, policyOf, clock } = runtime.registry
  if (!isEnabled(tool, policyOf(caller.tenant)))
    return {
      allowed: false,
      missing: [
        {
          explanation: `${tool.id} is switched off for this tenant.`,
          granted_by: "Change the tenant's policy.",
        },
      ],
      conditions: [],
    }
  const { allowed, missing, conditions } = checkPermissions(
    { tool, caller, startedAt: clock.now(), input: undefined },
    scheme,
  )
  return {
    allowed,
    missing: missing.map(({ explanation, granted_by }) => ({ explanation, granted_by })),
    conditions: conditions.map(({ type, parameters }) => ({ type, parameters })),
  }
}

function summarize(
  slots: readonly CallFigures[],
  budgetMs: number,
): z.output<typeof ToolFiguresSchema> {
  const [first] = slots
  const sum =
    first === undefined
      ? undefined
      : slots.slice(1).reduce((all, slot) => addFigures(all, slot), first)
  return {
    calls: sum?.calls ?? 0,
    failures: sum?.failures ?? 0,
    ...(first === undefined ? {} : { since: new Date(first.at).toISOString() }),
    outcomes: sum?.outcomes ?? {},
    codes: sum?.codes ?? {},
    p50_ms: (sum && percentile(sum, 0.5)) ?? 0,
    p95_ms: (sum && percentile(sum, 0.95)) ?? 0,
    p99_ms: (sum && percentile(sum, 0.99)) ?? 0,
    budget_ms: budgetMs,
    over_budget: sum === undefined ? 0 : countOver(sum, budgetMs),
  }
}
