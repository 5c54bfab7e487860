import { REJECTED_PREFIX } from '../emulators/vendor-routes.ts'
import type { Line, Step, Write } from '../pack/program.ts'
import type { Plan } from './plan.ts'

/**
 * An effect that must exist at the end. One that is not certain may not have started when a
 * parallel step failed.
 */
export type ExpectedEffect = {
  readonly place: string
  readonly item: string
  readonly isCertain: boolean
  readonly hasUndo: boolean
}

/** A line of the answer, as far as it can be predicted. */
export type ExpectedLine = Omit<Line, 'value'> & { readonly value: string | undefined }

export type Failure = { readonly place: string; readonly code: string }

/**
 * What must be true when a program has ended. With failures, it ends with one of them and is
 * compensated where possible.
 */
export type PredictedOutcome = {
  readonly effects: readonly ExpectedEffect[]
  readonly lines: readonly ExpectedLine[]
  readonly failures: readonly Failure[]
}

type Prediction = PredictedOutcome & { readonly answer: string }

/**
 * Predicts the effects and the answer of a program from its steps and the people's answers. It
 * knows nothing about how runs are driven.
 */
export function predictOutcome({ program, answerAt, verdictAt }: Plan): PredictedOutcome {
  return predict(program.step, '0', '')

  function predict(step: Step, place: string, answer: string): Prediction {
    switch (step.do) {
      case 'write':
        return write(step, place, answer)
      case 'read':
      case 'moment':
        return { ...NOTHING, answer, lines: [{ place, what: 'seen', value: undefined }] }
      case 'ask':
        return ask(step.ways, place)
      case 'sequence':
        return step.steps.reduce<Prediction>(
          (before, inner, index) =>
            predictSequence(before, () => predict(inner, `${place}.${index}`, before.answer)),
          {
            ...NOTHING,
            answer,
          },
        )
      case 'parallel':
        return {
          ...predictParallel(
            step.steps.map((inner, index) => predict(inner, `${place}.${index}`, answer)),
            step.atMost,
          ),
          answer,
        }
      case 'loop':
        return {
          ...predictParallel(
            step.items.map((item) => predict(step.step, `${place}.${item}`, answer)),
            step.atMost,
          ),
          answer,
        }
      case 'try':
        return predictTry(predict(step.step, `${place}.try`, answer), place, answer)
    }
  }

  function write({ manner, undo, isRefused }: Write, place: string, answer: string): Prediction {
    const failsWith = (code: string): Prediction => ({
      ...NOTHING,
      answer,
      failures: [{ place, code }],
    })
    if (manner === 'patientApproval' && verdictAt(place) === 'deny')
      return failsWith('TOOL_APPROVAL_DENIED')
    if (isRefused) return failsWith('TOOL_INVALID_FIELD_VALUE')
    const effect = { place, item: itemAt(place, answer), isCertain: true, hasUndo: undo !== null }
    return {
      effects: [effect],
      lines: [{ place, what: 'made', value: undefined }],
      failures: [],
      answer,
    }
  }

  function itemAt(place: string, answer: string): string {
    return answer === '' ? `${program.id}.${place}` : `${program.id}.${place}=${answer}`
  }

  function ask(ways: readonly [Step, Step] | null, place: string): Prediction {
    const answer = answerAt(place)
    const here: Prediction = {
      ...NOTHING,
      answer: answer,
      lines: [{ place, what: 'said', value: answer }],
    }
    if (ways === null) return here
    const [yes, no] = ways
    return predictSequence(here, () =>
      answer === 'yes' ? predict(yes, `${place}.yes`, answer) : predict(no, `${place}.no`, answer),
    )
  }
}

const NOTHING: PredictedOutcome = { effects: [], lines: [], failures: [] }

function predictSequence(before: Prediction, next: () => Prediction): Prediction {
  if (before.failures.length > 0) return before
  const { effects, lines, failures, answer } = next()
  return {
    effects: [...before.effects, ...effects],
    lines: [...before.lines, ...lines],
    failures,
    answer,
  }
}

function predictParallel(branches: readonly PredictedOutcome[], atMost: number): PredictedOutcome {
  const failing = branches.filter(({ failures }) => failures.length > 0)
  const effect = branches.flatMap((branch) => branch.effects)
  if (failing.length === 0)
    return { effects: effect, lines: branches.flatMap(({ lines }) => lines), failures: [] }
  // Branches that run one after another: the ones behind the first failure never start.
  const [first] = failing
  if (atMost === 1 && first !== undefined)
    return {
      ...first,
      effects: branches.slice(0, branches.indexOf(first) + 1).flatMap((branch) => branch.effects),
    }
  return {
    effects: branches.flatMap((branch) =>
      failing.length === 1 && branch === first
        ? branch.effects
        : branch.effects.map((one) => ({ ...one, isCertain: false })),
    ),
    lines: [],
    failures: failing.flatMap(({ failures }) => failures),
  }
}

function predictTry(walked: Prediction, place: string, answer: string): Prediction {
  const [failure] = walked.failures
  if (failure === undefined) return walked
  return {
    effects: walked.effects,
    lines: [{ place, what: 'failed', value: failure.code }],
    failures: [],
    answer,
  }
}

/**
 * The place at which an item was made or asked about; a compensation has the place of the step it
 * undoes.
 */
export function placeOf(item: string): string {
  const [made = ''] = item
    .replace(/^undo\./, '')
    .replace(REJECTED_PREFIX, '')
    .split('=')
  return made.slice(made.indexOf('.') + 1)
}
