import { isToolError, type Run } from '@surehand/core'
import { z } from 'zod'
import { REJECTED_PREFIX } from '../emulators/vendor-routes.ts'
import type { CodeVersion, Line, Program, Step, Write } from './program.ts'
import { toolId } from './recovery-kind.ts'

type ProgramRun = Run<unknown>
type Position = {
  readonly run: ProgramRun
  readonly place: string
  /** The last answer, and the last value that is different every time. */
  readonly said: string
  readonly seen: string
}
type StepResult = { readonly lines: readonly Line[]; readonly said: string; readonly seen: string }

const Receipt = z.object({ receipt: z.string() })
const Ticket = z.object({ number: z.number() })

/** Executes a program with nothing but the API of a run; a resumed run passes the same places. */
export async function interpret(
  { id, step }: Program,
  run: ProgramRun,
  codeVersion: CodeVersion,
): Promise<readonly Line[]> {
  const interpreter = new Interpreter(id, codeVersion)
  return (await interpreter.runStep(step, { run, place: '0', said: '', seen: '' })).lines
}

class Interpreter {
  private readonly id: string
  private readonly codeVersion: CodeVersion

  constructor(id: string, codeVersion: CodeVersion) {
    this.id = id
    this.codeVersion = codeVersion
  }

  async runStep(step: Step, spot: Position): Promise<StepResult> {
    switch (step.do) {
      case 'write':
        return this.write(step, spot)
      case 'read': {
        const { number } = Ticket.parse(
          await spot.run.step(spot.place, 'chaos.ticket', { item: this.id }),
        )
        return recordSeen(spot, String(number))
      }
      case 'moment':
        return recordSeen(spot, `${spot.run.now()} ${spot.run.newId('moment')}`)
      case 'ask':
        return this.ask(step.ways, spot)
      case 'sequence':
        return this.inSequence(step.steps, spot)
      case 'parallel':
        return this.inParallel(step.steps, step.atMost, spot)
      case 'loop':
        return this.inLoop(step, spot)
      case 'try':
        return this.attempt(step.step, spot)
    }
  }

  private async write(
    { kind, manner, undo, isRefused, changesWithCode }: Write,
    spot: Position,
  ): Promise<StepResult> {
    const { place, said, run } = spot
    const item = `${isRefused ? REJECTED_PREFIX : ''}${this.id}.${place}${said === '' ? '' : `=${said}`}`
    const note = changesWithCode && this.codeVersion === 'changed' ? 'changed' : spot.seen
    const back =
      undo === null
        ? {}
        : { undo: () => ({ tool: toolId(undo, 'patient'), input: { item: `undo.${item}` } }) }
    const { receipt } = Receipt.parse(
      await run.step(place, toolId(kind, manner), { item, note }, back),
    )
    return { ...spot, lines: [{ place, what: 'made', value: receipt }] }
  }

  private async ask(ways: readonly [Step, Step] | null, spot: Position): Promise<StepResult> {
    const { place } = spot
    const said = await spot.run.ask(z.string().min(2), `What now, at ${place}?`, {
      id: place,
      from: 'anyone',
    })
    const lines: readonly Line[] = [{ place, what: 'said', value: said }]
    if (ways === null) return { lines, said, seen: spot.seen }
    const [name, way] = said === 'yes' ? ['yes', ways[0]] : ['no', ways[1]]
    const walked = await this.runStep(way as Step, { ...spot, said, place: `${place}.${name}` })
    return { ...walked, lines: [...lines, ...walked.lines] }
  }

  private async inSequence(steps: readonly Step[], spot: Position): Promise<StepResult> {
    let walked: StepResult = { ...spot, lines: [] }
    for (const [index, step] of steps.entries()) {
      const next = await this.runStep(step, {
        run: spot.run,
        place: `${spot.place}.${index}`,
        said: walked.said,
        seen: walked.seen,
      })
      walked = { ...next, lines: [...walked.lines, ...next.lines] }
    }
    return walked
  }

  private async inParallel(
    steps: readonly Step[],
    atMost: number,
    spot: Position,
  ): Promise<StepResult> {
    const branches = steps.map((step, index) => {
      const work = (run: ProgramRun): Promise<StepResult> =>
        this.runStep(step, { ...spot, run, place: `${spot.place}.${index}` })
      return [`branch ${index}`, work] as const
    })
    const walked = await spot.run.all(Object.fromEntries(branches), { atMost })
    return { ...spot, lines: Object.values(walked).flatMap(({ lines }) => lines) }
  }

  private async inLoop(
    { items, atMost, step }: Extract<Step, { do: 'loop' }>,
    spot: Position,
  ): Promise<StepResult> {
    const walked = await spot.run.each(items, {
      id: (item) => item,
      atMost,
      work: (item, run) => this.runStep(step, { ...spot, run, place: `${spot.place}.${item}` }),
    })
    return { ...spot, lines: walked.flatMap(({ lines }) => lines) }
  }

  private async attempt(step: Step, spot: Position): Promise<StepResult> {
    try {
      return await this.runStep(step, { ...spot, place: `${spot.place}.try` })
    } catch (error) {
      if (!isToolError(error)) throw error
      return { ...spot, lines: [{ place: spot.place, what: 'failed', value: error.code }] }
    }
  }
}

function recordSeen({ place, said }: Position, value: string): StepResult {
  return { said, seen: value, lines: [{ place, what: 'seen', value }] }
}
