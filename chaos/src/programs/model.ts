import { UNWANTED } from '../emulators/vendor-routes.ts'
import type { Line, Step, Write } from '../pack/program.ts'
import type { Plan } from './plan.ts'

/** Something the provider must hold in the end; what is not sure may not have been begun when its neighbour failed. */
export type Due = {
  readonly place: string
  readonly item: string
  readonly isSure: boolean
  readonly hasUndo: boolean
}

/** A line of the answer, as far as it can be foreseen. */
export type DueLine = Omit<Line, 'value'> & { readonly value: string | undefined }

export type Failure = { readonly place: string; readonly code: string }

/** What must be true when a program has ended. With failures it ends as one of them, and is taken back as far as it can be. */
export type Expected = {
  readonly due: readonly Due[]
  readonly lines: readonly DueLine[]
  readonly failures: readonly Failure[]
}

type Walked = Expected & { readonly said: string }

/** Works out, from a program and what people say in it, how the world must look after it. It knows nothing of how runs are driven. */
export function expectedOf({ program, answerAt, verdictAt }: Plan): Expected {
  return walk(program.step, '0', '')

  function walk(step: Step, place: string, said: string): Walked {
    switch (step.do) {
      case 'write':
        return write(step, place, said)
      case 'read':
      case 'moment':
        return { ...NOTHING, said, lines: [{ place, what: 'seen', value: undefined }] }
      case 'ask':
        return asked(step.ways, place)
      case 'sequence':
        return step.steps.reduce<Walked>(
          (before, inner, index) =>
            after(before, () => walk(inner, `${place}.${index}`, before.said)),
          {
            ...NOTHING,
            said,
          },
        )
      case 'parallel':
        return {
          ...beside(
            step.steps.map((inner, index) => walk(inner, `${place}.${index}`, said)),
            step.atMost,
          ),
          said,
        }
      case 'loop':
        return {
          ...beside(
            step.items.map((item) => walk(step.step, `${place}.${item}`, said)),
            step.atMost,
          ),
          said,
        }
      case 'try':
        return caught(walk(step.step, `${place}.try`, said), place, said)
    }
  }

  function write({ manner, undo, isRefused }: Write, place: string, said: string): Walked {
    const failsWith = (code: string): Walked => ({ ...NOTHING, said, failures: [{ place, code }] })
    if (manner === 'patientApproval' && verdictAt(place) === 'deny')
      return failsWith('TOOL_APPROVAL_DENIED')
    if (isRefused) return failsWith('TOOL_INVALID_FIELD_VALUE')
    const due = { place, item: itemAt(place, said), isSure: true, hasUndo: undo !== null }
    return { due: [due], lines: [{ place, what: 'made', value: undefined }], failures: [], said }
  }

  function itemAt(place: string, said: string): string {
    return said === '' ? `${program.id}.${place}` : `${program.id}.${place}=${said}`
  }

  function asked(ways: readonly [Step, Step] | null, place: string): Walked {
    const answer = answerAt(place)
    const here: Walked = {
      ...NOTHING,
      said: answer,
      lines: [{ place, what: 'said', value: answer }],
    }
    if (ways === null) return here
    const [yes, no] = ways
    return after(here, () =>
      answer === 'yes' ? walk(yes, `${place}.yes`, answer) : walk(no, `${place}.no`, answer),
    )
  }
}

const NOTHING: Expected = { due: [], lines: [], failures: [] }

function after(before: Walked, next: () => Walked): Walked {
  if (before.failures.length > 0) return before
  const { due, lines, failures, said } = next()
  return { due: [...before.due, ...due], lines: [...before.lines, ...lines], failures, said }
}

function beside(branches: readonly Expected[], atMost: number): Expected {
  const failing = branches.filter(({ failures }) => failures.length > 0)
  const due = branches.flatMap((branch) => branch.due)
  if (failing.length === 0)
    return { due, lines: branches.flatMap(({ lines }) => lines), failures: [] }
  // one after the other: what comes behind the first that fails is not begun
  const [first] = failing
  if (atMost === 1 && first !== undefined)
    return {
      ...first,
      due: branches.slice(0, branches.indexOf(first) + 1).flatMap((branch) => branch.due),
    }
  return {
    due: branches.flatMap((branch) =>
      failing.length === 1 && branch === first
        ? branch.due
        : branch.due.map((one) => ({ ...one, isSure: false })),
    ),
    lines: [],
    failures: failing.flatMap(({ failures }) => failures),
  }
}

function caught(walked: Walked, place: string, said: string): Walked {
  const [failure] = walked.failures
  if (failure === undefined) return walked
  return {
    due: walked.due,
    lines: [{ place, what: 'failed', value: failure.code }],
    failures: [],
    said,
  }
}

/** The place an item was made at, or asked about; an undo has that of what it takes back. */
export function placeOf(item: string): string {
  const [made = ''] = item
    .replace(/^undo\./, '')
    .replace(UNWANTED, '')
    .split('=')
  return made.slice(made.indexOf('.') + 1)
}
