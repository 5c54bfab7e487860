import type { Tx } from '@surehand/core'
import type { Person } from '../../person.ts'
import { PREFERENCES } from '../../system/preferences.ts'
import type { ImportItem, ReadItems } from './import-item.ts'

const SAID =
  "select name, value from pm_preferences where tenant = ? and owner = ? and name in ('work_start', 'work_end')"

/** The items without a working day that would end before it begins: what is there already stays, so that it counts first. */
export async function withWorkingDay(
  tx: Tx,
  { tenant, owner }: Person,
  { items, problems }: ReadItems,
): Promise<ReadItems> {
  const hours = items.filter(isHour)
  if (hours.length === 0) return { items, problems }
  const said = (await tx.all(SAID, tenant, owner)).map(({ name, value }) => [
    String(name),
    String(value),
  ])
  const brought = hours.map(({ row }) => [String(row.name), String(row.value)])
  const { work_start = PREFERENCES.work_start.initial, work_end = PREFERENCES.work_end.initial } =
    Object.fromEntries([...brought, ...said])
  if (work_start < work_end) return { items, problems }
  const problem = `a working day from ${work_start} to ${work_end} ends before it begins`
  return {
    items: items.filter((item) => !isHour(item)),
    problems: [...problems, ...hours.map(({ place }) => ({ place, problem }))],
  }
}

function isHour({ family, row }: ImportItem): boolean {
  return family === 'preferences' && (row.name === 'work_start' || row.name === 'work_end')
}
