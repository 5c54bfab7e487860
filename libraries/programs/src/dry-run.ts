import { type Caller, type Outcome, type Run, type Tool, ToolError } from '@surehand/core'
import { isRecord, type JsonSchema, type Schema, toToolError } from '@surehand/core/internal'

/** One step of a dry run, in the order in which they were taken. */
export type DryStep = {
  readonly path: string
  /** `read`: really called. `simulated`: its effect was not made. `asked`: a sample instead of a person's answer. */
  readonly how: 'read' | 'simulated' | 'asked'
  readonly tool: string
  readonly input: unknown
  readonly output?: unknown
  readonly error?: string
}

export type DryRun = {
  readonly steps: readonly DryStep[]
  readonly answer?: unknown
  readonly error?: string
}

type DryRunRequest = {
  readonly tool: Tool
  readonly input: unknown
  readonly caller: Caller
  readonly call: (tool: string, input: unknown, caller: Caller) => Promise<Outcome>
}

/**
 * Runs a program without effects: reads are called as this person, writes are answered by an
 * example of their output, and questions by a value of their schema.
 */
export async function dryRun({ tool, input, caller, call }: DryRunRequest): Promise<DryRun> {
  const steps: DryStep[] = []
  const parsed = tool.input.parse(input)
  if (!parsed.ok) return { steps, error: `The input does not fit: ${describe(parsed.problems)}` }
  if (tool.work.kind !== 'run') return { steps, error: 'It is not a program.' }
  try {
    // erased: a program uses exactly these members of a run
    const run = createDryRun({ input: parsed.value, caller, call, steps }, '') as Run<unknown>
    const answer = tool.output.parse(await tool.work.execute(run as never))
    return answer.ok
      ? { steps, answer: answer.value }
      : { steps, error: `Its answer does not fit its output: ${describe(answer.problems)}` }
  } catch (thrown) {
    return { steps, error: toToolError(thrown).message }
  }
}

type Dry = Pick<DryRunRequest, 'input' | 'caller' | 'call'> & { readonly steps: DryStep[] }

function createDryRun(dry: Dry, path: string): Partial<Run<unknown>> {
  const inside = (name: string): Run<unknown> =>
    // erased: see above
    createDryRun(dry, path === '' ? name : `${path}/${name}`) as Run<unknown>
  const pathOf = (id: string): string => (path === '' ? id : `${path}/${id}`)
  return {
    input: dry.input,
    caller: dry.caller,
    step: ((id: string, tool: Tool, input: unknown) =>
      takeStep(dry, pathOf(id), tool, input)) as never,
    ask: (async (schema: Schema, question: string, { id = '', otherwise }: AskForm = {}) => {
      const output = otherwise ?? sampleOf(schema.toJson('input'))
      dry.steps.push({ path: pathOf(id), how: 'asked', tool: '', input: question, output })
      return output
    }) as never,
    all: (async (branches: Record<string, (run: Run<unknown>) => Promise<unknown>>) => {
      const answers: Record<string, unknown> = {}
      // One after the other, so that the steps can be read in their order.
      for (const [name, work] of Object.entries(branches)) answers[name] = await work(inside(name))
      return answers
    }) as never,
    each: (async (items: readonly unknown[], form: DryEach) => {
      const answers: unknown[] = []
      for (const [index, item] of items.entries())
        answers.push(await form.work(item, inside(form.id(item, index))))
      return answers
    }) as never,
  }
}

type AskForm = { readonly id?: string; readonly otherwise?: unknown }
type DryEach = {
  readonly id: (item: unknown, index: number) => string
  readonly work: (item: unknown, run: Run<unknown>) => Promise<unknown>
}

async function takeStep(dry: Dry, path: string, tool: Tool, input: unknown): Promise<unknown> {
  const isRead = !tool.contract.isWrite && tool.work.kind !== 'run'
  const step = { path, how: isRead ? 'read' : 'simulated', tool: tool.id, input } as const
  try {
    const output = isRead ? await readReally(dry, tool, input) : simulate(tool, input)
    dry.steps.push({ ...step, output })
    return output
  } catch (thrown) {
    dry.steps.push({ ...step, error: toToolError(thrown).message })
    throw thrown
  }
}

async function readReally({ call, caller }: Dry, tool: Tool, input: unknown): Promise<unknown> {
  const outcome = await call(tool.id, input, caller)
  if (outcome.status === 'done') return outcome.data
  throw outcome.status === 'failed' ? outcome.error : cannot(`${tool.id} is not answered at once.`)
}

function simulate(tool: Tool, input: unknown): unknown {
  // A key field is filled in by the runtime when it is really called.
  const key = tool.keyField === undefined ? {} : { [tool.keyField]: SAMPLE_KEY }
  const parsed = tool.input.parse(isRecord(input) ? { ...key, ...input } : input)
  if (!parsed.ok) throw cannot(`${tool.id} would refuse its input: ${describe(parsed.problems)}`)
  const [example] = tool.outputExamples
  const output = example?.data ?? sampleOf(tool.output.toJson('output'))
  if (tool.output.parse(output).ok) return output
  throw cannot(`${tool.id} has no example of its output, so that it cannot be simulated.`)
}

function cannot(message: string): ToolError {
  return new ToolError('TOOL_INVALID_INPUT', message)
}

const SAMPLE_KEY = '00000000-0000-4000-8000-000000000000'

type Problems = readonly { readonly field: string; readonly error: string }[]

function describe(problems: Problems): string {
  return problems.map(({ field, error }) => `${field} ${error}`.trim()).join('; ')
}

const DEEPEST = 8

/** A small value that a schema takes, as far as its usual keywords tell. */
function sampleOf(schema: JsonSchema, depth = 0): unknown {
  const { const: fixed, enum: listed, examples, default: usual, type, anyOf, oneOf } = schema
  if (fixed !== undefined) return fixed
  for (const list of [examples, listed]) if (Array.isArray(list) && list.length > 0) return list[0]
  if (usual !== undefined) return usual
  const [option] = [anyOf, oneOf].filter(Array.isArray).flat() as JsonSchema[]
  if (option !== undefined) return depth > DEEPEST ? null : sampleOf(option, depth + 1)
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return depth > DEEPEST ? {} : sampleObject(schema, depth)
    case 'array':
      return []
    case 'string':
      return (
        SAMPLE_TEXTS[String(schema.format)] ?? 'sample'.padEnd(Number(schema.minLength ?? 0), '.')
      )
    case 'integer':
    case 'number':
      return (
        Number(schema.minimum ?? schema.exclusiveMinimum ?? 0) +
        (schema.exclusiveMinimum === undefined ? 0 : 1)
      )
    case 'boolean':
      return true
    default:
      return null
  }
}

const SAMPLE_TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T09:00:00Z',
  date: '2026-01-01',
  time: '09:00:00',
  uuid: SAMPLE_KEY,
  email: 'sample@example.com',
  uri: 'https://example.com/',
}

function sampleObject(schema: JsonSchema, depth: number): Record<string, unknown> {
  const fields = isRecord(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  return Object.fromEntries(
    required.map((name) => [name, sampleOf((fields[name] ?? {}) as JsonSchema, depth + 1)]),
  )
}
