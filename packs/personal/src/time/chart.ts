import { z } from 'zod'

/** The data of a chart, independent of how it is drawn. */
export const Chart = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.enum(['bar', 'line']),
  unit: z.string(),
  labels: z.array(z.string()),
  values: z.array(z.number()),
})
export type Chart = z.infer<typeof Chart>

export function barChart(
  form: { id: string; title: string; unit: string },
  bars: Iterable<readonly [string, number]>,
): Chart {
  const all = [...bars]
  return {
    ...form,
    kind: 'bar',
    labels: all.map(([label]) => label),
    values: all.map(([, value]) => value),
  }
}
