import { isDeepStrictEqual } from 'node:util'
import type { Contender, Subject, Validates } from './contender.ts'
import type { Workload } from './workload.ts'

/** Throws unless the contender answers rightly and refuses exactly what its row says. */
export async function check(
  contender: Contender,
  subject: Subject,
  workload: Workload,
): Promise<void> {
  for (const [index, input] of workload.inputs.entries()) {
    const answer = await attempt(subject, input, index)
    if (!(await isExpected(answer, input, workload)))
      throw new Error(`${contender.id} answered ${describe(answer)} to a valid input`)
  }
  const found = await observe(subject, workload)
  if (found !== contender.validates)
    throw new Error(
      `${contender.id} is said to validate ${contender.validates}, and validates ${found}`,
    )
}

async function observe(subject: Subject, workload: Workload): Promise<Validates> {
  let refused = 0
  for (const [index, input] of workload.invalidInputs.entries()) {
    if (!(await isExpected(await attempt(subject, input, 1000 + index), input, workload)))
      refused += 1
  }
  if (refused !== 0 && refused !== workload.invalidInputs.length)
    throw new Error(`only ${refused} invalid inputs were refused`)
  const overflow = await attempt(subject, workload.overflowingInput, 2000)
  const checksOutput = !(await isExpected(overflow, workload.overflowingInput, workload))
  if (refused === 0) return 'nothing'
  return checksOutput ? 'input, output' : 'input'
}

type Attempt = { status: 'answered'; output: unknown } | { status: 'threw'; error: unknown }

async function attempt(subject: Subject, input: object, index: number): Promise<Attempt> {
  try {
    // a serial below zero: a key of the checks must not be one of the timed calls
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
