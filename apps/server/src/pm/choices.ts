import { UsageError } from '@surehand/cli'

const PIECE = /^(\d+)(?:-(\d+))?$/

/** "1,3,5", "2-4", "1 3": the numbers that are meant, each once, in order. What is not on the list is said, and nothing is taken. */
export function chosenOf(said: string, most: number): readonly number[] {
  const pieces = said.split(/[\s,]+/).filter((piece) => piece !== '')
  const chosen = pieces.flatMap((piece) => numbersOf(piece, most))
  return [...new Set(chosen)].sort((one, other) => one - other)
}

function numbersOf(piece: string, most: number): readonly number[] {
  const [, from, to = from] = PIECE.exec(piece) ?? []
  const [first, last] = [Number(from), Number(to)]
  if (from === undefined || first < 1 || last > most || first > last)
    throw new UsageError(
      `"${piece}" is not on the list, which goes from 1 to ${most}.`,
      'surehand pm done 1,3 or 2-4',
    )
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** Does somebody mean numbers of a list, and not a name? */
export function areNumbers(said: string): boolean {
  return (
    said.split(/[\s,]+/).every((piece) => piece === '' || PIECE.test(piece)) && said.trim() !== ''
  )
}
