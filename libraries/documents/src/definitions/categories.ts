import type { Tool } from '@surehand/core'
import type { Capability, Category, ToolCategoryInfo } from './tool-definition.ts'

const TEXTS: Readonly<Record<Category, { readonly name: string; readonly description: string }>> = {
  habit_management: { name: 'Habits', description: 'Build and keep habits.' },
  project_management: { name: 'Projects', description: 'Plan projects and see how they stand.' },
  task_management: { name: 'Tasks', description: 'Capture, sort and finish tasks.' },
  time_management: { name: 'Time', description: 'Plan days, focus and look back.' },
  knowledge_management: { name: 'Knowledge', description: 'Keep, find and link notes.' },
  system_admin: { name: 'System', description: 'Configure and watch the system.' },
  ai_explanation: { name: 'Explanations', description: 'Say why something was recommended.' },
  data_analysis: { name: 'Data', description: 'Report on data, export and delete it.' },
  integration: { name: 'Integrations', description: 'Work with services outside.' },
  custom: { name: 'Other', description: 'Everything else.' },
}

/** Is it one of document 004's categories? */
export function isCategory(name: string): name is Category {
  return Object.hasOwn(TEXTS, name)
}

/** Every category with how many tools it has and what most of them require. */
export function categoryInfo(tools: readonly Tool[]): Record<Category, ToolCategoryInfo> {
  const grouped = Map.groupBy(tools, ({ category }) => (isCategory(category) ? category : 'custom'))
  const entries = Object.entries(TEXTS) as [Category, (typeof TEXTS)[Category]][]
  return Object.fromEntries(
    entries.map(([category, text]) => {
      const own = grouped.get(category) ?? []
      return [
        category,
        { category, ...text, tool_count: own.length, common_permissions: commonPermissions(own) },
      ]
    }),
  ) as Record<Category, ToolCategoryInfo>
}

// required by at least half of the tools
function commonPermissions(tools: readonly Tool[]): Capability[] {
  const counts = new Map<string, number>()
  for (const tool of tools)
    for (const name of tool.contract.capabilityNames) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .flatMap(([name, count]) => (count * 2 >= tools.length ? [{ name }] : []))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}
