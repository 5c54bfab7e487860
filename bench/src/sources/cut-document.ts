type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>
type OpenApi = {
  readonly paths: Paths
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace']
const REFERENCE = /"#\/components\/([^/"]+)\/([^/"]+)"/g

export function operationKeys(document: OpenApi): readonly string[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).flatMap((method) =>
      METHODS.includes(method) ? [`${method.toUpperCase()} ${path}`] : [],
    ),
  )
}

/** `count` operations of a document, spread evenly over it and including `required`, with the components that they refer to. */
export function cutDocument(
  document: OpenApi,
  { count, required }: { readonly count: number; readonly required: string },
): OpenApi {
  const others = operationKeys(document).filter((key) => key !== required)
  const wanted = Array.from(
    { length: count - 1 },
    (_, index) => others[Math.floor((index * others.length) / (count - 1))],
  )
  const keys = new Set([required, ...wanted])
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, item]) => {
      const chosen = Object.entries(item).filter(
        ([name]) => !METHODS.includes(name) || keys.has(`${name.toUpperCase()} ${path}`),
      )
      return chosen.some(([name]) => METHODS.includes(name))
        ? [[path, Object.fromEntries(chosen)]]
        : []
    }),
  )
  return { ...document, paths, components: findComponents(paths, document.components ?? {}) }
}

function findComponents(
  from: unknown,
  components: NonNullable<OpenApi['components']>,
): NonNullable<OpenApi['components']> {
  const found: Record<string, Record<string, unknown>> = {
    securitySchemes: { ...components.securitySchemes },
  }
  const pending = [from]
  while (pending.length > 0) {
    for (const [, kind = '', name = ''] of JSON.stringify(pending.pop()).matchAll(REFERENCE)) {
      const component = components[kind]?.[name]
      if (component === undefined || Object.hasOwn(found[kind] ?? {}, name)) continue
      found[kind] = { ...found[kind], [name]: component }
      pending.push(component)
    }
  }
  return found
}
