import type { Code } from './reply.ts'

// WebMCP, both ways. Loaded by the bridge where the browser has `document.modelContext`, so that
// other visitors do not pay for it. The site's tools are offered to the browser's own agent: such a
// tool only passes a call on, and the server enforces the contract. Tools that the page registered
// itself are reported, and executed when the server asks for one that its owner has accepted.

type Offered = {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations: { readonly readOnlyHint: boolean }
}
type PageTool = {
  readonly name: string
  readonly description: string
  readonly inputSchema?: string | object
  readonly origin?: string
}
type ModelContext = {
  readonly registerTool: (
    tool: Offered & { readonly execute: (input: unknown) => Promise<unknown> },
  ) => unknown
  readonly getTools?: () => Promise<readonly PageTool[]>
  readonly executeTool?: (tool: PageTool, input: object) => Promise<unknown>
  readonly addEventListener?: (type: 'toolchange', listener: () => void) => void
}
type Invocation = {
  readonly id: string
  readonly command: {
    readonly origin: string
    readonly definition: string
    readonly input: object
  }
}

const MOST_TOOLS = 50
const { modelContext } = document as { readonly modelContext?: ModelContext }

/** Registers what the widget offers, once per name: a widget that is loaded again changes nothing. */
const registered = new Set<string>()
let current: ((name: string, input: unknown) => Promise<unknown>) | undefined
let reportTools = (): unknown => undefined

function connect(context: ModelContext, port: MessagePort, nonce: string): void {
  const send = (message: object): void => port.postMessage({ ...message, nonce })
  const calls = new Map<string, (answer: unknown) => void>()
  let count = 0
  current = (name, input) =>
    new Promise((resolve) => {
      const id = `${nonce.slice(0, 12)}-${++count}`
      calls.set(id, resolve)
      send({ type: 'call', id, name, input })
    })
  port.addEventListener('message', ({ data }) => {
    if (data?.nonce !== nonce) return
    if (data.type === 'answer') calls.get(data.id)?.(data.answer)
    if (data.type === 'tools') for (const tool of data.tools) register(context, tool)
    if (data.type === 'invoke') void invoke(context, data).then(send)
  })
  reportTools = async () => {
    const tools = await findTools(context)
    send({ type: 'page-tools', tools: tools.slice(0, MOST_TOOLS).map(describe) })
  }
  reportTools()
  send({ type: 'tools' })
}

function register(context: ModelContext, tool: Offered): void {
  if (registered.has(tool.name)) return
  registered.add(tool.name)
  const execute = async (input: unknown): Promise<unknown> => current?.(tool.name, input)
  context.registerTool({ ...tool, execute })
}

/** The tools of this page itself: none of ours, and none of a frame of another site. */
async function findTools({ getTools }: ModelContext): Promise<readonly PageTool[]> {
  const tools = (await getTools?.call(modelContext)) ?? []
  return tools.filter(
    ({ name, origin = location.origin }) => origin === location.origin && !registered.has(name),
  )
}

/** What a model is told about a tool, as one text: a tool that changed has another one. */
function describe({ name, description, inputSchema }: PageTool): string {
  const schema = typeof inputSchema === 'string' ? JSON.parse(inputSchema) : inputSchema
  return JSON.stringify({ name, description, inputSchema: schema ?? { type: 'object' } })
}

const running = new Map<string, Promise<object>>()

/** Executes an id once, however often it arrives, and answers each time. */
function invoke(context: ModelContext, { id, command }: Invocation): Promise<object> {
  const started = running.get(id) ?? answerFrom(id) ?? execute(context, id, command)
  running.set(id, started)
  return started
}

const KEY = 'surehand.invoked'
const MOST_IDS = 50
type Answers = readonly (readonly [id: string, answer: object | null])[]

function readAnswers(): Answers {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
  } catch {
    return []
  }
}

function remember(id: string, answer: object | null): void {
  const others = readAnswers().filter(([one]) => one !== id)
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...others, [id, answer]].slice(-MOST_IDS)))
  } catch {
    // Without storage, this page alone remembers.
  }
}

function answerFrom(id: string): Promise<object> | undefined {
  const known = readAnswers().find(([one]) => one === id)
  if (!known) return undefined
  return Promise.resolve(
    known[1] ?? toError(id, 'failed', 'The page was left before its tool had answered.'),
  )
}

async function execute(
  context: ModelContext,
  id: string,
  { origin, definition, input }: Invocation['command'],
): Promise<object> {
  const tools = origin === location.origin ? await findTools(context) : []
  const tool = tools.find((one) => describe(one) === definition)
  if (!tool || !context.executeTool)
    return toError(id, 'not_found', 'This page has no such tool, or it has changed.')
  // Recorded before it is done: a tool that makes the tab leave must not be executed again there.
  remember(id, null)
  const answer = await context.executeTool(tool, inEitherForm(input)).then(
    (text) => ({ type: 'result', id, value: { answer: toText(text) } }),
    () => toError(id, 'failed', 'The tool of the page failed.'),
  )
  remember(id, answer)
  return answer
}

/**
 * Since Chromium 156 a tool is executed with an object, before that with JSON text, which is what
 * this object becomes there. Trying one form after the other could execute a tool twice.
 */
const inEitherForm = (input: object): object => ({
  ...input,
  [Symbol.toPrimitive]: () => JSON.stringify(input),
})

const toError = (id: string, code: Code, message: string): object => ({
  type: 'error',
  id,
  code,
  message,
})
const toText = (answer: unknown): string =>
  (typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '')).slice(0, 20_000)

// The bridge loads this script again with every widget; the first one goes on.
const { dataset } = document.documentElement
if (modelContext && !dataset.surehandTools) {
  dataset.surehandTools = 'offered'
  modelContext.addEventListener?.('toolchange', () => reportTools())
  addEventListener('surehand:web-mcp', (event) => {
    const [port, nonce] = (event as CustomEvent<readonly [MessagePort, string]>).detail
    connect(modelContext, port, nonce)
  })
}
