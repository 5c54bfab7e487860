import type { Pack, Runtime } from '@surehand/core'
import type { PackGiven, PackRoute, PackServices } from '@surehand/core/host'
import type { CustomRoute } from '@surehand/http'
import type { Identity } from '@surehand/identity'

export type ServiceContext = {
  readonly runtime: Pick<Runtime, 'approvals' | 'answer' | 'cancel' | 'visibleTools'>
  readonly publicUrl: string
  readonly home: string
}

/** What the routes and the demo of a pack work with. */
export function packServices(
  given: PackGiven,
  { runtime, publicUrl, home }: ServiceContext,
): PackServices {
  return {
    // Not spread: the folder is created when it is first read.
    get folder() {
      return given.folder
    },
    secret: given.secret,
    setting: given.setting,
    query: given.query,
    values: given.values,
    fetch: given.fetch,
    keepArtifact: given.keepArtifact,
    now: given.now,
    call: given.call,
    systemCaller: given.systemCaller,
    audit: given.audit,
    settleUnknown: given.settleUnknown,
    unknownCalls: given.unknownCalls,
    eraseCalls: given.eraseCalls,
    callerOf: given.callerOf,
    approvals: {
      list: runtime.approvals.listFor,
      get: runtime.approvals.getFor,
      decide: runtime.approvals.decide,
    },
    tools: async (caller) => runtime.visibleTools(caller),
    answer: runtime.answer,
    cancel: runtime.cancel,
    publicUrl,
    home,
  }
}

type CurrentCaller = Identity['currentCaller']

/**
 * The rights that a stored caller has now, where packs know principals of their own: a pack decides
 * about those whose name begins with its own and a colon, and about no others.
 */
export function withPackPrincipals(
  packs: readonly Pick<Pack, 'name' | 'principals'>[],
  {
    identity,
    givenOf,
  }: {
    readonly identity: Pick<Identity, 'currentCaller' | 'directory'>
    readonly givenOf: (pack: string) => PackGiven
  },
): CurrentCaller {
  const byPrefix = packs.flatMap(({ name, principals }) =>
    principals === undefined ? [] : [{ prefix: `${name}:`, name, principals }],
  )
  return async (caller) => {
    const found = byPrefix.find(({ prefix }) => caller.principal.startsWith(prefix))
    if (found === undefined || caller.actor === 'system') return identity.currentCaller(caller)
    if (!(await identity.directory.isOpen(caller.tenant))) return undefined
    return found.principals.currentCaller(caller, givenOf(found.name))
  }
}

/** Whether a pack decides about this principal, so that no issuer may claim its name. */
export function isPackPrincipal(
  packs: readonly Pick<Pack, 'name' | 'principals'>[],
  principal: string,
): boolean {
  return packs.some(
    ({ name, principals }) => principals !== undefined && principal.startsWith(`${name}:`),
  )
}

/** The routes of packs, as the HTTP surface serves them. */
export function packRoutes(
  packs: readonly Pick<Pack, 'name' | 'routes'>[],
  servicesOf: (pack: string) => PackServices,
): readonly CustomRoute[] {
  return packs.flatMap(({ name, routes }) => routes.map((route) => toCustomRoute(route, name)))

  function toCustomRoute({ method, path, auth, maxBytes, handle }: PackRoute, name: string) {
    return {
      method,
      path,
      auth,
      ...(maxBytes === undefined ? {} : { maxBytes }),
      handle: (received) => handle({ ...received, services: servicesOf(name) }),
    } satisfies CustomRoute
  }
}
