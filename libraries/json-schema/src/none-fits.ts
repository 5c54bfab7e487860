import { expectation, valueList } from './expectation.ts'
import type { SchemaNode } from './node.ts'
import type { Fault, Path, Spot } from './spot.ts'

/** What to say when no branch of a union fits: the complaints of the branch that was meant, if that can be told. */
export function noneFits(
  tried: readonly Spot[],
  branches: readonly SchemaNode[],
): readonly Fault[] {
  const [first] = tried
  if (first === undefined) return []
  const ofType = tried.filter((spot) => !spot.isOffType)
  if (ofType.length === 0) return [{ kind: 'type', path: first.path, say: () => orList(branches) }]
  const meant = ofType.filter((spot) => spot.faults?.every((fault) => fault.allowed === undefined))
  if (meant.length === 0) return [sharedChoice(ofType) ?? general(first, branches)]
  const fewest = Math.min(...meant.map((spot) => spot.faults?.length ?? 0))
  const closest = meant.filter((spot) => spot.faults?.length === fewest)
  return closest.length === 1 ? (closest[0]?.faults ?? []) : [general(first, branches)]
}

// every branch wants another constant at the same place: that is the field which tells them apart
function sharedChoice(tried: readonly Spot[]): Fault | undefined {
  const choices = tried.map((spot) => spot.faults?.find((fault) => fault.allowed !== undefined))
  const path = choices[0]?.path
  if (!choices.every((choice) => choice !== undefined && isSamePath(choice.path, path)))
    return undefined
  const allowed = [...new Set(choices.flatMap((choice) => choice?.allowed ?? []))]
  return { kind: 'value', path, say: () => `must be ${valueList(allowed)}`, allowed }
}

function isSamePath(left: Path, right: Path): boolean {
  if (left === undefined || right === undefined) return left === right
  return left.step === right.step && isSamePath(left.up, right.up)
}

function general(spot: Spot, branches: readonly SchemaNode[]): Fault {
  return {
    kind: 'value',
    path: spot.path,
    say: () => `fits none of the ${branches.length} allowed forms: ${orList(branches)}`,
  }
}

function orList(branches: readonly SchemaNode[]): string {
  const words = [...new Set(branches.slice(0, 8).map((branch) => expectation(branch)))]
  return words.length > 1
    ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
    : (words[0] ?? 'a value')
}
