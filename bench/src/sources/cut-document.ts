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

/** So many operations of a document, taken evenly from all of it and with the one named, and of its components those they lead to. */
export function cutDocument(
  document: OpenApi,
  { count, named }: { readonly count: number; readonly named: string },
): OpenApi {
  const others = operationKeys(document).filter((key) => key !== named)
  const wanted = Array.from(
    { length: count - 1 },
    (_, index) => others[Math.floor((index * others.length) / (count - 1))],
  )
  const keys = new Set([named, ...wanted])
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, item]) => {
      const kept = Object.entries(item).filter(
        ([name]) => !METHODS.includes(name) || keys.has(`${name.toUpperCase()} ${path}`),
      )
      return kept.some(([name]) => METHODS.includes(name)) ? [[path, Object.fromEntries(kept)]] : []
    }),
  )
  return { ...document, paths, components: reached(paths, document.components ?? {}) }
}

function reached(
  from: unknown,
  components: NonNullable<OpenApi['components']>,
): NonNullable<OpenApi['components']> {
  const kept: Record<string, Record<string, unknown>> = {
    securitySchemes: { ...components.securitySchemes },
  }
  const open = [from]
  while (open.length > 0) {
    for (const [, kind = '', name = ''] of JSON.stringify(open.pop()).matchAll(REFERENCE)) {
      const component = components[kind]?.[name]
      if (component === undefined || Object.hasOwn(kept[kind] ?? {}, name)) continue
      kept[kind] = { ...kept[kind], [name]: component }
      open.push(component)
    }
  }
  return kept
}
