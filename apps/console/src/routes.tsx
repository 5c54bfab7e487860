import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
} from '@tanstack/react-router'
import type { CallFilter, DecisionFilter } from './api/queries.ts'
import type { ToolFilter } from './api/tool-queries.ts'
import type { ViewFields } from './api/view-queries.ts'
import { CONSOLE_PATH } from './mount.ts'
import { Shell } from './shell/shell.tsx'
import { Failure } from './ui/query-state.tsx'

// Each page is a file of its own in the bundle, loaded when it is opened.
const rootRoute = createRootRoute({
  component: Shell,
  errorComponent: ({ error }) => (
    <Failure error={error instanceof Error ? error : new Error(String(error))} />
  ),
  notFoundComponent: () => (
    <p className="state">
      There is no such page. <Link to="/">Open the inbox</Link>
    </p>
  ),
})

const inboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: (search): { readonly item?: string } =>
    typeof search.item === 'string' ? { item: search.item } : {},
  component: lazyRouteComponent(() => import('./pages/inbox/inbox-page.tsx'), 'InboxPage'),
})

const DECISION_FILTERS = [
  'text',
  'tool',
  'principal',
  'actor',
  'decided_by',
  'since',
  'until',
] as const

/** Those of the fields that an address gives; numbers and words like "true" are texts too. */
function readTexts<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { readonly [name in Name]?: string } {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name]
      return ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
        ? [[name, String(value).slice(0, 200)]]
        : []
    }),
  ) as { readonly [name in Name]?: string }
}

const decisionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/decisions',
  validateSearch: (search): DecisionFilter => readTexts(search, DECISION_FILTERS),
  component: lazyRouteComponent(() => import('./pages/inbox/decisions-page.tsx'), 'DecisionsPage'),
})

const decisionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/decisions/$id',
  component: lazyRouteComponent(() => import('./pages/inbox/decisions-page.tsx'), 'DecisionPage'),
})

const FILTERS = ['tool', 'principal', 'actor', 'outcome', 'since', 'until', 'key', 'text'] as const

const callsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calls',
  validateSearch: (search): CallFilter =>
    Object.fromEntries(
      FILTERS.flatMap((name) => {
        const value = search[name]
        return typeof value === 'string' && value !== '' ? [[name, value]] : []
      }),
    ),
  component: lazyRouteComponent(() => import('./pages/calls/calls-page.tsx'), 'CallsPage'),
})

const callRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calls/$id',
  component: lazyRouteComponent(() => import('./pages/calls/call-page.tsx'), 'CallPage'),
})

const toolsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tools',
  validateSearch: ({ q, as }): ToolFilter => ({
    // Numbers and words like "true" are not texts in an address.
    ...(q === undefined || q === '' ? {} : { q: String(q).slice(0, 400) }),
    ...(as === 'agent' ? { as } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/tools/tools-page.tsx'), 'ToolsPage'),
})

const toolRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tools/$id',
  component: lazyRouteComponent(() => import('./pages/tools/tool-page.tsx'), 'ToolPage'),
})

const programsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/programs',
  component: lazyRouteComponent(() => import('./pages/programs/programs-page.tsx'), 'ProgramsPage'),
})

const programRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/programs/$id',
  component: lazyRouteComponent(() => import('./pages/programs/program-page.tsx'), 'ProgramPage'),
})

const policyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/policy',
  component: lazyRouteComponent(() => import('./pages/policy/policy-page.tsx'), 'PolicyPage'),
})

const importsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/imports',
  component: lazyRouteComponent(() => import('./pages/imports/imports-page.tsx'), 'ImportsPage'),
})

const importRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/imports/$name',
  component: lazyRouteComponent(() => import('./pages/imports/import-page.tsx'), 'ImportPage'),
})

const peopleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people',
  component: lazyRouteComponent(() => import('./pages/people/people-page.tsx'), 'PeoplePage'),
})

// Beside the ids of people, of which any may be taken.
const newPersonRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/new-person',
  component: lazyRouteComponent(() => import('./pages/people/principal-page.tsx'), 'PrincipalPage'),
})

const principalRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people/$id',
  component: lazyRouteComponent(() => import('./pages/people/principal-page.tsx'), 'PrincipalPage'),
})

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
})

const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const webhookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks/$id',
  component: lazyRouteComponent(() => import('./pages/webhooks/webhook-page.tsx'), 'WebhookPage'),
})

const viewsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/views',
  component: lazyRouteComponent(() => import('./pages/views/views-page.tsx'), 'ViewsPage'),
})

const viewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/views/$pack/$name',
  // Which fields a view has, its pack decides; the server ignores others.
  validateSearch: (search) => readTexts(search, Object.keys(search).slice(0, 20)) as ViewFields,
  component: lazyRouteComponent(() => import('./pages/views/views-page.tsx'), 'ViewPage'),
})

const healthRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/health',
  validateSearch: ({ hours }): { readonly hours?: number } =>
    typeof hours === 'number' && hours >= 1 && hours <= 720 ? { hours } : {},
  component: lazyRouteComponent(() => import('./pages/health/health-page.tsx'), 'HealthPage'),
})

const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
})

const routeTree = rootRoute.addChildren([
  inboxRoute,
  decisionsRoute,
  decisionRoute,
  callsRoute,
  callRoute,
  toolsRoute,
  toolRoute,
  programsRoute,
  programRoute,
  policyRoute,
  importsRoute,
  importRoute,
  peopleRoute,
  newPersonRoute,
  principalRoute,
  accountRoute,
  webhooksRoute,
  webhookRoute,
  viewsRoute,
  viewRoute,
  healthRoute,
  auditRoute,
])

export function createConsoleRouter() {
  return createRouter({ routeTree, basepath: CONSOLE_PATH, defaultPreload: 'intent' })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
