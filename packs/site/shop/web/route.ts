import { Refusal } from '../refusal.ts'
import type { Shop } from '../shop.ts'
import type { Visitor } from './visitor.ts'

export type Visit = {
  readonly shop: Shop
  readonly request: Request
  readonly url: URL
  readonly params: Readonly<Record<string, string>>
  readonly visitor: Visitor
}

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly handle: (visit: Visit) => Response | Promise<Response>
}

export type Match = { readonly route: Route; readonly params: Readonly<Record<string, string>> }

type Compiled = { readonly route: Route; readonly pattern: RegExp; readonly names: string[] }

/** Finds routes by method and path; `:name` or `{name}` is one segment. */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => Match {
  const compiled = routes.map(compile)
  return (method, path) => {
    const onPath = compiled.flatMap((one) => {
      const found = one.pattern.exec(path)
      return found === null ? [] : [{ ...one, found }]
    })
    if (onPath.length === 0)
      throw new Refusal('not_found', 'There is nothing at this address. Go to the front page.')
    // HEAD is answered as GET; the server leaves the body out.
    const wanted = method === 'HEAD' ? 'GET' : method
    const match = onPath.find(({ route }) => route.method === wanted)
    if (match === undefined)
      throw new Refusal(
        'method_not_allowed',
        `Use ${[...new Set(onPath.map(({ route }) => route.method))].join(' or ')} here.`,
      )
    const values = match.names.map((name, index) => [name, decode(match.found[index + 1] ?? '')])
    return { route: match.route, params: Object.fromEntries(values) }
  }
}

function compile(route: Route): Compiled {
  const names = [...route.path.matchAll(/:(\w+)|\{(\w+)\}/g)].map(
    ([, one, other]) => one ?? other ?? '',
  )
  const source = route.path.replace(/[.]/g, '\\.').replace(/:\w+|\{\w+\}/g, '([^/]+)')
  return { route, pattern: new RegExp(`^${source}$`), names }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Refusal('invalid_request', 'The address is not valid. Check its percent signs.')
  }
}
