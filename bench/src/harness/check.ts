import { isDeepStrictEqual } from 'node:util'
import type { Contender, Subject, Validates, Workload } from './contender.ts'

/** Throws unless the contender answers correctly and refuses exactly the inputs that its row says it validates. */
export async function checkContender(
  contender: Pick<Contender, 'id' | 'validates'>,
  subject: Subject,
  workload: Workload,
): Promise<void> {
  for (const [index, input] of workload.inputs.entries()) {
    const answer = await attempt(subject, input, index)
    if (!(await isExpected(answer, input, workload)))
      throw new Error(`${contender.id} answered ${describe(answer)} to a valid input`)
  }
  const found = await tryValidation(subject, workload)
  if (found !== contender.validates)
    throw new Error(
      `${contender.id} is listed as validating ${contender.validates}, but validates ${found}`,
    )
}

async function tryValidation(subject: Subject, workload: Workload): Promise<Validates> {
  let refused = 0
  for (const [index, input] of workload.invalidInputs.entries()) {
    if (!(await isExpected(await attempt(subject, input, 1000 + index), input, workload)))
      refused += 1
  }
  if (refused !== 0 && refused !== workload.invalidInputs.length)
    throw new Error(`refused only ${refused} of ${workload.invalidInputs.length} invalid inputs`)
  const overflow = await attempt(subject, workload.overflowingInput, 2000)
  const checksOutput = !(await isExpected(overflow, workload.overflowingInput, workload))
  if (refused === 0) return 'nothing'
  return checksOutput ? 'input, output' : 'input'
}

type Attempt = { status: 'answered'; output: unknown } | { status: 'threw'; error: unknown }

async function attempt(subject: Subject, input: object, index: number): Promise<Attempt> {
  try {
    // Serials below zero: an idempotency key of a check must not be that of a timed call.
    return {
      status: 'answered',
      output: subject.output(await subject.call(subject.payload(input), -1 - index)),
    }
  } catch (error) {
    return { status: 'threw', error }
  }
}

async function isExpected(answer: Attempt, input: object, workload: Workload): Promise<boolean> {
  return (
    answer.status === 'answered' && isDeepStrictEqual(answer.output, await workload.expected(input))
  )
}

function describe(answer: Attempt): string {
  return answer.status === 'threw' ? String(answer.error) : JSON.stringify(answer.output)
}
