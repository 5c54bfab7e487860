import type { Run, Tool } from '@surehand/core'
import { ToolError } from '@surehand/core'
import { toolReference } from '@surehand/core/host'
import type { Schema } from '@surehand/core/internal'
import { conditionHolds } from './condition.ts'
import type {
  AskForm,
  AskStep,
  ChooseStep,
  EachStep,
  ParallelStep,
  Program,
  ProgramStep,
  ToolStep,
} from './program-form.ts'
import { read, render, type Values } from './render.ts'

/** What a program was checked against: exactly these tools and schemas are used when it runs. */
export type Bound = {
  readonly tools: ReadonlyMap<string, Tool>
  readonly answers: ReadonlyMap<AskForm, Schema>
}

type Here = { readonly values: Values; readonly bound: Bound; readonly run: Run<unknown> }

// a loop over a thousand items is no reason to call a provider a thousand times at once
const MOST_ITEMS_AT_ONCE = 10

/** Runs a checked program: every step in its own place, named by the ids on the way to it. */
export async function interpret(
  program: Program,
  bound: Bound,
  run: Run<unknown>,
): Promise<unknown> {
  const { values } = await takeAll(program.steps, {
    values: new Map([['input', run.input]]),
    bound,
    run,
  })
  return render(program.answer, values)
}

// one after the other; what a step answers is known to those behind it
async function takeAll(
  steps: readonly ProgramStep[],
  here: Here,
): Promise<{ readonly values: Values; readonly last: unknown }> {
  const values = new Map(here.values)
  let last: unknown = null
  for (const step of steps) {
    last = conditionHolds(step.if, values) ? await take(step, { ...here, values }) : null
    values.set(`steps.${step.id}`, last)
  }
  return { values, last }
}

async function lastOf(steps: readonly ProgramStep[], here: Here): Promise<unknown> {
  return (await takeAll(steps, here)).last
}

function take(step: ProgramStep, here: Here): Promise<unknown> {
  if ('tool' in step) return call(step, here)
  if ('ask' in step) return ask(step, here)
  if ('parallel' in step) return within(step.id, here, (inner) => branchOut(step, inner))
  if ('each' in step) return within(step.id, here, (inner) => loop(step, inner))
  return choose(step, here)
}

function call({ id, tool, input, undo }: ToolStep, { values, bound, run }: Here): Promise<unknown> {
  const back = (answer: unknown) => ({
    tool: toolReference(toolOf(undo?.tool ?? '', bound)),
    input: render(undo?.input, new Map([...values, ['answer', answer]])),
  })
  return run.step(
    id,
    toolOf(tool, bound),
    render(input, values),
    undo === undefined ? {} : { undo: back },
  )
}

function ask({ id, ask: form }: AskStep, { values, bound, run }: Here): Promise<unknown> {
  const schema = bound.answers.get(form)
  if (schema === undefined) throw uncheckedError(`the question ${id}`)
  return run.ask(schema, String(render(form.question, values) ?? ''), {
    id,
    ...(form.from === undefined ? {} : { from: form.from }),
    ...(form.timeout === undefined ? {} : { timeout: form.timeout }),
    ...(form.shows === undefined ? {} : { shows: render(form.shows, values) }),
    ...(form.otherwise === undefined ? {} : { otherwise: render(form.otherwise, values) }),
  })
}

function branchOut({ parallel, atMost }: ParallelStep, here: Here): Promise<unknown> {
  const branches = Object.entries(parallel).map(
    ([name, steps]) => [name, (run: Run<unknown>) => lastOf(steps, { ...here, run })] as const,
  )
  return here.run.all(Object.fromEntries(branches), atMost === undefined ? {} : { atMost })
}

function loop(step: EachStep, here: Here): Promise<unknown> {
  const items = render(step.each, here.values) ?? []
  if (!Array.isArray(items))
    throw new ToolError(
      'TOOL_INVALID_INPUT',
      `The step ${step.id} goes through a list, and was given something else.`,
      {
        details: {
          validation_errors: [
            { field: `${step.id}.each`, error: 'expected a list', provided_value: null },
          ],
        },
      },
    )
  const places = placesOf(items, step)
  return here.run.each(
    items.map((item: unknown) => ({ item })),
    {
      id: (_, index) => places[index] ?? String(index),
      atMost: step.atMost ?? MOST_ITEMS_AT_ONCE,
      work: ({ item }, run) =>
        lastOf(step.steps, { ...here, run, values: new Map([...here.values, [step.as, item]]) }),
    },
  )
}

const LONGEST_PLACE = 80

// two items of one name have two places: the journal is kept by them
function placesOf(items: readonly unknown[], { as, itemId }: EachStep): readonly string[] {
  const taken = new Set<string>()
  return items.map((item, index) => {
    const name = itemId === undefined ? index : read(itemId, new Map([[as, item]]))
    const place =
      typeof name === 'string' || typeof name === 'number'
        ? placeName(String(name), index)
        : String(index)
    let free = place
    for (let round = index; taken.has(free); round++) free = `${place} #${round}`
    taken.add(free)
    return free
  })
}

function placeName(name: string, index: number): string {
  const plain = name.replaceAll(/[/~]/g, '_')
  if (plain === '') return String(index)
  return plain.length > LONGEST_PLACE ? `${plain.slice(0, LONGEST_PLACE)} #${index}` : plain
}

async function choose({ id, choose: choices }: ChooseStep, here: Here): Promise<unknown> {
  const chosen = choices.find((choice) => conditionHolds(choice.if, here.values))
  return chosen === undefined ? null : within(id, here, (inner) => lastOf(chosen.steps, inner))
}

// the id of a step that holds others begins their places: two loops of one list never meet
async function within(
  id: string,
  here: Here,
  work: (inner: Here) => Promise<unknown>,
): Promise<unknown> {
  const answers = await here.run.all({ [id]: (run: Run<unknown>) => work({ ...here, run }) })
  return answers[id]
}

function toolOf(name: string, { tools }: Bound): Tool {
  const tool = tools.get(name)
  if (tool === undefined) throw uncheckedError(name)
  return tool
}

function uncheckedError(what: string): ToolError {
  return new ToolError(
    'TOOL_INTERNAL_ERROR',
    `The program runs without having been checked: ${what} is not bound.`,
  )
}
