// WebMCP: the site's tools for the browser's own agent. Loaded by the bridge where the browser has
// `document.modelContext`, so that other visitors do not pay for it. A tool only passes a call on;
// the contract is enforced by the server.

type Offered = {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations: { readonly readOnlyHint: boolean }
}
type ModelContext = {
  readonly registerTool: (
    tool: Offered & { readonly execute: (input: unknown) => Promise<unknown> },
  ) => unknown
}

/** Registers what the widget offers, once per name: a widget that is loaded again changes nothing. */
const registered = new Set<string>()
let current: ((name: string, input: unknown) => Promise<unknown>) | undefined

function offerTools(port: MessagePort, nonce: string): void {
  const { modelContext } = document as { readonly modelContext?: ModelContext }
  if (!modelContext) return
  const calls = new Map<string, (answer: unknown) => void>()
  let count = 0
  current = (name, input) =>
    new Promise((resolve) => {
      const id = `${nonce.slice(0, 12)}-${++count}`
      calls.set(id, resolve)
      port.postMessage({ type: 'call', nonce, id, name, input })
    })
  port.addEventListener('message', ({ data }) => {
    if (data?.nonce !== nonce) return
    if (data.type === 'answer') calls.get(data.id)?.(data.answer)
    if (data.type === 'tools') for (const tool of data.tools) register(modelContext, tool)
  })
  port.postMessage({ type: 'tools', nonce })
}

function register(modelContext: ModelContext, tool: Offered): void {
  if (registered.has(tool.name)) return
  registered.add(tool.name)
  const execute = async (input: unknown): Promise<unknown> => current?.(tool.name, input)
  modelContext.registerTool({ ...tool, execute })
}

// The bridge loads this script again with every widget; the first one goes on.
const { dataset } = document.documentElement
if (!dataset.surehandTools) {
  dataset.surehandTools = 'offered'
  addEventListener('surehand:tools', (event) => {
    const [port, nonce] = (event as CustomEvent<readonly [MessagePort, string]>).detail
    offerTools(port, nonce)
  })
}
