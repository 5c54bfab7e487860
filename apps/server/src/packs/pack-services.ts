import type { Pack } from '@surehand/core'
import type { PackGiven, PackRoute, PackServices } from '@surehand/core/host'
import type { CustomRoute } from '@surehand/http'
import type { Identity } from '@surehand/identity'

export type ServiceContext = {
  readonly identity: Pick<Identity, 'authenticateSession'>
  readonly publicUrl: string
  readonly home: string
}

/** What the routes and the demo of a pack work with. */
export function packServices(
  given: PackGiven,
  { identity, publicUrl, home }: ServiceContext,
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
    callerOf: (tenant, principal) =>
      identity.authenticateSession({
        id: 'pack',
        tenant,
        principal,
        expiresAt: Number.POSITIVE_INFINITY,
      }),
    publicUrl,
    home,
  }
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
