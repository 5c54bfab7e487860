import type { TourContext } from '../tour-context.ts'

/** The audit and the latency reports. */
export async function showAudit({ runtime, stores, screen }: TourContext): Promise<void> {
  screen.heading('Every call is recorded in the audit, and measured')
  const records = await stores.audit.list({ tenant: 'demo', toolName: 'shop.buy' })
  const rows = records
    .slice(0, 9)
    .map((record) => [
      record.phase,
      record.outcome,
      record.code || record.source,
      record.principal,
      record.actor,
      record.input_hash.slice(0, 12),
    ])
  screen.table([['phase', 'outcome', 'code / source', 'principal', 'actor', 'input hash'], ...rows])
  screen.say('')
  const reports = runtime
    .tools()
    .map((tool) => ({ tool: tool.id, report: runtime.latency(tool.id) }))
  const measured = reports.flatMap(({ tool, report }) =>
    report === undefined
      ? []
      : [
          [
            tool,
            String(report.calls),
            ms(report.p50Ms),
            ms(report.p95Ms),
            ms(report.p99Ms),
            ms(report.budgetMs),
            String(report.overBudget),
          ],
        ],
  )
  screen.table([['tool', 'calls', 'p50', 'p95', 'p99', 'budget', 'over'], ...measured])
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`
}
